/** `sailing_slipped` and `cutoff_approaching`, as docs/schedules.md requires them when a call is checked. */
import { DAY_MS, HOUR_MS } from "../../world/durations.ts";
import { cancellationOf, expectedDeparture, timeOf, type KnownCall } from "./known-call.ts";
import { iso, callName, type TrueEvent } from "./true-event.ts";

/** A call that is not made raises nothing, nor does one that the vessel has left. */
export function isOver(known: KnownCall): boolean {
  return timeOf(known, "departure actual") !== null || cancellationOf(known) !== null;
}

export function callEvents(
  known: KnownCall,
  cutOffHours: readonly number[],
  nowMs: number,
): readonly TrueEvent[] {
  return isOver(known) ? [] : [...slip(known, nowMs), ...cutOffs(known, cutOffHours, nowMs)];
}

function slip(known: KnownCall, nowMs: number): readonly TrueEvent[] {
  const departureMs = expectedDeparture(known);
  if (departureMs === null) return [];
  known.departureMs ??= departureMs;
  const fromMs = known.departureMs;
  if (Math.abs(departureMs - fromMs) < DAY_MS) return [];
  const today = iso(nowMs).slice(0, 10);
  if (known.slippedOn === today) return [];
  known.departureMs = departureMs;
  known.slippedOn = today;
  const about = `${callName(known)} ${iso(fromMs)} to ${iso(departureMs)}`;
  return [{ atMs: nowMs, type: "sailing_slipped", about }];
}

/** From when on something may be done: no deadlines. */
const EARLIEST_CODES: ReadonlySet<string> = new Set(["EFC", "ECP"]);
const CUT_OFF_PREFIX = "cut-off ";

function cutOffs(known: KnownCall, hours: readonly number[], nowMs: number): readonly TrueEvent[] {
  const events: TrueEvent[] = [];
  for (const [name, value] of known.facts) {
    if (!name.startsWith(CUT_OFF_PREFIX) || typeof value !== "number") continue;
    const code = name.slice(CUT_OFF_PREFIX.length);
    if (EARLIEST_CODES.has(code)) continue;
    const leftMs = value - nowMs;
    const come = hours.filter((one) => leftMs <= one * HOUR_MS);
    const nearest = come.length === 0 ? null : Math.min(...come);
    const before = known.cutOffs.get(code);
    known.cutOffs.set(code, { nearest, ms: value });
    if (before === undefined || nearest === null || leftMs <= 0) continue;
    // Once a warning was due, every hour that is taken away is reported.
    if (before.nearest !== null && nearest >= before.nearest && value >= before.ms) continue;
    const left = Math.round((leftMs / HOUR_MS) * 100) / 100;
    const about = `${callName(known)} ${code} ${iso(value)} ${nearest} ${left}`;
    events.push({ atMs: nowMs, type: "cutoff_approaching", about });
  }
  return events;
}
