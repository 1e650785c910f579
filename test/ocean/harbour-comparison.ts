/** One shipment of the simulated harbour, compared with its truth. */
import type { Tariff } from "../../src/products/ocean/demurrage/tariff.ts";
import type { Harbour } from "../../packages/simulator/src/harbour/harbour.ts";
import type { TrueEvent, TrueStatusChange } from "../../packages/simulator/src/harbour/true-event.ts";
import { truthOf } from "../../packages/simulator/src/harbour/truth.ts";
import { classesOf } from "./harbour-classes.ts";
import { brokenBy } from "./harbour-invariants.ts";
import { liveInHarbour } from "./harbour-life.ts";

/** Some days before clocks are put forward in Europe, and before they are in America. */
export const START_MS = Date.UTC(2026, 2, 1);

export const FREE_DAYS = 4;

export type Comparison = {
  /** Lines: what is missing and what is too much. */
  readonly differences: readonly string[];
  readonly events: readonly TrueEvent[];
  /** What it shows (harbour-classes.ts). */
  readonly classes: readonly string[];
};

/** The shipment under an index, tracked from the beginning of the world, its account's alerting armed then. */
export function compareWithTruth(harbour: Harbour, index: number): Comparison {
  const tariffs = tariffsOf(harbour);
  const options = { fromMs: START_MS, armedFromMs: START_MS, freeDays: FREE_DAYS };
  const life = harbour.lifeAt(index);
  const truth = truthOf(life, options);
  const context = { tariffs, armedFromMs: START_MS };
  const lived = liveInHarbour(harbour, harbour.boxAt(index), context, START_MS);
  return {
    differences: [
      ...eventDifferences(truth.events, lived.events),
      ...brokenBy(lived.events, life),
      ...differences(truth.statusChanges.map(lookLine), lived.looks.map(lookLine)),
    ],
    events: truth.events,
    classes: classesOf(life, truth.events, START_MS),
  };
}

/** For each line, the days that `truthOf` receives. */
export function tariffsOf({ lines }: Harbour): readonly Tariff[] {
  return lines.map(({ scac }) => ({
    carrier: scac,
    port: null,
    equipment: null,
    freeDays: FREE_DAYS,
    dischargeDayCounts: false,
    days: "calendar",
    holidays: [],
    rates: [],
    validFrom: "2020-01-01",
    validTo: null,
  }));
}

/** Both lists as lines, and in what they differ. */
export function eventDifferences(
  truth: readonly TrueEvent[],
  lived: readonly TrueEvent[],
): readonly string[] {
  return differences(truth.map(eventLine), lived.map(eventLine));
}

function differences(wanted: readonly string[], had: readonly string[]): readonly string[] {
  return [
    ...without(wanted, had).map((line) => `missing: ${line}`),
    ...without(had, wanted).map((line) => `too much: ${line}`),
  ];
}

/** Each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const rest = new Map<string, number>();
  for (const line of others) rest.set(line, (rest.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = rest.get(line) ?? 0;
    rest.set(line, left - 1);
    return left <= 0;
  });
}

function eventLine({ atMs, equipment, type, about }: TrueEvent): string {
  return `${minute(atMs)} ${equipment} ${type} ${about}`;
}

function lookLine({ atMs, equipment, status }: TrueStatusChange): string {
  return `${minute(atMs)} ${equipment} is ${status}`;
}

/** The moment at which time alone brings something is met within milliseconds. */
function minute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16);
}
