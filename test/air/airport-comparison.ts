/** One waybill of the simulated airport, compared with its truth. */
import type { Airport } from "../../packages/simulator/src/airport/airport.ts";
import {
  truthOf,
  type TrueEvent,
  type TrueStatusChange,
} from "../../packages/simulator/src/airport/truth.ts";
import { liveAtAirport } from "./airport-life.ts";

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
  const { awb, airline, route } = life.waybill;
  const about = [awb, airline.iata, route[0], route.at(-1)].join(" ");
  const data = lived.data.map((fields) => ABOUT.map((field) => String(fields[field])).join(" "));
  return {
    differences: [
      ...differences(truth.events.map(eventLine), lived.events.map(eventLine)),
      ...differences(truth.statusChanges.map(statusLine), lived.statusChanges.map(statusLine)),
      ...data.filter((line) => line !== about).map((line) => `data: ${line}, not ${about}`),
    ],
    events: truth.events,
  };
}

const ABOUT = ["awb", "airline_iata", "origin", "destination"];

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
