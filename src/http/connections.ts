/**
 * Bounds a listener's connections, so that descriptors are left for the other listener and for sending.
 *
 *     new ─▶ its address has too many ─▶ closed
 *       └──▶ open; if there are too many, the one that has been idle for the longest is closed, or else this one
 *
 * A connection is idle before its first request and between requests.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { TransientMap, TransientSet } from "../runtime/transient.ts";
import { blocksOf, isIn, networkOf } from "./network.ts";

export type ConnectionBounds = {
  readonly connectionsMax: number;
  /** Of one address, or one /64 of IPv6. Absent: no bound. */
  readonly perAddressMax?: number;
  /** Addresses and ranges that speak for many clients. */
  readonly unbounded?: readonly string[];
  readonly watch?: ConnectionWatch | undefined;
};

/** Which bound closed a connection: that of all, or that of its address. */
export const CONNECTION_BOUNDS = ["all", "address"] as const;

export type ConnectionWatch = {
  /** Called once; `count` says how many are open. */
  readonly opened: (count: () => number) => void;
  readonly closed: (bound: (typeof CONNECTION_BOUNDS)[number]) => void;
};

export function boundConnections(server: Server, bounds: ConnectionBounds): Server {
  const { connectionsMax, perAddressMax = Number.POSITIVE_INFINITY, unbounded = [], watch } = bounds;
  const proxies = blocksOf(unbounded);
  const open = new TransientMap<Socket, { requests: number }>();
  // The longest idle first.
  const idle = new TransientSet<Socket>();
  const byNetwork = new Map<string, number>();
  watch?.opened(() => open.size);

  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // It has gone already.
    if (address === undefined) return void socket.destroy();
    const network = isIn(proxies, address) ? null : networkOf(address);
    const ofNetwork = network === null ? 0 : (byNetwork.get(network) ?? 0);
    if (ofNetwork >= perAddressMax) {
      watch?.closed("address");
      return void socket.destroy();
    }
    if (open.size >= connectionsMax) {
      watch?.closed("all");
      const [oldest = socket] = idle;
      forget(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    open.set(socket, { requests: 0 });
    idle.add(socket);
    if (network !== null) byNetwork.set(network, ofNetwork + 1);
    socket.once("close", () => {
      forget(socket);
      if (network === null) return;
      const left = byNetwork.get(network)! - 1;
      if (left > 0) byNetwork.set(network, left);
      else byNetwork.delete(network);
    });
  });

  function forget(socket: Socket): void {
    open.delete(socket);
    idle.delete(socket);
  }

  return server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    idle.delete(socket);
    response.once("close", () => {
      connection.requests -= 1;
      if (connection.requests === 0 && open.has(socket)) idle.add(socket);
    });
  });
}
