/**
 * Messages that airlines push by themselves. What comes is kept as it came, whether it can be read or not,
 * and what it says is kept for each waybill, tracked or not.
 */
import { createHash } from "node:crypto";

import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import {
  airStatementsOf,
  insertAirMessages,
  pruneAirMessages,
  type NewAirMessage,
} from "../../store/air-messages.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { WaybillStatement } from "./air-event.ts";
import type { Problem } from "./imp/problem.ts";
import { readMessages, type ReadMessage } from "./imp/read-messages.ts";

export type PushedPorts = {
  readonly database: Connection;
  /** The first: an air waybill has no account, and so no cell of its own. */
  readonly cell: Cell;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
};

export type Pushed = {
  /** Messages that were read, with or without problems; those that came before are among them. */
  readonly accepted: number;
  /** Messages that could not be read at all. */
  readonly refused: number;
  /** Texts that were here already. */
  readonly duplicates: number;
  readonly problems: readonly PushedProblem[];
  /** The air waybills that something new was told of, eleven digits each. */
  readonly awbs: readonly string[];
};

export type PushedProblem = Problem & {
  /** The text's place among those that came together, counted from 0. */
  readonly text: number;
  /** Whether nothing of the message was read. */
  readonly isRefused: boolean;
};

/** How long a text is kept: longer than any waybill is tracked. */
const KEPT_MS = 90 * 86_400_000;
/** Problems of one push that are told. */
const PROBLEMS_MAX = 100;
const PROBLEM_LENGTH_MAX = 500;
/** Read for one waybill; one that flies in ten parts over four airports has some two hundred. */
const STATEMENTS_MAX = 500;

/** Keeps texts of one or more messages each. Idempotent: what comes twice is kept once. */
export async function storeMessages(ports: PushedPorts, texts: readonly Buffer[]): Promise<Pushed> {
  const { database, cell, clock } = ports;
  const nowMs = clock.nowMs();
  const read = texts.map((message) => ({ message, messages: readMessages(message, nowMs) }));
  const rows = new Map(read.map((one) => [digestOf(one.message), one]))
    .entries()
    .map(([digest, one]) => rowOf(digest, one, ports.random.uuid(nowMs)))
    .toArray();
  const kept = await insertAirMessages(database, cell, rows, nowMs);
  await pruneAirMessages(database, cell, nowMs - KEPT_MS);
  const all = read.flatMap(({ messages }) => messages);
  return {
    accepted: all.filter(({ kind }) => kind === "message").length,
    refused: all.filter(({ kind }) => kind === "refused").length,
    duplicates: texts.length - kept.size,
    problems: read.flatMap(({ messages }, text) => problemsOf(messages, text)).slice(0, PROBLEMS_MAX),
    awbs: awbsIn(rows.filter(({ id }) => kept.has(id))),
  };
}

/** What was pushed of one waybill, a statement for each message, in the order in which they came. */
export async function messagesOf(
  database: Connection,
  cell: Cell,
  awb: string,
): Promise<readonly WaybillStatement[]> {
  const statements = await airStatementsOf(database, cell, awb, STATEMENTS_MAX);
  return statements.map((statement) => JSON.parse(statement) as WaybillStatement);
}

/** A text and what was read in it. */
type ReadText = { readonly message: Buffer; readonly messages: readonly ReadMessage[] };

function rowOf(digest: string, { message, messages }: ReadText, id: string): NewAirMessage {
  const [first] = problemsOf(messages, 0);
  return {
    id,
    digest: Buffer.from(digest, "hex"),
    message,
    problem: first === undefined ? null : sentenceOf(first),
    statements: statementsIn(messages).map((one) => ({ awb: one.awb, statement: JSON.stringify(one) })),
  };
}

function digestOf(message: Buffer): string {
  return createHash("sha256").update(message).digest("hex");
}

function statementsIn(messages: readonly ReadMessage[]): readonly WaybillStatement[] {
  return messages.flatMap((message) => (message.kind === "message" ? [message.statement] : []));
}

function awbsIn(rows: readonly NewAirMessage[]): readonly string[] {
  return [...new Set(rows.flatMap(({ statements }) => statements.map(({ awb }) => awb)))];
}

function problemsOf(messages: readonly ReadMessage[], text: number): readonly PushedProblem[] {
  return messages.flatMap((message) => {
    const isRefused = message.kind === "refused";
    const problems = isRefused ? [message.problem] : message.problems;
    return problems.map((problem) => ({ ...problem, text, isRefused }));
  });
}

/** What PostgreSQL cannot hold is what a message should not have in it. */
function sentenceOf({ line, column, message }: Problem): string {
  const sentence = `line ${line}, column ${column}: ${message}`.replaceAll("\0", "�");
  return sentence.slice(0, PROBLEM_LENGTH_MAX).toWellFormed();
}
