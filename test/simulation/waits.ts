/** The ladder: how often something is sent, when again, and that nothing which is due waits. */
import {
  type Arrival,
  ATTEMPTS_MAX,
  type FinalDelivery,
  isNearFault,
  isSuccess,
  type KnownEndpoint,
  mayBeLost,
  mayWait,
  type Observed,
  seconds,
  stateOver,
} from "./observed.ts";

/** How long what is due waits at most while nothing is open to its endpoint, where nothing is wrong. */
const LATE_MS_MAX = 3_000;

/** Nothing waits for a sweep: what was accepted is sent at once, and again when its wait is over. */
export function wrongOfWaits(
  arrivals: ReadonlyMap<string, readonly Arrival[]>,
  deliveryOf: ReadonlyMap<string, string>,
  byUrl: ReadonlyMap<string, KnownEndpoint>,
  seen: Observed,
): string[] {
  const flights = Map.groupBy(seen.arrivals, ({ url }) => url);
  const wrong: string[] = [];
  const check = (id: string, dueMs: number, { url, atMs }: Arrival): void => {
    const to = byUrl.get(url);
    if (to === undefined || mayWait(to, seen, atMs) || stateOver(to, dueMs, atMs) !== "active") return;
    const idleMs = isNearFault([...seen.faults, ...seen.silences], dueMs, atMs)
      ? 0
      : longestIdle(flights.get(url) ?? [], dueMs, atMs);
    if (idleMs > LATE_MS_MAX)
      wrong.push(`${id} was due at ${seconds(dueMs)} and waited ${seconds(idleMs)} while ${to.id} was idle`);
  };
  for (const [id, some] of arrivals)
    for (const [at, next] of some.entries())
      if (at > 0)
        check(id, some[at - 1]!.endedMs + seen.waitsMs[Math.min(at, seen.waitsMs.length) - 1]!, next);
  for (const call of seen.raised)
    for (const to of call.outcome === "accepted" ? seen.endpoints : [])
      for (const marker of call.markers) {
        const id = deliveryOf.get(`${marker} ${to.id}`);
        if (id !== undefined) check(id, call.doneMs, arrivals.get(id)![0]!);
      }
  return wrong;
}

/** The longest time between the two without an open request. */
function longestIdle(flights: readonly Arrival[], fromMs: number, untilMs: number): number {
  let freeMs = fromMs;
  let longest = 0;
  for (const { atMs, endedMs } of flights) {
    if (atMs > untilMs) break;
    longest = Math.max(longest, atMs - freeMs);
    freeMs = Math.max(freeMs, endedMs);
  }
  return Math.max(longest, untilMs - freeMs);
}

/** The ladder: how often, and when again. */
export function wrongOfAttempts(
  id: string,
  some: readonly Arrival[],
  final: FinalDelivery | undefined,
  seen: Observed,
): string[] {
  const wrong: string[] = [];
  let excess = 0;
  for (let at = 1; at < some.length; at++) {
    const before = some[at - 1]!;
    const next = some[at]!;
    if (mayBeLost(before, seen)) {
      excess += 1;
      continue;
    }
    if (isSuccess(before))
      wrong.push(
        `${id} was sent again at ${seconds(next.atMs)} after ${String(before.answered)} at ${seconds(before.endedMs)}`,
      );
    if (before.endedMs > next.atMs) wrong.push(`${id} was sent twice at a time, at ${seconds(next.atMs)}`);
    const waitMs = seen.waitsMs[Math.min(at - 1 - excess, seen.waitsMs.length - 1)]!;
    if (excess === 0 && !seen.hasJumped && next.atMs - before.endedMs < waitMs - 1)
      wrong.push(
        `attempt ${at + 1} of ${id} came ${next.atMs - before.endedMs} ms after the last, not ${waitMs}`,
      );
  }
  if (some.length - excess > ATTEMPTS_MAX)
    wrong.push(`${id} was sent ${some.length} times, ${excess} of them through faults`);
  if (final !== undefined && final.attemptCount + excess < some.length && !mayBeLost(some.at(-1)!, seen))
    wrong.push(
      `${id} was sent ${some.length} times and counts ${final.attemptCount}, ${excess} through faults`,
    );
  return wrong;
}
