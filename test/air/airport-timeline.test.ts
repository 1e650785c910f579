/** What an airline tells by two sources stands once in the timeline, over lives of the simulated airport. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord } from "../../src/products/air/record/waybill-record.ts";
import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { reportTimes, type Life } from "../../packages/simulator/src/airport/life.ts";
import { spokenAt } from "./airport-life.ts";

const HOUR_MS = 3_600_000;
const LIVES = 40;
/** Those of which ONE Record tells more than Cargo-IMP does. */
const CODES: readonly string[] = ["DEP", "ARR", "RCF", "DIS"];

test("an airline that is asked and pushes as well is heard once of each happening", () => {
  const airport = createAirport({ seed: 1, waybills: 1_000, startMs: Date.UTC(2026, 2, 1) });
  const waybills = Array.from({ length: 1_000 }, (_, index) => airport.waybillAt(index));
  const told = waybills.filter(({ airline }) => airline.alsoPushes).slice(0, LIVES);
  assert.equal(told.length, LIVES);
  for (const waybill of told) {
    const life = airport.lifeOf(waybill);
    assert.deepEqual(linesTold(life), linesOfHappenings(life), waybill.awb);
  }
});

function linesOfHappenings({ reports }: Life): readonly string[] {
  const made = reports.filter(({ planned, milestone }) => !planned && CODES.includes(milestone.code));
  const happenings = new Map(made.map(({ key, milestone }) => [key, milestone] as const));
  return [...happenings.values()]
    .map(({ code, station, atMs, pieces }) => lineOf(code, station, atMs, pieces))
    .toSorted(byText);
}

function linesTold(life: Life): readonly string[] {
  const moments = reportTimes(life, life.waybill.bookedMs - HOUR_MS);
  const statements = moments.flatMap((atMs, look) =>
    spokenAt(life, atMs, moments[look - 1] ?? Number.NEGATIVE_INFINITY),
  );
  return nextRecord(life.waybill.awb, statements, null)
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
