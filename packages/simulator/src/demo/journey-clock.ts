/**
 * The time of the replayed journeys. Weeks at sea pass without news, so it does not run evenly: every
 * moment at which a carrier has news gets the same share of real time, and the quiet until the next
 * passes meanwhile. It stands still until it begins, and waits at each moment until the service has
 * looked, so that on a machine that is slow no change passes between two looks.
 */
import type { Recording } from "../replay/recording.ts";
import type { Clock } from "../world/clock.ts";

export type JourneyClock = {
  /** Milliseconds since the journeys began, by their own time. Being asked counts as being looked at. */
  nowMs(): number;
  /** Lets the journeys begin; all of them together, each with its own first day. */
  begin(): void;
  isOver(): boolean;
};

/** News that comes within an hour is one moment. */
const MOMENT_MS = 3_600_000;

/** How long the journeys take, if their moments let them, and the bounds of one moment's share. */
const JOURNEYS_MS = 18_000;
const STEP_MS_MIN = 150;
const STEP_MS_MAX = 700;

/** How often the carrier asks for the time at each moment, for each journey: twice a request. */
const POLLS_MIN = 3;

/** The part of a moment's share in which the quiet after it passes, so that the next is not reached early. */
const QUIET_END = 0.99;

/** At a `speed` of 2 they pass twice as fast. */
export function journeyClock(recordings: readonly Recording[], speed: number, clock: Clock): JourneyClock {
  const moments = momentsOf(recordings);
  const stepMs = Math.max(STEP_MS_MIN, Math.min(STEP_MS_MAX, JOURNEYS_MS / moments.length)) / speed;
  const looksMin = POLLS_MIN * recordings.length;
  let at = 0;
  let looks = 0;
  /** When the moment at hand began; null before the journeys do. */
  let sinceMs: number | null = null;

  function share(): number {
    if (sinceMs === null) return 0;
    const passed = (clock.monotonicMs() - sinceMs) / stepMs;
    if (passed < 1 || looks < looksMin || at === moments.length) return Math.min(passed, QUIET_END);
    at += 1;
    looks = 0;
    sinceMs = clock.monotonicMs();
    return 0;
  }

  return {
    nowMs() {
      looks += 1;
      const passed = share();
      const from = moments[at] ?? moments.at(-1)! + MOMENT_MS;
      const to = moments[at + 1] ?? from + MOMENT_MS;
      return from + (to - from) * passed;
    },
    begin() {
      sinceMs = clock.monotonicMs();
      looks = 0;
    },
    isOver: () => at === moments.length,
  };
}

/** When there is news, in milliseconds from the beginning of each journey. */
function momentsOf(recordings: readonly Recording[]): readonly number[] {
  const times = recordings
    .flatMap(({ events, firstMs }) => events.map(({ appearsMs }) => appearsMs - firstMs))
    .toSorted((one, other) => one - other);
  const moments = [0];
  for (const time of times) if (time - moments.at(-1)! >= MOMENT_MS) moments.push(time);
  return moments;
}
