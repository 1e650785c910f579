/** How the machine is divided among workers, where the settings leave it open. */
import type { Settings } from "../../runtime/settings.ts";

/** Beside PostgreSQL on the same machine, which takes about a quarter of the processor time (docs/benchmarks.md). */
const WORKERS_PER_CORE_BESIDE_DATABASE = 0.75;

/** For more, raise `max_connections` first. */
const DEFAULT_WORKERS_MAX = 16;

/** Database connections of all workers together: PostgreSQL's usual 100 also hold a session for each of 16 workers. */
const CONNECTIONS_OF_ALL = 60;
const CONNECTIONS_MIN = 2;
const CONNECTIONS_MAX = 10;

export function workerCount(
  { workers, databaseUrl }: Pick<Settings, "workers" | "databaseUrl">,
  cores: number,
): number {
  if (workers !== null) return workers;
  const fitting = isOnThisMachine(databaseUrl) ? Math.floor(cores * WORKERS_PER_CORE_BESIDE_DATABASE) : cores;
  return Math.max(1, Math.min(fitting, DEFAULT_WORKERS_MAX));
}

/** Embedded, or by its URL on a socket or the loopback address. */
function isOnThisMachine(databaseUrl: string | null): boolean {
  if (databaseUrl === null) return true;
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return host === "" || host.startsWith("/") || /^(?:localhost|127\..*|\[::1\]|::1)$/.test(host);
}

/** For each process. */
export function connectionsMaxOf(
  { databaseConnectionsMax }: Pick<Settings, "databaseConnectionsMax">,
  workers: number,
): number {
  const share = Math.floor(CONNECTIONS_OF_ALL / workers);
  return databaseConnectionsMax ?? Math.max(CONNECTIONS_MIN, Math.min(share, CONNECTIONS_MAX));
}
