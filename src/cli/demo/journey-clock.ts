/**
 * The time of the replayed journeys. Weeks at sea pass without news, so it does not run evenly: every
 * moment at which a carrier has news gets the same share of real time, and the quiet between two of them
 * passes meanwhile. It stands still until it begins.
 */
import type { Recording } from "../../../sim/replay/recording.ts";
import type { Clock } from "../../runtime/clock.ts";

export type JourneyClock = {
  /** Milliseconds since the journeys began, by their own time. */
  nowMs(): number;
  /** Lets the journeys begin; all of them together, each with its own first day. */
  begin(): void;
  isOver(): boolean;
};

/** News that comes within an hour is one moment. */
const MOMENT_MS = 3_600_000;

/** A moment that is shorter than a few looks of the service would pass unseen. */
const STEP_MS_MIN = 200;
const STEP_MS_MAX = 700;

/** The journeys' `passMs` is how long they should take, in real milliseconds, if their moments let them. */
export function journeyClock(recordings: readonly Recording[], passMs: number, clock: Clock): JourneyClock {
  const moments = momentsOf(recordings);
  const stepMs = Math.max(STEP_MS_MIN, Math.min(STEP_MS_MAX, passMs / moments.length));
  let begunMs: number | null = null;
  const step = () => (begunMs === null ? 0 : (clock.monotonicMs() - begunMs) / stepMs);

  return {
    nowMs() {
      const at = Math.floor(step());
      const from = moments[at];
      const to = moments[at + 1];
      if (from === undefined || to === undefined) return moments.at(-1)! + MOMENT_MS;
      return from + (to - from) * (step() - at);
    },
    begin() {
      begunMs = clock.monotonicMs();
    },
    isOver: () => step() > moments.length,
  };
}

/** When there is news, in milliseconds from the beginning; at least two. */
function momentsOf(recordings: readonly Recording[]): readonly number[] {
  const times = recordings
    .flatMap(({ events, firstMs }) => events.map(({ appearsMs }) => appearsMs - firstMs))
    .toSorted((one, other) => one - other);
  const moments = [0];
  for (const time of times) if (time - moments.at(-1)! >= MOMENT_MS) moments.push(time);
  // Whatever came within the last moment is told after it.
  moments.push(moments.at(-1)! + MOMENT_MS);
  return moments;
}
