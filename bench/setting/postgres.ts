/** The embedded PostgreSQL of a data folder, as users get it, held by the runner while services come and go. */
import pg from "pg";

import { products } from "../../src/products/index.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/log.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { connectionConfig, type DatabaseAddress } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Bench } from "./bench.ts";

export type Postgres = {
  readonly dataFolder: string;
  readonly address: DatabaseAddress;
  readonly client: pg.Client;
  /** One more connection. */
  connect(): Promise<pg.Client>;
  readonly version: string;
  pid(): number;
  stop(): Promise<void>;
};

export const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => console.error(message, fields),
};

/**
 * Starts, and migrates unless it is to be left empty for a service of another commit. The settings are the product's own, but for `track_commit_timestamp`: from it comes the
 * moment of each commit, which latencies count from.
 */
export async function startPostgres(
  bench: Pick<Bench, "newFolder" | "atEnd">,
  dataFolder: string = bench.newFolder(),
  schema: "ours" | "empty" = "ours",
): Promise<Postgres> {
  const settings = { track_commit_timestamp: "on" };
  const server = await startEmbedded({ dataFolder, clock, log: silentLog, settings });
  if (schema === "ours") await migrate(server.address, cellsNamed(SCHEMA_PREFIX, 1), silentLog, products);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...connectionConfig(server.address), application_name: "bench" });
    await client.connect();
    await client.query(`set search_path to ${SCHEMA_PREFIX}_cell_0`);
    return client;
  };
  const client = await connect();
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await client.end();
    await server.stop();
  };
  bench.atEnd(stop);
  const { address } = server;
  const version = rows[0]!.server_version;
  return { dataFolder, address, client, connect, version, pid: () => server.pid()!, stop };
}
