/** Texts that airlines push, as they came (Cargo-IMP). */
import { byteaArray, textArray, uuidArray } from "./binary.ts";
import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { statement } from "./sql.ts";

export type NewAirMessage = {
  readonly id: string;
  /** SHA-256 of the text; of two messages in one batch no two may have the same. */
  readonly digest: Buffer;
  /** Eleven digits each. */
  readonly awbs: readonly string[];
  readonly message: Buffer;
  /** What is wrong with it, without NUL; null: all of it was read. */
  readonly problem: string | null;
};

export type StoredAirMessage = {
  /** Milliseconds since the epoch. */
  readonly receivedMs: number;
  readonly message: Buffer;
};

/** Keeps what is not there yet, all or nothing; the ids of what is new. */
export async function insertAirMessages(
  connection: Connection,
  cell: Cell,
  messages: readonly NewAirMessage[],
  receivedMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await connection.rows<{ id: string }>(statement("air_messages_insert", cell), [
    uuidArray(messages.map(({ id }) => id)),
    byteaArray(messages.map(({ digest }) => digest)),
    textArray(messages.map(({ awbs }) => awbs.join(","))),
    byteaArray(messages.map(({ message }) => message)),
    textArray(messages.map(({ problem }) => problem)),
    new Date(receivedMs),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** The newest texts that tell of an air waybill, so many at most, oldest first. */
export async function airMessagesOf(
  connection: Connection,
  cell: Cell,
  awb: string,
  countMax: number,
): Promise<readonly StoredAirMessage[]> {
  const rows = await connection.rows<{ receivedAt: Date; message: Buffer }>(
    statement("air_messages_of", cell),
    [awb, countMax],
  );
  return rows.map(({ receivedAt, message }) => ({ receivedMs: receivedAt.getTime(), message }));
}

/** Rows changed by one statement, so that none holds its locks for long. */
const ROWS_A_STEP_MAX = 2_000;

/** Forgets some of what came before `beforeMs`; true when there is more. */
export async function pruneAirMessages(
  connection: Connection,
  cell: Cell,
  beforeMs: number,
): Promise<boolean> {
  const rows = await connection.rows<{ count: number }>(statement("air_messages_prune", cell), [
    new Date(beforeMs),
    ROWS_A_STEP_MAX,
  ]);
  return rows[0]!.count === ROWS_A_STEP_MAX;
}
