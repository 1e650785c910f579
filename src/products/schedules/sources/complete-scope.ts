/**
 * What a whole answer is complete about. A call that it leaves out of the requested time is uncertain. It covers calls
 * for certain from tomorrow on, since an answer may leave out vessels that have left; to a week before the last
 * requested day, its horizon, since a call that slides past that day is not gone; and to a week before the last listed
 * call, since some carriers answer for less time than requested. An empty list is a statement of the whole time; an
 * answer without a list (204, 404), or of past calls alone, covers nothing for certain.
 */
import { DAY_MS } from "../../../runtime/durations.ts";
import { expectedTime } from "../calls/call-record.ts";
import type { CallStatement, CompleteScope } from "../calls/call-statement.ts";
import type { RequestScope } from "./feed-requests.ts";

const SLIDE_MS_MAX = 7 * DAY_MS;
const NEAR_MS = DAY_MS;

/** Null: the request asked for nothing to come. `isListed`: the answer is a list, and no mere 204 or 404. */
export function completeScope(
  carrier: string,
  scope: RequestScope,
  calls: readonly CallStatement[],
  nowMs: number,
  isListed = true,
): CompleteScope | null {
  const lastMs = calls.reduce((last, call) => Math.max(last, latestMs(call)), Number.NEGATIVE_INFINITY);
  const fromMs = nowMs + NEAR_MS;
  const horizonMs = scope.untilMs - SLIDE_MS_MAX;
  if (scope.untilMs <= nowMs) return null;
  const isEmpty = isListed && calls.length === 0;
  const toMs = isEmpty ? horizonMs : Math.min(horizonMs, Math.max(lastMs, nowMs) - SLIDE_MS_MAX);
  const { service, port, vessel, untilMs } = scope;
  return { carrier, service, port, vessel, fromMs, toMs, horizonMs, asked: { fromMs: nowMs, untilMs } };
}

function latestMs({ arrival, departure }: CallStatement): number {
  return Math.max(
    ...[arrival, departure].map((times) => expectedTime(times)?.ms ?? Number.NEGATIVE_INFINITY),
  );
}
