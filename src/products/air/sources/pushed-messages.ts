/**
 * Messages that airlines push. Each text is stored byte for byte, readable or not, with its statements about each
 * waybill, tracked or not. What comes again in another envelope is another text, and the same statement, which is stored
 * once. Statements are stored in the cell that their waybill falls to, whose part of the reference index names the cells
 * that track it; the text in the first of those cells, an unreadable one in the cell of its digest.
 */
import { DAY_MS, SECOND_MS } from "../../../runtime/durations.ts";
import type { Random } from "../../../runtime/random.ts";
import { createPause, runInSlices, type SlicedWork } from "../../../runtime/time-slices.ts";
import { insertAirMessages, type NewAirMessage } from "../store/air-messages.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { inCells } from "../../../store/in-cells.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import { hasValidCheckDigit } from "../../../freight/references/awb.ts";
import type { Problem } from "./imp/problem.ts";
import { digestOf, isNew, type MessageId } from "./message-id.ts";
import type { ReadMessage } from "./imp/read-messages.ts";
import { readCarried, type CarriedMessage } from "./carried/read-carried.ts";
import { airStatementList } from "../store/air-messages.sql.ts";

export type PushedMessagesPorts = Pick<NodeContext, "clock"> & {
  readonly database: Connection;
  readonly index: Pick<ReferenceIndex, "cellOf" | "cellsSince">;
};

export type PushedMessages = {
  /** Messages that were read, with or without problems, duplicates included. */
  readonly accepted: number;
  /** Messages that could not be read, or whose waybill number has a wrong check digit. */
  readonly refused: number;
  /** Texts that say nothing new: stored before, or all that they say was. */
  readonly duplicates: number;
  readonly problems: readonly MessageProblem[];
  /** Air waybills with new statements, eleven digits each. */
  readonly awbs: readonly string[];
  /** Why some cells took nothing: the same texts are to come again, and the rest of them is stored then. */
  readonly failures: readonly Error[];
};

export type MessageProblem = Problem & {
  /** The index of the text within the push. */
  readonly textIndex: number;
  /** Where it stands within the text: an attachment, a JSON pointer, a path of elements; null: in the text itself. */
  readonly part: string | null;
  /** Whether the whole message is refused. */
  readonly isRefused: boolean;
};

/** Longer than any waybill is tracked. */
export const MESSAGES_KEPT_MS = 90 * DAY_MS;

/** Reported of one push. */
const PROBLEMS_MAX = 100;
/** Stored with one text. */
const PROBLEMS_KEPT_MAX = 20;
const PROBLEM_LENGTH_MAX = 500;
/** The order of messages within a request, as fractions of a millisecond; a double has room for so many. */
const MESSAGES_A_MS = 1_000;
/** Read for one waybill; one flown in ten parts over four airports has some two hundred. */
const STATEMENTS_MAX = 500;

/**
 * Stores texts of one or more messages each. A text that comes twice is stored once.
 *
 * @param receivedMs - milliseconds since the epoch, from which the years of days are inferred; null: now. The texts
 *   are stored as of now in either case.
 * @param areMails - whether their sender says that they are e-mails.
 */
export async function storeMessages(
  { database, clock, index, random }: PushedMessagesPorts & { readonly random: Pick<Random, "uuid"> },
  texts: readonly Buffer[],
  receivedMs: number | null = null,
  areMails = false,
): Promise<PushedMessages> {
  const nowMs = clock.nowMs();
  const read = await readTexts(texts, areMails, receivedMs ?? nowMs, clock);
  const naming = rowsOf(read, receivedMs ?? nowMs, () => random.uuid(nowMs));
  const rows = await runInSlices(naming, clock);
  const placed = Map.groupBy(
    rows.flatMap((row) => partsOf(index, row)),
    ({ cell }) => cell,
  );
  const { answers, failures } = await inCells(clock, [...placed.keys()], CELL_MS_MAX, async (cell) => {
    const parts = placed.get(cell)!.map(({ part }) => part);
    const saidAnew = await insertAirMessages(database, cell, parts, nowMs);
    return parts.filter(({ id }) => saidAnew.has(id));
  });
  const kept = answers.flat();
  const all = read.flatMap(({ messages }) => messages.map(({ message }) => message));
  const accepted = all.filter(isAccepted).length;
  return {
    accepted,
    refused: all.length - accepted,
    duplicates: texts.length - new Set(kept.map(({ id }) => id)).size,
    problems: read
      .flatMap(({ messages }, textIndex) => problemsOf(messages, textIndex))
      .slice(0, PROBLEMS_MAX),
    awbs: [...new Set(kept.flatMap(({ statements }) => statements.map(({ awb }) => awb)))],
    failures,
  };
}

async function readTexts(
  texts: readonly Buffer[],
  areMails: boolean,
  receivedMs: number,
  clock: PushedMessagesPorts["clock"],
): Promise<readonly ParsedText[]> {
  const read: ParsedText[] = [];
  const pause = createPause(clock);
  for (const message of texts) {
    read.push({ message, messages: await readCarried(message, areMails, receivedMs, clock) });
    await pause();
  }
  return read;
}

