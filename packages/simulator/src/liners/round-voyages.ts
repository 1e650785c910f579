/**
 * Rounds of a service: one begins every week, with a ship that calls at its ports in turn. What becomes of each call is
 * drawn here; reporting.ts says when a feed reports it.
 */
import { imoCheckDigit } from "../world/check-digits.ts";
import { seededRandom, randomDurationMs, mix, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import type { CallTimes, Shift } from "../harbour/voyages.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { disruptionsOf, type Disruption } from "./disruptions.ts";
import { cutOffsOf, type SimulatedCutOff } from "./cut-offs.ts";
import { LINER_SERVICES, type LinerService, type LinerServiceCode } from "./services.ts";

export const WEEK_MS = 7 * DAY_MS;

/** Rounds are counted from this long before the world begins; none takes longer. */
const BEFORE_START_MS = 12 * WEEK_MS;
/** Numbers of voyages begin with it, so that those of rounds before are numbers too. */
const FIRST_NUMBER = 20;

export type Vessel = { readonly imo: string | null; readonly name: string; readonly isDummy: boolean };

export type LinerCall = {
  /** No other call of the world has it. */
  readonly id: number;
  readonly service: LinerServiceCode;
  readonly roundVoyage: number;
  readonly port: PlaceCode;
  readonly planned: CallTimes;
  /** As it will be, if it is made. */
  readonly actual: CallTimes;
  readonly isMade: boolean;
  readonly arrivalShifts: readonly Shift[];
  readonly departureShifts: readonly Shift[];
  /** From then on its carrier states a new plan, and no estimates; null: never. */
  readonly replannedMs: number | null;
  readonly voyage: { readonly import: string; readonly export: string };
  /** What befalls it or its voyage, in the order of becoming known. */
  readonly disruptions: readonly Disruption[];
  /** From when on it is in the schedule. */
  readonly listedMs: number;
  readonly cutOffs: readonly SimulatedCutOff[];
  /** Which vessel it is, from then on; the first from ever. */
  readonly vessels: readonly { readonly fromMs: number; readonly vessel: Vessel }[];
};

/** How many rounds have begun at a time. */
export function roundVoyagesUntil(startMs: number, atMs: number): number {
  return Math.max(0, Math.ceil((atMs - beginMsOf(startMs)) / WEEK_MS));
}

function beginMsOf(startMs: number): number {
  return Math.floor((startMs - BEFORE_START_MS) / DAY_MS) * DAY_MS;
}

const CODES = Object.keys(LINER_SERVICES) as readonly LinerServiceCode[];

/** The calls of a round in the order of the rotation. */
export function roundVoyageOf(
  seed: number,
  startMs: number,
  code: LinerServiceCode,
  round: number,
): readonly LinerCall[] {
  const service: LinerService = LINER_SERVICES[code];
  const place = CODES.indexOf(code);
  const draws = seededRandom(seed, "voyage", mix(7_000 + place, round));
  const firstMs = beginMsOf(startMs) + round * WEEK_MS + draws.integer(0, 20) * HOUR_MS;
  const late = lateShare(service, (firstMs - startMs) / WEEK_MS);
  const sailed = sailRotation(draws, service, firstMs, late);
  const fates = disruptionsOf(draws, service, sailed);
  const vessels = vesselsOf(draws, service, round, firstMs);
  const calls = sailed.map((call, index): LinerCall => {
    const own = fates[index] as readonly Disruption[];
    const id = (place * 1_000 + round) * 100 + index;
    const voyage = voyageNumbersOf(service, round, index);
    return {
      id,
      service: code,
      roundVoyage: round,
      ...call,
      isMade: isMade(own, call.actual.arrivalMs),
      replannedMs: draws.chance(0.04) ? call.planned.arrivalMs - randomDurationMs(draws, -10, 500) : null,
      voyage,
      disruptions: own,
      listedMs: Number.NEGATIVE_INFINITY,
      cutOffs: cutOffsOf(draws, call.planned.departureMs),
      vessels,
    };
  });
  return draws.chance(0.12) ? [...calls, extraCall(draws, calls)] : calls;
}

function lateShare({ punctuality }: LinerService, week: number): number {
  const { lateShare: share, worsensInWeek } = punctuality;
  return worsensInWeek !== null && week >= worsensInWeek - 2 ? 0.6 : share;
}

type SailedCall = Pick<LinerCall, "port" | "planned" | "actual" | "arrivalShifts" | "departureShifts">;

function sailRotation(
  draws: SeededRandom,
  { calls }: LinerService,
  firstMs: number,
  late: number,
): readonly SailedCall[] {
  const sailed: SailedCall[] = [];
  const shifts: Shift[] = [];
  let delayMs = 0;
  for (const { port, day, hours } of calls) {
    const arrivalMs = firstMs + day * DAY_MS;
    const planned = { arrivalMs, departureMs: arrivalMs + hours * HOUR_MS };
    const before = sailed.at(-1);
    const fromMs = before?.actual.departureMs ?? arrivalMs - 4 * DAY_MS;
    const byMs = delayAt(draws, late, delayMs, arrivalMs - fromMs);
    if (byMs !== 0) {
      const knownMs = draws.chance(0.3)
        ? fromMs - randomDurationMs(draws, 12, 480)
        : Math.min(fromMs + draws.between(0.1, 0.8) * (arrivalMs - fromMs), arrivalMs);
      shifts.push({ knownMs: Math.floor(knownMs), byMs });
      delayMs += byMs;
    }
    if (draws.chance(0.08)) shifts.push(...revertedShift(draws, arrivalMs));
    const arrivalShifts = shifts.slice();
    const arrivesMs = arrivalMs + delayMs;
    if (draws.chance(0.14)) {
      const creep = creepingDelay(draws, planned.departureMs + delayMs);
      shifts.push(...creep);
      delayMs += creep.reduce((sum, shift) => sum + shift.byMs, 0);
    }
    const actual = { arrivalMs: arrivesMs, departureMs: planned.departureMs + delayMs };
    sailed.push({ port, planned, actual, arrivalShifts, departureShifts: shifts.slice() });
  }
  return swapPorts(draws, sailed);
}

/** Mostly little, at times days, now and then a day to the minute; a ship that is late makes some of it up at sea. */
function delayAt(draws: SeededRandom, late: number, delayMs: number, seaMs: number): number {
  const kind = draws.fraction();
  if (delayMs > 0 && seaMs > 3 * DAY_MS && kind < 0.5)
    return -Math.min(delayMs, Math.floor((seaMs * 0.12) / MINUTE_MS) * MINUTE_MS);
  if (draws.chance(late)) return draws.chance(0.15) ? DAY_MS : randomDurationMs(draws, 20, 110);
  if (kind < 0.6) return 0;
  return kind < 0.85 ? randomDurationMs(draws, -4, 8) : randomDurationMs(draws, 6, 20);
}

/** An estimate that is put off and then taken back. */
function revertedShift(draws: SeededRandom, arrivalMs: number): readonly Shift[] {
  const knownMs = arrivalMs - randomDurationMs(draws, 100, 600);
  const byMs = randomDurationMs(draws, 20, 70);
  return [
    { knownMs, byMs },
    { knownMs: knownMs + randomDurationMs(draws, 3, 60), byMs: -byMs },
  ];
}

/** A departure that is put off again and again by less than a day. */
function creepingDelay(draws: SeededRandom, departureMs: number): readonly Shift[] {
  const firstMs = departureMs - randomDurationMs(draws, 24, 96);
  const stepMs = randomDurationMs(draws, 6, 14);
  return Array.from({ length: draws.integer(2, 6) }, (_, step) => ({
    knownMs: firstMs + step * stepMs,
    byMs: draws.integer(60, 110) * 5 * 60_000,
  }));
}

/** Two ports that follow on each other are called at in the other order. */
function swapPorts(draws: SeededRandom, calls: readonly SailedCall[]): readonly SailedCall[] {
  const first = draws.integer(1, calls.length - 2);
  const [one, other] = [calls[first], calls[first + 1]];
  if (!draws.chance(0.06) || one === undefined || other === undefined) return calls;
  const byMs = other.planned.arrivalMs - one.planned.arrivalMs;
  const knownMs = one.planned.arrivalMs - randomDurationMs(draws, 100, 500);
  const moved = (call: SailedCall, ms: number): SailedCall => ({
    ...call,
    actual: {
      arrivalMs: call.actual.arrivalMs + ms,
      departureMs: call.actual.departureMs + ms,
    },
    arrivalShifts: [...call.arrivalShifts, { knownMs, byMs: ms }],
    departureShifts: [...call.departureShifts, { knownMs, byMs: ms }],
  });
  return calls.map((call) => (call === one ? moved(one, byMs) : call === other ? moved(other, -byMs) : call));
}

function isMade(fates: readonly Disruption[], arrivalMs: number): boolean {
  return !fates.some(
    ({ kind, fromMs, untilMs }) => CANCELLING.has(kind) && fromMs <= arrivalMs && arrivalMs < untilMs,
  );
}

const CANCELLING: ReadonlySet<Disruption["kind"]> = new Set(["BLNK", "SLID", "OMIT", "gone", "with_voyage"]);

function voyageNumbersOf(
  { turnsAt, vessels }: LinerService,
  round: number,
  index: number,
): LinerCall["voyage"] {
  const number = (of: number): string => String(FIRST_NUMBER + of).padStart(3, "0");
  if (turnsAt === null) return { import: `${number(round)}N`, export: `${number(round)}N` };
  const [out, home] = [`${number(round)}W`, `${number(round)}E`];
  const came = index === 0 ? `${number(round - vessels.length)}E` : index <= turnsAt ? out : home;
  return { import: came, export: index < turnsAt ? out : home };
}

function vesselsOf(
  draws: SeededRandom,
  { vessels, code }: LinerService,
  round: number,
  firstMs: number,
): LinerCall["vessels"] {
  const place = round % vessels.length;
  const own = { imo: imoOf(code, place), name: vessels[place] as string, isDummy: false };
  const spare = { imo: imoOf(code, 50 + (round % 3)), name: `${code} RELIEF ${round % 3}`, isDummy: false };
  const dummy = { imo: null, name: `${code}TBN${round}`, isDummy: true };
  const swapMs = firstMs - randomDurationMs(draws, -200, 700);
  const named = draws.chance(0.1)
    ? [
        { fromMs: Number.NEGATIVE_INFINITY, vessel: dummy },
        { fromMs: firstMs - randomDurationMs(draws, 24, 600), vessel: own },
      ]
    : [{ fromMs: Number.NEGATIVE_INFINITY, vessel: own }];
  return draws.chance(0.08) ? [...named, { fromMs: swapMs, vessel: spare }] : named;
}

/** A number whose check digit is right, beyond the numbers of real ships. */
export function imoOf(service: string, ship: number): string {
  const digits = String(100_000 + service.charCodeAt(0) * 1_000 + Number(service.slice(1)) * 100 + ship);
  return `${digits}${imoCheckDigit(digits)}`;
}

/**
 * One that was not in the proforma, at sea between two others; where the voyage does not call anyway, since two calls
 * within days could not be distinguished.
 */
function extraCall(draws: SeededRandom, calls: readonly LinerCall[]): LinerCall {
  const after = draws.pick(calls.slice(0, -1));
  const own = new Set(
    calls.flatMap(({ voyage, port }) => (voyage.export === after.voyage.export ? [port] : [])),
  );
  const others = calls.map(({ port }) => port).filter((port) => !own.has(port));
  const port = others.length === 0 ? "LKCMB" : draws.pick(others);
  const arrivalMs = after.planned.departureMs + randomDurationMs(draws, 20, 30);
  const planned = { arrivalMs, departureMs: arrivalMs + 12 * HOUR_MS };
  const knownMs = arrivalMs - randomDurationMs(draws, 72, 480);
  return {
    ...after,
    id: after.id - (after.id % 100) + 99,
    port,
    planned,
    actual: planned,
    isMade: after.isMade,
    arrivalShifts: [],
    departureShifts: [],
    voyage: { import: after.voyage.export, export: after.voyage.export },
    disruptions: [{ kind: "ADHO", fromMs: knownMs, untilMs: Number.POSITIVE_INFINITY }, ...after.disruptions],
    listedMs: knownMs,
    cutOffs: cutOffsOf(draws, planned.departureMs),
  };
}
