/** Reads a pushed body: what the feed's kind answers with. */
import type { CallStatement } from "../calls/call-statement.ts";
import type { FeedProblem } from "./feed-answer.ts";
import type { Feed } from "./feed-schema.ts";
import { readAnswer } from "./read-answer.ts";
import { createReadContext } from "./read-context.ts";

export type PushedCalls = {
  readonly calls: readonly CallStatement[];
  readonly problems: readonly FeedProblem[];
  /** No problem has lost a call. */
  readonly isComplete: boolean;
};

/** A text: why the body is not of the feed's kind at all. */
export function readPushed(feed: Feed, body: unknown): PushedCalls | string {
  const reading = createReadContext(feed);
  const read = readAnswer(feed.kind, body, reading);
  if (typeof read === "string") return `the body ${read}, as ${feed.kind} answers with`;
  return { calls: read, problems: reading.problems, isComplete: reading.isComplete() };
}
