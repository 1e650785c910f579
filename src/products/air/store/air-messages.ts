/** Texts that airlines push, as they came (Cargo-IMP), and what they say of air waybills. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import { startsOf, type MessageId } from "../sources/message-id.ts";
import { airMessageInsert, airMessagePrune, airStatementList } from "./air-messages.sql.ts";

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
  const rows = await airMessageInsert(
    db,
    cell,
    inOrder.map(({ id }) => id),
    inOrder.map(({ digest }) => digest),
    inOrder.map(({ message }) => message),
    inOrder.map(({ problem }) => problem),
    said.map(({ id }) => id),
    said.map(({ number }) => number),
    said.map(({ awb }) => awb),
    said.map((one) => one.statement),
    receivedMs,
    ...fragmentsOf(said.map(({ message }) => message)),
    KNOWN_MAX,
  );
  const silent = new Set(
    messages.filter((one) => one.statements.length === 0 && !one.isRepeat).map(({ id }) => id),
  );
  return new Set(rows.filter(({ id, saysNew }) => saysNew || silent.has(id)).map(({ id }) => id));
}

/** What statements have in them that say the same: beginnings of their `message`, and the whole. */
function fragmentsOf(
  ids: readonly MessageId[],
): readonly [words: readonly string[], kind: readonly string[], id: readonly string[]] {
  const starts = ids.map(startsOf);
  return [
    starts.map(({ words }) => `"message":"${words}`),
    starts.map(({ kind }) => `"message":"${kind}`),
    ids.map((id) => `"message":"${id}"`),
  ];
}

/** The newest that was said of an air waybill, so many at most, oldest first; JSON as it was given. */
export async function listAirStatements(db: Connection, cell: Cell, awb: string, countMax: number) {
  return (await airStatementList(db, cell, awb, countMax)).map((row) => row.statement);
}

/** Deletes some of what arrived before `beforeMs`; true when there is more. */
export function pruneAirMessages(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep((limit) => airMessagePrune(db, cell, beforeMs, limit));
}
