import { pipeline } from "node:stream/promises";

import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

import { connectionConfig, type Connection, type DatabaseAddress } from "../database.ts";
import { storeFault } from "../faults.ts";

/** A session on the server of a cell that moves: outside the pools, and without their time-out of a statement. */
export type Session = Connection & {
  /** Runs a statement without parameters. */
  run(text: string): Promise<void>;
  close(): Promise<void>;
} & { readonly client: pg.Client };

const CONNECT_MS_MAX = 10_000;

/** A server or role may set them for its other clients. */
const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout"];

export async function openSession(address: DatabaseAddress): Promise<Session> {
  const client = new pg.Client({
    ...connectionConfig(address),
    application_name: "boathook cells",
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
  });
  // A connection that breaks fails the running statement; nobody else needs to know.
  client.on("error", () => undefined);
  await reported(client.connect());
  for (const limit of LIMITS) await reported(client.query(`set ${limit} = 0`));
  return {
    client,
    rows: async ({ text }, parameters) => {
      const { rows } = await reported(client.query({ text, values: [...parameters] }));
      return rows as never;
    },
    run: async (text) => void (await reported(client.query(text))),
    // While a statement runs, the connection closes without waiting for it.
    close: () => client.end(),
  };
}

/** Copies the rows of a table to one of the same columns; returns how many the one gave and the other took. */
export async function copyRows(
  source: Session,
  target: Session,
  { fromTable, toTable, columns }: { fromTable: string; toTable: string; columns: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly given: number; readonly taken: number }> {
  const names = columns.join(", ");
  const reading = source.client.query(copyTo(`copy ${fromTable} (${names}) to stdout (format binary)`));
  const writing = target.client.query(copyFrom(`copy ${toTable} (${names}) from stdin (format binary)`));
  await reported(pipeline(reading, writing, { signal }));
  return { given: reading.rowCount, taken: writing.rowCount };
}

async function reported<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw cause instanceof Error && cause.name === "AbortError" ? cause : storeFault(cause);
  }
}