/** A row for each different text; what two of them say belongs to the first. */
function* rowsOf(
  read: readonly ParsedText[],
  receivedMs: number,
  newId: () => string,
): SlicedWork<readonly NewAirMessage[]> {
  const inOrder = orderedFrom(receivedMs);
  const known = new Map<string, string[]>();
  const texts = new Map<string, ParsedText>();
  for (const text of read) {
    yield;
    texts.set(digestOf(text.message), text);
  }
  const rows: NewAirMessage[] = [];
  for (const [digest, text] of texts) {
    yield;
    const { statements, ...row } = rowOf(digest, text, newId(), inOrder);
    const own = statements.filter(({ awb, message }) => isNew(known, awb, message));
    rows.push({ ...row, statements: own, isRepeat: own.length < statements.length && own.length === 0 });
  }
  return rows;
}

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 5 * SECOND_MS;

/** What each cell stores of a text: its statements there, and the text itself in one of them. */
function partsOf(
  index: PushedMessagesPorts["index"],
  row: NewAirMessage,
): readonly { readonly cell: Cell; readonly part: NewAirMessage }[] {
  const { digest, statements } = row;
  if (statements.length === 0) return [{ cell: index.cellOf(digest.toString("hex")), part: row }];
  return [...Map.groupBy(statements, ({ awb }) => index.cellOf(awb))].map(([cell, some], nth) => ({
    cell,
    part: { ...row, statements: some, message: nth === 0 ? row.message : NO_TEXT },
  }));
}

const NO_TEXT = Buffer.alloc(0);

/** What airlines pushed about a waybill, and why some of it could not be read. */
export type PushedStatements = {
  /** One for each message about the waybill, in the order of arrival. */
  readonly statements: readonly WaybillStatement[];
  readonly failures: readonly Error[];
};

export async function pushedStatementsOf(
  { database, clock, index }: PushedMessagesPorts,
  awb: string,
): Promise<PushedStatements> {
  const cells = index.cellsSince(awb, clock.nowMs() - MESSAGES_KEPT_MS);
  const { answers, failures } = await inCells(clock, cells, CELL_MS_MAX, (cell) =>
    airStatementList(database, cell, { awb, countMax: STATEMENTS_MAX }),
  );
  const statements = answers.flat().map(({ statement }) => JSON.parse(statement) as WaybillStatement);
  return { statements: onceEach(awb, statements), failures };
}

/** Two that came at once may both have been stored. */
function onceEach(awb: string, statements: readonly WaybillStatement[]): readonly WaybillStatement[] {
  const known = new Map<string, string[]>();
  return statements.filter(({ message }) => message === undefined || isNew(known, awb, message as MessageId));
}

type ParsedText = { readonly message: Buffer; readonly messages: readonly CarriedMessage[] };

function rowOf(
  digest: string,
  { message, messages }: ParsedText,
  id: string,
  inOrder: () => number,
): Omit<NewAirMessage, "isRepeat"> {
  return {
    id,
    digest: Buffer.from(digest, "hex"),
    message,
    problem: problemText(problemsOf(messages, 0)),
    statements: saidIn(
      messages.map((carried) => carried.message),
      inOrder,
    ).map((said) => ({
      awb: said.awb,
      message: said.message,
      statement: JSON.stringify(said),
    })),
  };
}

/** When each message of one request was said: in the order of its texts, and of the messages in a text. */
export function orderedFrom(receivedMs: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return receivedMs + (count - 1) / MESSAGES_A_MS;
  };
}

/** What the messages of a text state, each said at its own time. */
export function saidIn(
  messages: readonly ReadMessage[],
  inOrder: () => number,
): readonly (WaybillStatement & { readonly message: MessageId })[] {
  return messages
    .filter(isAccepted)
    .map(({ statement, id }) => ({ ...statement, saidMs: inOrder(), message: id }));
}

/** A mistyped number names no waybill, or another one. */
function isAccepted(message: ReadMessage): message is ReadMessage & { kind: "message" } {
  return message.kind === "message" && hasValidCheckDigit(message.statement.awb);
}

function problemsOf(messages: readonly CarriedMessage[], textIndex: number): readonly MessageProblem[] {
  return messages.flatMap(({ part, message }) => {
    const problems = message.kind === "refused" ? [message.problem] : message.problems;
    const isRefused = !isAccepted(message);
    return problems.map((problem) => ({ ...problem, textIndex, part, isRefused }));
  });
}

/** One line each, without characters that PostgreSQL text cannot hold; null without problems. */
function problemText(problems: readonly MessageProblem[]): string | null {
  if (problems.length === 0) return null;
  const sentences = problems
    .slice(0, PROBLEMS_KEPT_MAX)
    .map(({ part, line, column, message }) =>
      `${part === null ? "" : `${part}, `}line ${line}, column ${column}: ${message}`.slice(
        0,
        PROBLEM_LENGTH_MAX,
      ),
    );
  return sentences.join("\n").replaceAll("\0", "\uFFFD").toWellFormed();
}
