/** The simulated airport by itself: that its waybills make sense, and that they are difficult. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readAwb } from "../../src/freight/references/awb.ts";
import { knownAirline } from "../../src/freight/references/awb-prefixes.ts";
import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { isDelivery, type Milestone } from "../../packages/simulator/src/airport/milestone.ts";
import { journeyOf } from "../../packages/simulator/src/airport/journey.ts";
import { localAt } from "../../packages/simulator/src/airport/stations.ts";
import type { Report } from "../../packages/simulator/src/airport/reporting.ts";

const SEED = 1;
const WAYBILLS = 1_000;
const OPTIONS = { seed: SEED, waybills: WAYBILLS, startMs: Date.UTC(2026, 2, 1) };
const WORLD = createAirport(OPTIONS);
const LIVES = Array.from({ length: WAYBILLS }, (_, index) => WORLD.lifeOf(WORLD.waybillAt(index)));

test("the same seed makes the same world, and another seed another", () => {
  const again = createAirport(OPTIONS);
  const other = createAirport({ ...OPTIONS, seed: SEED + 1 });
  for (const index of [0, 7, 999]) {
    assert.deepEqual(again.lifeOf(again.waybillAt(index)), LIVES[index]);
    assert.notDeepEqual(other.lifeOf(other.waybillAt(index)).reports, LIVES[index]!.reports);
  }
});

test("waybills have numbers of their own by which they are found, of no airline that there is", () => {
  assert.equal(new Set(LIVES.map(({ waybill }) => waybill.awb)).size, WAYBILLS);
  for (const { waybill } of LIVES) {
    const read = readAwb(waybill.awb);
    assert.ok(read.kind === "awb", JSON.stringify(read));
    assert.equal(knownAirline(read.prefix), null);
    assert.deepEqual(WORLD.waybillNumbered(waybill.awb), waybill);
  }
  assert.equal(WORLD.waybillNumbered("94199999990"), null);
});

test("every piece flies every leg once and is handed out once", () => {
  for (const { waybill } of LIVES) {
    const milestones = journeyOf(SEED, waybill);
    for (const [leg, from] of waybill.route.slice(0, -1).entries()) {
      const to = waybill.route[leg + 1];
      assert.equal(
        sum(milestones, ({ code, station, isReturned }) => code === "DEP" && station === from && !isReturned),
        waybill.pieces,
      );
      assert.equal(
        sum(milestones, ({ code, station }) => code === "RCF" && station === to),
        waybill.pieces,
      );
    }
    assert.equal(
      sum(milestones, (milestone) => isDelivery(milestone) && !milestone.isBroughtOn),
      waybill.pieces,
    );
    assert.ok(milestones.every(({ atMs, pieces }) => Number.isInteger(atMs / 60_000) && pieces > 0));
  }
});

test("nothing but a day, or a flight's time, is said to be at midnight", () => {
  const timed = LIVES.flatMap(({ reports }) => reports).filter(
    ({ isOfDay, milestone }) =>
      !isOfDay && !["BKD", "PRE", "MAN", "TRM", "DEP", "ARR"].includes(milestone.code),
  );
  const times = timed.map(({ milestone: { station, atMs } }) => localAt(station, atMs).slice(11));
  assert.equal(times.filter((time) => time === "00:00:00").length, 0);
  assert.ok(times.includes("00:01:00"));
});

function sum(milestones: readonly Milestone[], which: (milestone: Milestone) => boolean): number {
  return milestones.filter(which).reduce((total, { pieces }) => total + pieces, 0);
}

/** The least number of the thousand waybills with each. */
const DIFFICULTIES: Readonly<Record<string, readonly [number, (reports: readonly Report[]) => boolean]>> = {
  "several departures from one station": [300, (reports) => timesOf(reports, ["DEP"]) > 1],
  "pieces left behind": [120, (reports) => reports.some(({ milestone }) => milestone.discrepancy === "OFLD")],
  "pieces missed and found": [
    60,
    (reports) => reports.some(({ milestone }) => milestone.discrepancy === "FDCA"),
  ],
  "another carrier on the way": [80, (reports) => timesOf(reports, ["RCT"]) > 0],
  "deliveries in parts": [300, (reports) => timesOf(reports, ["DLV", "DDL"]) > 1],
  "deliveries of both kinds": [
    15,
    (reports) => timesOf(reports, ["DLV"]) > 0 && timesOf(reports, ["DDL"]) > 0,
  ],
  "more or fewer pieces than were booked": [80, booksOtherwise],
  "something reported again": [150, isReportedAgain],
  "a time put right": [200, isPutRight],
  "something reported after a later event": [150, isOutOfOrder],
  "something announced": [250, (reports) => reports.some(({ planned }) => planned)],
};

for (const [what, [least, is]] of Object.entries(DIFFICULTIES)) {
  test(`in at least ${least} of a thousand waybills there is: ${what}`, () => {
    const found = LIVES.filter(({ reports }) => is(reports)).length;
    assert.ok(found >= least, `${found}`);
  });
}

function timesOf(reports: readonly Report[], codes: readonly string[]): number {
  const happened = reports.filter(({ planned, milestone }) => !planned && codes.includes(milestone.code));
  return Math.max(
    0,
    ...Map.groupBy(happened, ({ milestone }) => milestone.station)
      .values()
      .map((there) => new Set(there.map(({ key }) => key)).size),
  );
}

function booksOtherwise(reports: readonly Report[]): boolean {
  return new Set(reports.map(({ milestone }) => milestone.totalPieces)).size > 1;
}

/** For each milestone, the times reported. */
function timesTold(reports: readonly Report[]): readonly (readonly number[])[] {
  const same = Map.groupBy(reports, ({ key }) => key).values();
  return [...same.map((those) => those.map(({ milestone }) => milestone.atMs))];
}

function isReportedAgain(reports: readonly Report[]): boolean {
  return timesTold(reports).some((times) => new Set(times).size < times.length);
}

function isPutRight(reports: readonly Report[]): boolean {
  return timesTold(reports).some((times) => new Set(times).size > 1);
}

function isOutOfOrder(reports: readonly Report[]): boolean {
  const actual = reports.filter(({ planned, milestone }) => !planned && milestone.code !== "BKD");
  return actual.some(
    ({ milestone }, index) => (actual[index + 1]?.milestone.knownMs ?? Infinity) < milestone.knownMs,
  );
}
