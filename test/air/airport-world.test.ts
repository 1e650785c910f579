/** The simulated airport by itself: that its waybills make sense, and that they are difficult. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readAwb } from "../../src/freight/references/awb.ts";
import { knownAirline } from "../../src/freight/references/awb-prefixes.ts";
import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import type { Milestone } from "../../packages/simulator/src/airport/milestone.ts";
import { journeyOf } from "../../packages/simulator/src/airport/journey.ts";
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
    const happenings = journeyOf(SEED, waybill);
    for (const [leg, from] of waybill.route.slice(0, -1).entries()) {
      const to = waybill.route[leg + 1];
      assert.equal(
        sum(happenings, ({ code, station }) => code === "DEP" && station === from),
        waybill.pieces,
      );
      assert.equal(
        sum(happenings, ({ code, station }) => code === "RCF" && station === to),
        waybill.pieces,
      );
    }
    assert.equal(
      sum(happenings, ({ code }) => code === "DLV" || code === "DDL"),
      waybill.pieces,
    );
    assert.ok(happenings.every(({ atMs, pieces }) => Number.isInteger(atMs / 60_000) && pieces > 0));
  }
});

function sum(happenings: readonly Milestone[], which: (happening: Milestone) => boolean): number {
  return happenings.filter(which).reduce((total, { pieces }) => total + pieces, 0);
}

/** In how many of the thousand waybills each comes about, at least. */
const DIFFICULTIES: Readonly<Record<string, readonly [number, (sayings: readonly Report[]) => boolean]>> = {
  "several departures from one station": [300, (said) => timesOf(said, ["DEP"]) > 1],
  "pieces left behind": [120, (said) => said.some(({ milestone }) => milestone.discrepancy === "OFLD")],
  "pieces missed and found": [60, (said) => said.some(({ milestone }) => milestone.discrepancy === "FDCA")],
  "another carrier on the way": [80, (said) => timesOf(said, ["RCT"]) > 0],
  "deliveries in parts": [300, (said) => timesOf(said, ["DLV", "DDL"]) > 1],
  "deliveries of both kinds": [15, (said) => timesOf(said, ["DLV"]) > 0 && timesOf(said, ["DDL"]) > 0],
  "more or fewer pieces than were booked": [80, booksOtherwise],
  "something said again": [150, isSaidAgain],
  "a time put right": [200, isPutRight],
  "something said after what came later": [150, isOutOfOrder],
  "something told that is to come": [250, (said) => said.some(({ planned }) => planned)],
};

for (const [what, [least, is]] of Object.entries(DIFFICULTIES)) {
  test(`in at least ${least} of a thousand waybills there is: ${what}`, () => {
    const found = LIVES.filter(({ reports }) => is(reports)).length;
    assert.ok(found >= least, `${found}`);
  });
}

function timesOf(sayings: readonly Report[], codes: readonly string[]): number {
  const happened = sayings.filter(({ planned, milestone }) => !planned && codes.includes(milestone.code));
  return Math.max(
    0,
    ...Map.groupBy(happened, ({ milestone }) => milestone.station)
      .values()
      .map((there) => new Set(there.map(({ key }) => key)).size),
  );
}

function booksOtherwise(sayings: readonly Report[]): boolean {
  return new Set(sayings.map(({ milestone }) => milestone.totalPieces)).size > 1;
}

/** For each happening, the times that are told of it. */
function timesTold(sayings: readonly Report[]): readonly (readonly number[])[] {
  const same = Map.groupBy(sayings, ({ key }) => key).values();
  return [...same.map((those) => those.map(({ milestone }) => milestone.atMs))];
}

function isSaidAgain(sayings: readonly Report[]): boolean {
  return timesTold(sayings).some((times) => new Set(times).size < times.length);
}

function isPutRight(sayings: readonly Report[]): boolean {
  return timesTold(sayings).some((times) => new Set(times).size > 1);
}

function isOutOfOrder(sayings: readonly Report[]): boolean {
  const told = sayings.filter(({ planned, milestone }) => !planned && milestone.code !== "BKD");
  return told.some(
    ({ milestone }, index) => (told[index + 1]?.milestone.knownMs ?? Infinity) < milestone.knownMs,
  );
}
