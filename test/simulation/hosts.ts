/**
 * Hosts of receivers. Their names lead to addresses that change, to none, or to one where nothing may be sent; and name
 * servers may say nothing.
 */
import type { DnsLookup } from "../../src/runtime/dns-lookup.ts";
import { listen, RECEIVERS, type SimulatedSocket } from "./network.ts";
import type { HostChange } from "./story.ts";
import { after, worldMs } from "./time.ts";

export type HostPorts = {
  /** Name servers say nothing. */
  areNamesSilent(): boolean;
  note(line: string): void;
  /** Where nothing may be sent. */
  onPrivate(): void;
  onConnection(socket: SimulatedSocket): void;
};

export type Hosts = {
  /** The name servers of nodes. */
  readonly lookup: DnsLookup;
  change(step: HostChange): void;
  /** Whether that of the URL has taken connections since then, and its name been the same. */
  isSteady(url: string, sinceMs: number): boolean;
  /** All names lead to hosts that take connections. */
  heal(): void;
};

type Host = {
  readonly number: number;
  is: "well" | "closed" | "private" | "unknown";
  /** How often it has moved to another address. */
  moves: number;
  readonly sockets: Set<SimulatedSocket>;
  stopListening: () => void;
  /** The latest, which ends by itself. */
  change: HostChange | null;
  changedMs: number;
};

/** By the number of an endpoint. */
export function hostOf(endpoint: number): string {
  return nameOf(endpoint % HOSTS);
}

const HOSTS = 3;
/** Of the network behind the service. */
const PRIVATE_ADDRESS = "10.0.0.7";
/** Name servers that say nothing are asked again, and given up. */
const TRY_MS = 1_000;
const TRIES = 3;
const LOOKUP_MS = 2;
export const TTL_S = 5;

export function openHosts(ports: HostPorts): Hosts {
  const { onConnection, onPrivate } = ports;
  const hosts = Array.from({ length: HOSTS }, (_, number): Host => ({
    number,
    is: "well",
    moves: 0,
    sockets: new Set(),
    stopListening: () => undefined,
    change: null,
    changedMs: Number.NEGATIVE_INFINITY,
  }));
  for (const host of hosts) open(host, onConnection);
  listen(`${PRIVATE_ADDRESS}:443`, { owner: RECEIVERS, onConnection: onPrivate });
  const end = (host: Host): void => {
    if (host.is === "closed") open(host, onConnection);
    if (host.is !== "well") host.changedMs = worldMs();
    host.is = "well";
    host.change = null;
  };
  return {
    lookup(hostname, family, done) {
      const host = hosts.find(({ number }) => nameOf(number) === hostname);
      const answer = (): void => {
        if (host === undefined || host.is === "unknown") done(failure("ENOTFOUND"), []);
        else if (family === 6) done(failure("ENODATA"), []);
        else
          done(null, [{ address: host.is === "private" ? PRIVATE_ADDRESS : addressOf(host), ttlS: TTL_S }]);
      };
      const tryTo = (left: number): void => {
        if (!ports.areNamesSilent()) after(LOOKUP_MS, answer);
        else if (left === 0) done(failure("ETIMEOUT"), []);
        else after(TRY_MS, () => tryTo(left - 1));
      };
      tryTo(TRIES);
    },
    change(step) {
      const host = hosts[step.host]!;
      end(host);
      ports.note(`${nameOf(host.number)} ${step.how}`);
      host.changedMs = worldMs();
      if (step.how === "moves") {
        close(host);
        host.moves += 1;
        return open(host, onConnection);
      }
      if (step.how === "closed") close(host);
      host.is = step.how;
      host.change = step;
      after(step.forMs, () => {
        if (host.change === step) end(host);
      });
    },
    isSteady(url, sinceMs) {
      const host = hosts.find(({ number }) => nameOf(number) === new URL(url).hostname)!;
      return host.is === "well" && host.changedMs < sinceMs;
    },
    heal: () => hosts.forEach(end),
  };
}

function nameOf(host: number): string {
  return `receiver-${host}.example.com`;
}

function addressOf({ number, moves }: Host): string {
  return `11.0.${number}.${moves + 1}`;
}

function open(host: Host, onConnection: (socket: SimulatedSocket) => void): void {
  host.stopListening();
  host.stopListening = listen(`${addressOf(host)}:443`, {
    owner: RECEIVERS,
    onConnection(socket) {
      host.sockets.add(socket);
      socket.once("close", () => host.sockets.delete(socket));
      onConnection(socket);
    },
  });
}

function close(host: Host): void {
  host.stopListening();
  for (const socket of host.sockets) socket.destroy();
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`a lookup failed: ${code}`), { code });
}
