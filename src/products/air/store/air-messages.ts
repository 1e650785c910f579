/** Texts that airlines push, as they came (Cargo-IMP), and what they say of air waybills. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { startsOf, type MessageId } from "../sources/message-id.ts";
import { airMessageInsert } from "./air-messages.sql.ts";

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
  const statements = inOrder.flatMap(({ id, statements: stated }) =>
    stated.map(({ awb, message, statement }, number) => ({
      ...{ messageId: id, number, awb, statement },
      ...fragmentsOf(message),
    })),
  );
  const rows = await airMessageInsert(db, cell, {
    messages: inOrder,
    statements,
    receivedAt: receivedMs,
    limit: KNOWN_MAX,
  });
  const silent = new Set(
    messages.filter((one) => one.statements.length === 0 && !one.isRepeat).map(({ id }) => id),
  );
  return new Set(rows.filter(({ id, saysNew }) => saysNew || silent.has(id)).map(({ id }) => id));
}

/** What a statement has in it that says the same: beginnings of its `message`, and the whole. */
function fragmentsOf(id: MessageId) {
  const { words, kind } = startsOf(id);
  return { words: `"message":"${words}`, kind: `"message":"${kind}`, whole: `"message":"${id}"` };
}
