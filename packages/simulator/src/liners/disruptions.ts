/** What befalls voyages and calls beside delays: blankings, some called off again, omissions, new numbers, silences. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { type CallTimes } from "../harbour/voyages.ts";
import { DAY_MS } from "../world/durations.ts";
import type { LinerService } from "./services.ts";

/** Of DCSA's port call status codes, those that a carrier here gives a call. */
export type CallStatus = "BLNK" | "SLID" | "OMIT" | "PHOT" | "PHIN" | "CUTR" | "ROTC" | "ADHO";

export type Disruption = {
  /**
   * A status code; `gone`: in no answer any more, without a word; `absent`: left out of answers for a while, though
   * it is made; `renumbered`: its voyage has another number.
   */
  readonly kind: CallStatus | "gone" | "absent" | "renumbered";
  readonly fromMs: number;
  readonly untilMs: number;
};

type Planned = { readonly planned: CallTimes };

/** By call. */
export function disruptionsOf(
  draws: SeededRandom,
  service: LinerService,
  calls: readonly Planned[],
): readonly (readonly Disruption[])[] {
  const fates: Disruption[][] = calls.map((call) => callDisruptions(draws, call));
  const kind = draws.fraction();
  const what = kindOf(kind);
  if (what === null) return fates;
  const { turnsAt } = service;
  const turn = turnsAt ?? calls.length;
  const reach = turnsAt === null ? 0 : draws.integer(0, 3);
  const [first, behind] = [
    [0, calls.length],
    [0, turn],
    [0, turn + 1],
    [turn, calls.length],
  ][reach] as [number, number];
  const { arrivalMs } = (calls[first] as Planned).planned;
  const fromMs = arrivalMs - randomDurationMs(draws, 10, 900);
  const stretches = periodsFrom(draws, fromMs);
  for (const own of fates.slice(first, behind)) own.push(...stretches.map((one) => ({ kind: what, ...one })));
  return fates;
}

function kindOf(kind: number): Disruption["kind"] | null {
  if (kind < 0.12) return "BLNK";
  if (kind < 0.16) return "SLID";
  if (kind < 0.21) return "gone";
  return kind < 0.25 ? "renumbered" : null;
}

type Period = Pick<Disruption, "fromMs" | "untilMs">;

/** Some of it is taken back, and some of that comes again. */
function periodsFrom(draws: SeededRandom, fromMs: number): readonly Period[] {
  const kind = draws.fraction();
  if (kind < 0.65) return [{ fromMs, untilMs: Number.POSITIVE_INFINITY }];
  const untilMs = fromMs + randomDurationMs(draws, 10, 150);
  const first = { fromMs, untilMs };
  if (kind < 0.85) return [first];
  return [first, { fromMs: untilMs + randomDurationMs(draws, 10, 100), untilMs: Number.POSITIVE_INFINITY }];
}

function callDisruptions(draws: SeededRandom, { planned }: Planned): Disruption[] {
  const fates: Disruption[] = [];
  const knownMs = (): number => planned.arrivalMs - randomDurationMs(draws, -10, 700);
  if (draws.chance(0.07)) {
    const what = draws.chance(0.25) ? "gone" : "OMIT";
    fates.push(...periodsFrom(draws, knownMs()).map((one) => ({ kind: what, ...one }) as const));
  }
  if (draws.chance(0.03)) {
    const fromMs = knownMs();
    fates.push({ kind: "absent", fromMs, untilMs: fromMs + randomDurationMs(draws, 5, 90) });
  }
  if (draws.chance(0.08)) {
    const what = draws.pick(["PHOT", "PHIN", "CUTR", "ROTC"] as const);
    const fromMs = knownMs();
    fates.push({ kind: what, fromMs, untilMs: fromMs + draws.integer(1, 20) * DAY_MS });
  }
  return fates;
}
