/**
 * The arrival that a call is measured by: the last expected one while it was still some days away. The first answer
 * after that fixes it, since expectations change only with answers.
 */
import { expectedTime, type Baseline, type CallFacts, type CallRecord } from "./call-record.ts";
import { dayAt } from "./port-time.ts";

/** The baseline once `facts` are known; `before` is null when the call is first seen. */
export function nextBaseline(
  before: Pick<CallRecord, "arrival" | "baseline"> | null,
  facts: Pick<CallFacts, "arrival">,
  noticeMs: number,
  nowMs: number,
): Baseline {
  if (before !== null && before.baseline.kind !== "open") return before.baseline;
  const next = expectedTime(facts.arrival);
  const isNear = next !== null && (facts.arrival.actual !== null || next.ms - nowMs <= noticeMs);
  const promised = before === null ? null : expectedTime(before.arrival);
  if (promised === null) return { kind: isNear ? "none" : "open" };
  return isNear || promised.ms - nowMs <= noticeMs ? { kind: "fixed", at: promised } : { kind: "open" };
}

/**
 * The day of arrival by the port's calendar; on time: within one day of the baseline's. Null: the vessel has not
 * arrived, or there is no baseline.
 */
export function measureArrival({
  arrival,
  baseline,
  port,
}: CallRecord): { readonly on: string; readonly onTime: boolean } | null {
  if (arrival.actual === null || baseline.kind !== "fixed") return null;
  const on = dayAt(port, arrival.actual);
  const days = Temporal.PlainDate.from(dayAt(port, baseline.at)).until(on, { largestUnit: "day" }).days;
  return { on, onTime: Math.abs(days) <= 1 };
}
