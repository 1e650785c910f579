import assert from "node:assert/strict";

import type { CallStatement } from "../../../src/products/schedules/calls/call-statement.ts";
import type { FeedKind } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readPushed, type PushedCalls } from "../../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";
import { HERON } from "./answers.ts";

/** Reads an answer of that kind. */
export function readAs(kind: FeedKind, answer: unknown, nowMs = Number.POSITIVE_INFINITY): PushedCalls {
  const pushed = runToEnd(readPushed({ name: "heron", kind, ...HERON }, answer, nowMs));
  if (typeof pushed === "string") return assert.fail(pushed);
  return pushed;
}

/** The one call of an answer without problems. */
export function onlyCall(kind: FeedKind, answer: unknown): CallStatement {
  const { calls, problems } = readAs(kind, answer);
  assert.deepEqual(problems, []);
  assert.equal(calls.length, 1);
  return calls[0]!;
}

export const placesOf = ({ problems }: PushedCalls): readonly string[] => problems.map(({ path }) => path);

/** An instant with the answer's offset. */
export const time = (written: string, offsetMinutes: number | null) => ({
  ms: Date.parse(written),
  offsetMinutes,
});

export const NO_TIMES = { planned: null, estimated: null, actual: null };
