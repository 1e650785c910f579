/**
 * Messages that airlines push by themselves. What comes is kept as it came, whether it can be read or not,
 * and what it says is kept for each waybill, tracked or not.
 */
import { createHash } from "node:crypto";

import type { Clock } from "../../../runtime/clock.ts";
import type { Random } from "../../../runtime/random.ts";
import { listAirStatements, insertAirMessages, type NewAirMessage } from "../store/air-messages.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import { hasValidCheckDigit } from "../../../freight/references/awb.ts";
import type { Problem } from "./imp/problem.ts";
import { readMessages, type ReadMessage } from "./imp/read-messages.ts";

export type PushedMessagesPorts = {
  readonly database: Connection;
  /** The first: an air waybill has no account, and so no cell of its own. */
  readonly cell: Cell;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
};

export type PushedMessages = {
  /** Messages that were read, with or without problems; those that came before are among them. */
  readonly accepted: number;
  /** Messages that could not be read at all, and those of a number that is no waybill's. */
  readonly refused: number;
  /** Texts that were here already. */
  readonly duplicates: number;
  readonly problems: readonly MessageProblem[];
  /** The air waybills that something new was told of, eleven digits each. */
  readonly awbs: readonly string[];
};

export type MessageProblem = Problem & {
  /** The text's place among those that came together, counted from 0. */
  readonly textIndex: number;
  /** Whether nothing of the message counts. */
  readonly isRefused: boolean;
};

/** Problems of one push that are told. */
const PROBLEMS_MAX = 100;
/** Of one text, kept beside it. */
const PROBLEMS_KEPT_MAX = 20;
const PROBLEM_LENGTH_MAX = 500;
/** Read for one waybill; one that flies in ten parts over four airports has some two hundred. */
const STATEMENTS_MAX = 500;

/**
 * Keeps texts of one or more messages each. Idempotent: what comes twice is kept once.
 *
 * @param receivedMs - when the texts first came, by which the years of their days are inferred, milliseconds
 *   since the epoch; they are kept as of now.
 */
export async function storeMessages(
  ports: PushedMessagesPorts,
  texts: readonly Buffer[],
  receivedMs: number | null = null,
): Promise<PushedMessages> {
  const { database, cell, clock } = ports;
  const nowMs = clock.nowMs();
  const read = texts.map((message) => ({ message, messages: readMessages(message, receivedMs ?? nowMs) }));
  const rows = new Map(read.map((one) => [digestOf(one.message), one]))
    .entries()
    .map(([digest, one]) => rowOf(digest, one, ports.random.uuid(nowMs)))
    .toArray();
  const kept = await insertAirMessages(database, cell, rows, nowMs);
  const all = read.flatMap(({ messages }) => messages);
  const accepted = all.filter(isAccepted).length;
  return {
    accepted,
    refused: all.length - accepted,
    duplicates: texts.length - kept.size,
    problems: read.flatMap(({ messages }, text) => problemsOf(messages, text)).slice(0, PROBLEMS_MAX),
    awbs: awbsIn(rows.filter(({ id }) => kept.has(id))),
  };
}

/** What was pushed of one waybill, a statement for each message, in the order in which they came. */
export async function pushedStatementsOf(
  database: Connection,
  cell: Cell,
  awb: string,
): Promise<readonly WaybillStatement[]> {
  const statements = await listAirStatements(database, cell, awb, STATEMENTS_MAX);
  return statements.map((statement) => JSON.parse(statement) as WaybillStatement);
}

/** A text and what was read in it. */
type ParsedText = { readonly message: Buffer; readonly messages: readonly ReadMessage[] };

function rowOf(digest: string, { message, messages }: ParsedText, id: string): NewAirMessage {
  return {
    id,
    digest: Buffer.from(digest, "hex"),
    message,
    problem: problemText(problemsOf(messages, 0)),
    statements: statementsIn(messages).map((one) => ({ awb: one.awb, statement: JSON.stringify(one) })),
  };
}

function digestOf(message: Buffer): string {
  return createHash("sha256").update(message).digest("hex");
}

function statementsIn(messages: readonly ReadMessage[]): readonly WaybillStatement[] {
  return messages.flatMap((message) => (isAccepted(message) ? [message.statement] : []));
}

/** A number with a slip in it is nobody's waybill, or somebody else's. */
function isAccepted(message: ReadMessage): message is ReadMessage & { kind: "message" } {
  return message.kind === "message" && hasValidCheckDigit(message.statement.awb);
}

function awbsIn(rows: readonly NewAirMessage[]): readonly string[] {
  return [...new Set(rows.flatMap(({ statements }) => statements.map(({ awb }) => awb)))];
}

function problemsOf(messages: readonly ReadMessage[], textIndex: number): readonly MessageProblem[] {
  return messages.flatMap((message) => {
    const problems = message.kind === "refused" ? [message.problem] : message.problems;
    const isRefused = !isAccepted(message);
    return problems.map((problem) => ({ ...problem, textIndex, isRefused }));
  });
}

/** A line for each; null where there is none. What PostgreSQL cannot hold is what a message should not have in it. */
function problemText(problems: readonly Problem[]): string | null {
  if (problems.length === 0) return null;
  const sentences = problems
    .slice(0, PROBLEMS_KEPT_MAX)
    .map(({ line, column, message }) =>
      `line ${line}, column ${column}: ${message}`.slice(0, PROBLEM_LENGTH_MAX),
    );
  return sentences.join("\n").replaceAll("\0", "\uFFFD").toWellFormed();
}
