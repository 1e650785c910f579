/** Texts that airlines push, as they came (Cargo-IMP), and what they say of air waybills. */
import { byteaArray, int4Array, textArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

export type NewAirMessage = {
  readonly id: string;
  /** SHA-256 of the text; in one batch no two may have the same. */
  readonly digest: Buffer;
  readonly message: Buffer;
  /** What is wrong with it, without NUL; null: all of it was read. */
  readonly problem: string | null;
  /** What it says: of an air waybill, eleven digits, as JSON. */
  readonly statements: readonly { readonly awb: string; readonly statement: string }[];
};

/** Keeps what is not there yet, all or nothing; the ids of what is new. */
export async function insertAirMessages(
  db: Connection,
  cell: Cell,
  messages: readonly NewAirMessage[],
  receivedMs: number,
): Promise<ReadonlySet<string>> {
  // In one order for all who write, so that no two batches wait for each other.
  const inOrder = messages.toSorted((one, other) => one.digest.compare(other.digest));
  const said = inOrder.flatMap(({ id, statements }) =>
    statements.map((one, number) => ({ ...one, id, number })),
  );
  const rows = await db.rows(sql.airMessageInsert(cell), [
    uuidArray(inOrder.map(({ id }) => id)),
    byteaArray(inOrder.map(({ digest }) => digest)),
    byteaArray(inOrder.map(({ message }) => message)),
    textArray(inOrder.map(({ problem }) => problem)),
    uuidArray(said.map(({ id }) => id)),
    int4Array(said.map(({ number }) => number)),
    textArray(said.map(({ awb }) => awb)),
    textArray(said.map((one) => one.statement)),
    new Date(receivedMs),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** The newest that was said of an air waybill, so many at most, oldest first; JSON as it was given. */
export async function listAirStatements(db: Connection, cell: Cell, awb: string, countMax: number) {
  return (await db.rows(sql.airStatementList(cell), [awb, countMax])).map((row) => row.statement);
}

/** Rows changed by one statement, so that none holds its locks for long. */
const ROWS_A_STEP_MAX = 2_000;

/** Deletes some of what arrived before `beforeMs`; true when there is more. */
export async function pruneAirMessages(db: Connection, cell: Cell, beforeMs: number) {
  const rows = await db.rows(sql.airMessagePrune(cell), [new Date(beforeMs), ROWS_A_STEP_MAX]);
  return rows[0]!.count === ROWS_A_STEP_MAX;
}
