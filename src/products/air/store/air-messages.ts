/** Texts that airlines push, as they came (Cargo-IMP), and what they say of air waybills. */
import { byteaArray, int4Array, textArray, uuidArray, type TextArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import { startsOf, type MessageId } from "../sources/message-id.ts";
import * as sql from "./statements.ts";

export type NewAirMessage = {
  readonly id: string;
  /** SHA-256 of the text; in one batch no two may have the same. */
  readonly digest: Buffer;
  readonly message: Buffer;
  /** What is wrong with it, without NUL; null: all of it was read. */
  readonly problem: string | null;
  /** What it says: of an air waybill, eleven digits, as JSON, with the `message` that the JSON has, too. */
  readonly statements: readonly {
    readonly awb: string;
    readonly message: MessageId;
    readonly statement: string;
  }[];
  /** Another of the batch says all that it says. */
  readonly isRepeat: boolean;
};

/** Of one waybill, that what comes is compared with: a waybill that is flooded slows nothing. */
const KNOWN_MAX = 500;

/** Keeps what is not there yet, all or nothing; the ids of what says something new, or cannot be read. */
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
    ...fragmentsOf(said.map(({ message }) => message)),
    KNOWN_MAX,
  ]);
  const silent = new Set(
    messages.filter((one) => one.statements.length === 0 && !one.isRepeat).map(({ id }) => id),
  );
  return new Set(rows.filter(({ id, saysNew }) => saysNew || silent.has(id)).map(({ id }) => id));
}

/** What statements have in them that say the same: beginnings of their `message`, and the whole. */
function fragmentsOf(ids: readonly MessageId[]): readonly [words: TextArray, kind: TextArray, id: TextArray] {
  const starts = ids.map(startsOf);
  return [
    textArray(starts.map(({ words }) => `"message":"${words}`)),
    textArray(starts.map(({ kind }) => `"message":"${kind}`)),
    textArray(ids.map((id) => `"message":"${id}"`)),
  ];
}

/** The newest that was said of an air waybill, so many at most, oldest first; JSON as it was given. */
export async function listAirStatements(db: Connection, cell: Cell, awb: string, countMax: number) {
  return (await db.rows(sql.airStatementList(cell), [awb, countMax])).map((row) => row.statement);
}

/** Deletes some of what arrived before `beforeMs`; true when there is more. */
export function pruneAirMessages(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep(db, sql.airMessagePrune(cell), new Date(beforeMs));
}
