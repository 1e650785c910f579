/** One waybill of the simulated airport, compared with its truth. */
import type { Airport } from "../../packages/simulator/src/airport/airport.ts";
import {
  truthOf,
  type TrueEvent,
  type TrueStatusChange,
} from "../../packages/simulator/src/airport/truth.ts";
import type { TrueEta, TrueFacts } from "../../packages/simulator/src/airport/truth-facts.ts";
import { liveAtAirport, type LivedRecord } from "./airport-life.ts";

export type Comparison = {
  /** Lines: what is missing and what is too much. */
  readonly differences: readonly string[];
  readonly events: readonly TrueEvent[];
};

/** @param fromMs - when the waybill under the index begins to be tracked. */
export function compareWithTruth(airport: Airport, index: number, fromMs: number): Comparison {
  const life = airport.lifeOf(airport.waybillAt(index));
  const truth = truthOf(life, fromMs);
  const lived = liveAtAirport(life, fromMs);
  const { awb, airline, origin, destination } = life.waybill;
  const about = [awb, airline.iata, origin, destination].join(" ");
  const data = lived.data.map((fields) => ABOUT.map((field) => String(fields[field])).join(" "));
  return {
    differences: [
      ...differences(truth.events.map(eventLine), lived.events.map(eventLine)),
      ...differences(truth.statusChanges.map(statusLine), lived.statusChanges.map(statusLine)),
      ...factDifferences(truth.facts, lived.records),
      ...data.filter((line) => line !== about).map((line) => `data: ${line}, not ${about}`),
    ],
    events: truth.events,
  };
}

const ABOUT = ["awb", "airline_iata", "origin", "destination"];

/** Those of the first moment at which the record is wrong. */
function factDifferences(facts: readonly TrueFacts[], records: readonly LivedRecord[]): readonly string[] {
  const byMs = new Map(facts.map((true_) => [true_.atMs, true_]));
  for (const { atMs, record } of records) {
    const known = byMs.get(atMs);
    if (known === undefined) return [`${minute(atMs)} has a record too much`];
    const { pieces, weightKg, flightNumber, eta } = record;
    const lines = [
      ...(pieces === known.pieces ? [] : [`pieces ${pieces}, not ${known.pieces}`]),
      ...(isNear(weightKg, known.weightKg) ? [] : [`weight ${weightKg}, not ${known.weightKg}`]),
      ...missing(flightNumber, known.flightNumbers, "flight"),
      ...missing(eta === null ? null : etaLine(eta.at.ms, eta.actual), known.etas.map(lineOfEta), "ETA"),
    ];
    if (lines.length > 0) return lines.map((line) => `${minute(atMs)} ${line}`);
  }
  return [];
}

/** Whole pounds say a little more or less. */
const WEIGHT_APART_KG_MAX = 0.25;

function isNear(a: number | null, b: number | null): boolean {
  return a === b || (a !== null && b !== null && Math.abs(a - b) <= WEIGHT_APART_KG_MAX);
}

function missing(found: string | null, right: readonly string[], what: string): readonly string[] {
  const isRight = found === null ? right.length === 0 : right.includes(found);
  return isRight ? [] : [`${what} ${found}, not ${right.join(" or ")}`];
}

function lineOfEta({ ms, isActual }: TrueEta): string {
  return etaLine(ms, isActual);
}

function etaLine(ms: number, isActual: boolean): string {
  return `${minute(ms)} ${isActual ? "actual" : "estimated"}`;
}

function differences(expected: readonly string[], actual: readonly string[]): readonly string[] {
  return [
    ...without(expected, actual).map((line) => `missing: ${line}`),
    ...without(actual, expected).map((line) => `too much: ${line}`),
  ];
}

/** Each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const rest = Map.groupBy(others, (line) => line);
  return lines.filter((line) => rest.get(line)?.pop() === undefined);
}

function eventLine({ atMs, type, happenedMs }: TrueEvent): string {
  return `${minute(atMs)} ${type} of ${happenedMs === null ? "no time" : minute(happenedMs)}`;
}

function statusLine({ atMs, status }: TrueStatusChange): string {
  return `${minute(atMs)} is ${status ?? "not accepted"}`;
}

function minute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16);
}
