/**
 * What a whole answer was complete about, narrowly: a call that is missing from it counts as gone, and clients are told
 * of a blank sailing. So the scope ends well before the last day that was asked for, its horizon, since a call that
 * slides over that day is missing and not gone; ends before the last call that was told, since some carriers answer for
 * less than they are asked; and begins tomorrow, since a vessel that has left may be missing.
 */
import { expectedTime } from "../calls/call-record.ts";
import type { FeedUpdate, CallStatement } from "../calls/call-statement.ts";
import type { RequestScope } from "./feed-requests.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

const SLIDE_MS_MAX = 7 * DAY_MS;
const NEAR_MS = DAY_MS;

/** Null: nothing may be concluded from what is missing. */
export function completeScope(
  carrier: string,
  scope: RequestScope,
  calls: readonly CallStatement[],
  nowMs: number,
): FeedUpdate["complete"] {
  const lastMs = calls.reduce((last, call) => Math.max(last, latestMs(call)), Number.NEGATIVE_INFINITY);
  const fromMs = nowMs + NEAR_MS;
  const horizonMs = scope.untilMs - SLIDE_MS_MAX;
  if (lastMs <= fromMs || horizonMs <= fromMs) return null;
  const toMs = Math.min(horizonMs, lastMs - SLIDE_MS_MAX);
  return { carrier, service: scope.service, port: scope.port, fromMs, toMs, horizonMs };
}

function latestMs({ arrival, departure }: CallStatement): number {
  return Math.max(
    ...[arrival, departure].map((times) => expectedTime(times)?.ms ?? Number.NEGATIVE_INFINITY),
  );
}
