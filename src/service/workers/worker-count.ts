/** How the machine is divided among workers, where the settings leave it open. */
import type { Settings } from "../../runtime/settings.ts";

/** With the embedded PostgreSQL: it takes about a quarter of the processor time (docs/benchmarks.md). */
const EMBEDDED_WORKERS_PER_CORE = 0.75;

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
  const fitting = databaseUrl === null ? Math.floor(cores * EMBEDDED_WORKERS_PER_CORE) : cores;
  return Math.max(1, Math.min(fitting, DEFAULT_WORKERS_MAX));
}

/** For each process. */
export function connectionsMaxOf(
  { databaseConnectionsMax }: Pick<Settings, "databaseConnectionsMax">,
  workers: number,
): number {
  const share = Math.floor(CONNECTIONS_OF_ALL / workers);
  return databaseConnectionsMax ?? Math.max(CONNECTIONS_MIN, Math.min(share, CONNECTIONS_MAX));
}
