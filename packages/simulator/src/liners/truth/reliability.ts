/** `reliability_drop`, as docs/schedules.md calls for it once a UTC day has ended. */
import { DAY_MS } from "../../world/durations.ts";
import { measured, type KnownCall } from "./known-call.ts";
import { iso, type TrueEvent, type TruthOptions } from "./true-event.ts";

export type ReliabilityTracker = {
  /** The drops on a day, by all calls that are known when it ends. */
  dayEnded(day: string, calls: Iterable<KnownCall>, nowMs: number): readonly TrueEvent[];
};

export function createReliabilityTracker({
  windowDays,
  callsMin,
  dropPoints,
}: TruthOptions): ReliabilityTracker {
  /** Percent with one decimal; of the service, since the last drop that was raised. */
  const highest = new Map<string, number>();
  return {
    dayEnded(day, calls, nowMs) {
      const after = iso(Date.parse(day) - windowDays * DAY_MS).slice(0, 10);
      const services = new Map<string, { measured: number; onTime: number }>();
      for (const known of calls) {
        const came = measured(known);
        if (came === null || came.day <= after || came.day > day) continue;
        const name = `${known.carrier.scac} ${known.call.service}`;
        const window = services.get(name) ?? { measured: 0, onTime: 0 };
        window.measured += 1;
        window.onTime += Number(came.onTime);
        services.set(name, window);
      }
      return [...services].flatMap(([name, window]) => {
        if (window.measured < callsMin) return [];
        const percent = Math.round((1_000 * window.onTime) / window.measured) / 10;
        const before = Math.max(highest.get(name) ?? 0, percent);
        const drop = Math.round((before - percent) * 10) / 10;
        highest.set(name, drop >= dropPoints ? percent : before);
        if (drop < dropPoints) return [];
        const about = `${name} ${day} ${percent} after ${before}, ${window.onTime} of ${window.measured}`;
        return [{ atMs: nowMs, type: "reliability_drop", about }];
      });
    },
  };
}
