/** An event that an airline reports by two sources is once in the timeline, for waybills of the simulated airport. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord } from "../../src/products/air/record/waybill-record.ts";
import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { reportTimes, type Life } from "../../packages/simulator/src/airport/life.ts";
import { localAt } from "../../packages/simulator/src/airport/stations.ts";
import { statementsAt } from "./airport-life.ts";

const HOUR_MS = 3_600_000;
const LIVES = 40;
/** Milestones that ONE Record reports in more detail than Cargo-IMP. */
const CODES: readonly string[] = ["DEP", "ARR", "RCF", "DIS"];

test("an airline that is polled and pushes as well gives each event once", () => {
  const airport = createAirport({ seed: 1, waybills: 1_000, startMs: Date.UTC(2026, 2, 1) });
  const waybills = Array.from({ length: 1_000 }, (_, index) => airport.waybillAt(index));
  const polledAndPushed = waybills
    .filter(({ airline }) => airline.alsoPushes)
    .map((waybill) => airport.lifeOf(waybill))
    .filter((life) => !landsTwiceADay(life))
    .slice(0, LIVES);
  assert.equal(polledAndPushed.length, LIVES);
  for (const life of polledAndPushed) {
    const { waybill } = life;
    assert.deepEqual(timelineOf(life), trueTimelineOf(life), waybill.awb);
  }
});

/** Messages do not tell two flights of a number apart that land on one day with as many pieces. */
function landsTwiceADay({ reports }: Life): boolean {
  const landed = reports
    .filter(({ milestone }) => milestone.code === "ARR")
    .map(({ milestone }) => milestone);
  const days = landed.map(({ station, pieces, atMs }) => `${localAt(station, atMs).slice(0, 10)} ${pieces}`);
  return new Set(days).size < days.length;
}

function trueTimelineOf({ reports }: Life): readonly string[] {
  const actual = reports.filter(({ planned, milestone }) => !planned && CODES.includes(milestone.code));
  const milestones = new Map(actual.map(({ key, milestone }) => [key, milestone] as const));
  return [...milestones.values()]
    .map(({ code, station, atMs, pieces }) => lineOf(code, station, atMs, pieces))
    .toSorted(byText);
}

function timelineOf(life: Life): readonly string[] {
  const moments = reportTimes(life, life.waybill.bookedMs - HOUR_MS);
  const statements = moments.flatMap((atMs, index) =>
    statementsAt(life, atMs, moments[index - 1] ?? Number.NEGATIVE_INFINITY),
  );
  return nextRecord(life.waybill.awb, statements, null, moments.at(-1)!)
    .timeline.filter(({ code, planned }) => planned !== true && CODES.includes(code))
    .map(({ code, station, at, pieces }) => lineOf(code, station, at?.ms ?? null, pieces))
    .toSorted(byText);
}

function lineOf(code: string, station: string | null, ms: number | null, pieces: number | null): string {
  const at = ms === null ? "no time" : new Date(ms).toISOString();
  return `${code} ${station} ${at} of ${pieces}`;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
