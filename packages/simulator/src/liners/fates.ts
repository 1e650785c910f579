/** What befalls voyages and calls beside delays: blankings, some called off again, omissions, new numbers, silences. */
import type { CallStatus } from "../../../../src/products/schedules/calls/call-statement.ts";
import { minutes, type Draws } from "../world/chance.ts";
import { type CallTimes } from "../harbour/voyages.ts";
import { DAY_MS } from "../world/durations.ts";
import type { LinerService } from "./services.ts";

export type Fate = {
  /**
   * A status code; `gone`: in no answer any more, without a word; `absent`: left out of answers for a while, though
   * it is made; `renumbered`: its voyage has another number.
   */
  readonly what: CallStatus | "gone" | "absent" | "renumbered";
  readonly fromMs: number;
  readonly untilMs: number;
};

type Planned = { readonly planned: CallTimes };

/** By call. */
export function fatesOf(
  draws: Draws,
  service: LinerService,
  calls: readonly Planned[],
): readonly (readonly Fate[])[] {
  const fates: Fate[][] = calls.map((call) => ownFates(draws, call));
  const kind = draws.fraction();
  const what = whatOf(kind);
  if (what === null) return fates;
  const { turnsAt } = service;
  const turn = turnsAt ?? calls.length;
  const reach = turnsAt === null ? 0 : draws.whole(0, 3);
  const [first, behind] = [
    [0, calls.length],
    [0, turn],
    [0, turn + 1],
    [turn, calls.length],
  ][reach] as [number, number];
  const { arrivalMs } = (calls[first] as Planned).planned;
  const fromMs = arrivalMs - minutes(draws, 10, 900);
  const stretches = stretchesFrom(draws, fromMs);
  for (const own of fates.slice(first, behind)) own.push(...stretches.map((one) => ({ what, ...one })));
  return fates;
}

function whatOf(kind: number): Fate["what"] | null {
  if (kind < 0.12) return "BLNK";
  if (kind < 0.16) return "SLID";
  if (kind < 0.21) return "gone";
  return kind < 0.25 ? "renumbered" : null;
}

type Stretch = Pick<Fate, "fromMs" | "untilMs">;

/** Some of it is taken back, and some of that comes again. */
function stretchesFrom(draws: Draws, fromMs: number): readonly Stretch[] {
  const kind = draws.fraction();
  if (kind < 0.65) return [{ fromMs, untilMs: Number.POSITIVE_INFINITY }];
  const untilMs = fromMs + minutes(draws, 10, 150);
  const first = { fromMs, untilMs };
  if (kind < 0.85) return [first];
  return [first, { fromMs: untilMs + minutes(draws, 10, 100), untilMs: Number.POSITIVE_INFINITY }];
}

function ownFates(draws: Draws, { planned }: Planned): Fate[] {
  const fates: Fate[] = [];
  const knownMs = (): number => planned.arrivalMs - minutes(draws, -10, 700);
  if (draws.is(0.07)) {
    const what = draws.is(0.25) ? "gone" : "OMIT";
    fates.push(...stretchesFrom(draws, knownMs()).map((one) => ({ what, ...one }) as const));
  }
  if (draws.is(0.03)) {
    const fromMs = knownMs();
    fates.push({ what: "absent", fromMs, untilMs: fromMs + minutes(draws, 5, 90) });
  }
  if (draws.is(0.08)) {
    const what = draws.pick(["PHOT", "PHIN", "CUTR", "ROTC"] as const);
    const fromMs = knownMs();
    fates.push({ what, fromMs, untilMs: fromMs + draws.whole(1, 20) * DAY_MS });
  }
  return fates;
}
