/** What befalls voyages and calls beside delays: blankings, some called off again, omissions, new numbers, silences. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { type CallTimes } from "../harbour/voyages.ts";
import { DAY_MS } from "../world/durations.ts";
import type { LinerService } from "./services.ts";

/** The port call status codes of DCSA that these carriers use. */
export type CallStatus = "BLNK" | "SLID" | "OMIT" | "PHOT" | "PHIN" | "CUTR" | "ROTC" | "ADHO";

/** Without a status code. */
export const SILENT_KINDS = ["gone", "absent", "renumbered", "with_voyage", "claimed"] as const;
type SilentKind = (typeof SILENT_KINDS)[number];

export type Disruption = {
  /**
   * A status code; `gone`: in no answer any more, without a word; `absent`: left out of answers for a while, though
   * it is made; `renumbered`: its voyage has another number; `with_voyage`: it is not made, and only another call of
   * its voyage says so; `claimed`: its estimates are stated as actual times.
   */
  readonly kind: CallStatus | SilentKind;
  readonly fromMs: number;
  readonly untilMs: number;
};

type Planned = { readonly planned: CallTimes };

/** Feeds look no further ahead than such a voyage lasts: more of them are disrupted, to show what becomes of them. */
const LONG_DAYS = 50;

/** By call. */
export function disruptionsOf(
  draws: SeededRandom,
  service: LinerService,
  calls: readonly Planned[],
): readonly (readonly Disruption[])[] {
  const fates: Disruption[][] = calls.map((call) => callDisruptions(draws, call));
  const isLong = (service.calls.at(-1)?.day ?? 0) >= LONG_DAYS;
  const what = kindOf(draws.fraction() * (isLong ? 0.6 : 1));
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
  const affected = fates.slice(first, behind);
  const names = what === "BLNK" && draws.chance(0.4) ? draws.integer(0, affected.length - 1) : null;
  for (const [place, own] of affected.entries()) {
    const kind = names === null || names === place ? what : "with_voyage";
    own.push(...stretches.map((one) => ({ kind, ...one })));
  }
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
  if (draws.chance(0.03)) {
    const fromMs = planned.arrivalMs - draws.integer(1, 25) * DAY_MS;
    fates.push({ kind: "claimed", fromMs, untilMs: fromMs + randomDurationMs(draws, 10, 200) });
  }
  return fates;
}
