/** A way to a database that can freeze, as the network or the server does: it takes connections and passes nothing on. */
import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";

import type { DatabaseAddress } from "../../src/store/database.ts";

export type FreezingProxy = {
  readonly to: DatabaseAddress;
  readonly address: { readonly url: string };
  freeze(): void;
  wake(): void;
  close(): Promise<void>;
};

export async function startFreezingProxy(
  to: DatabaseAddress,
  onPort = 0,
  host = "127.0.0.1",
): Promise<FreezingProxy> {
  const ways = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = createConnection(targetOf(to));
    const way = [near, far] as const;
    ways.add(way);
    for (const [from, other] of [way, [far, near] as const]) {
      from.on("error", () => undefined);
      from.once("close", () => {
        ways.delete(way);
        other.destroy();
      });
      from.pipe(other);
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(onPort, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    to,
    address: addressAt(to, host, port),
    freeze() {
      isFrozen = true;
      for (const socket of [...ways].flat()) socket.pause();
    },
    wake() {
      isFrozen = false;
      for (const socket of [...ways].flat()) socket.resume();
    },
    async close() {
      for (const socket of [...ways].flat()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function targetOf(address: DatabaseAddress) {
  if ("socketFolder" in address) return { path: join(address.socketFolder, `.s.PGSQL.${address.port}`) };
  const { hostname, port } = new URL(address.url);
  return { host: hostname, port: Number(port || 5432) };
}

function addressAt(address: DatabaseAddress, host: string, port: number): FreezingProxy["address"] {
  if ("socketFolder" in address) {
    return { url: `postgres://${address.user}@${host}:${port}/${address.database}` };
  }
  const url = new URL(address.url);
  url.hostname = host;
  url.port = String(port);
  return { url: url.href };
}
