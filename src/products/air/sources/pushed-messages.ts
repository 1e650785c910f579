/**
 * Messages that airlines push. Each text is stored byte for byte, readable or not, with its statements about each
 * waybill, tracked or not.
 */
import { createHash } from "node:crypto";

import type { Random } from "../../../runtime/random.ts";
import { listAirStatements, insertAirMessages, type NewAirMessage } from "../store/air-messages.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import { hasValidCheckDigit } from "../../../freight/references/awb.ts";
import type { Problem } from "./imp/problem.ts";
import { readMessages, type ReadMessage } from "./imp/read-messages.ts";

type PushedMessagesPorts = Pick<NodeContext, "database" | "clock"> & {
  /** The first cell: a waybill belongs to no account, and so to no cell of an account. */
  readonly cell: Cell;
  readonly random: Pick<Random, "uuid">;
};

export type PushedMessages = {
  /** Messages that were read, with or without problems, duplicates included. */
  readonly accepted: number;
  /** Messages that could not be read, or whose waybill number has a wrong check digit. */
  readonly refused: number;
  /** Texts stored before. */
  readonly duplicates: number;
  readonly problems: readonly MessageProblem[];
  /** Air waybills with new statements, eleven digits each. */
  readonly awbs: readonly string[];
};

export type MessageProblem = Problem & {
  /** The index of the text within the push. */
  readonly textIndex: number;
  /** Whether the whole message is refused. */
  readonly isRefused: boolean;
};

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
 */
export async function storeMessages(
  ports: PushedMessagesPorts,
  texts: readonly Buffer[],
  receivedMs: number | null = null,
): Promise<PushedMessages> {
  const { database, cell, clock } = ports;
  const nowMs = clock.nowMs();
  const read = texts.map((message) => ({ message, messages: readMessages(message, receivedMs ?? nowMs) }));
  const inOrder = orderedFrom(receivedMs ?? nowMs);
  const rows = new Map(read.map((one) => [digestOf(one.message), one]))
    .entries()
    .map(([digest, one]) => rowOf(digest, one, ports.random.uuid(nowMs), inOrder))
    .toArray();
  const kept = await insertAirMessages(database, cell, rows, nowMs);
  const all = read.flatMap(({ messages }) => messages);
  const accepted = all.filter(isAccepted).length;
  return {
    accepted,
    refused: all.length - accepted,
    duplicates: texts.length - kept.size,
    problems: read
      .flatMap(({ messages }, textIndex) => problemsOf(messages, textIndex))
      .slice(0, PROBLEMS_MAX),
    awbs: [
      ...new Set(
        rows.flatMap(({ id, statements }) => (kept.has(id) ? statements.map(({ awb }) => awb) : [])),
      ),
    ],
  };
}

/** One statement for each message about the waybill, in the order of arrival. */
export async function pushedStatementsOf(
  database: Connection,
  cell: Cell,
  awb: string,
): Promise<readonly WaybillStatement[]> {
  const statements = await listAirStatements(database, cell, awb, STATEMENTS_MAX);
  return statements.map((statement) => JSON.parse(statement) as WaybillStatement);
}

type ParsedText = { readonly message: Buffer; readonly messages: readonly ReadMessage[] };

function rowOf(
  digest: string,
  { message, messages }: ParsedText,
  id: string,
  inOrder: () => number,
): NewAirMessage {
  return {
    id,
    digest: Buffer.from(digest, "hex"),
    message,
    problem: problemText(problemsOf(messages, 0)),
    statements: saidIn(digest, messages, inOrder).map((said) => ({
      awb: said.awb,
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

/** What the messages of a text state, with its digest, each said at its own time. */
export function saidIn(
  digest: string,
  messages: readonly ReadMessage[],
  inOrder: () => number,
): readonly WaybillStatement[] {
  return messages.filter(isAccepted).map(({ statement }, number) => ({
    ...statement,
    saidMs: inOrder(),
    message: `${digest.slice(0, MESSAGE_ID_CHARS)}.${number}`,
  }));
}

/** Of a digest in hexadecimal: enough to tell the messages of one waybill apart. */
const MESSAGE_ID_CHARS = 12;

export function digestOf(message: Buffer): string {
  return createHash("sha256").update(message).digest("hex");
}

/** A mistyped number names no waybill, or another one. */
function isAccepted(message: ReadMessage): message is ReadMessage & { kind: "message" } {
  return message.kind === "message" && hasValidCheckDigit(message.statement.awb);
}

function problemsOf(messages: readonly ReadMessage[], textIndex: number): readonly MessageProblem[] {
  return messages.flatMap((message) => {
    const problems = message.kind === "refused" ? [message.problem] : message.problems;
    const isRefused = !isAccepted(message);
    return problems.map((problem) => ({ ...problem, textIndex, isRefused }));
  });
}

/** One line each, without characters that PostgreSQL text cannot hold; null without problems. */
function problemText(problems: readonly Problem[]): string | null {
  if (problems.length === 0) return null;
  const sentences = problems
    .slice(0, PROBLEMS_KEPT_MAX)
    .map(({ line, column, message }) =>
      `line ${line}, column ${column}: ${message}`.slice(0, PROBLEM_LENGTH_MAX),
    );
  return sentences.join("\n").replaceAll("\0", "\uFFFD").toWellFormed();
}
