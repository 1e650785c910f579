import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Machine } from "../../bench/report/machine.ts";
import { compareRates, type Ratio, type Result } from "../../bench/report/result.ts";
import {
  compareTurns,
  compareWithRecord,
  differences,
  fell,
  FLOOR_BETWEEN_RUNS,
  nextRecord,
  noiseOf,
} from "../../bench/report/watch.ts";

const MACHINE: Machine = {
  cores: 2,
  processor: "A",
  memoryGb: 24,
  platform: "linux x64",
  node: "v26.10.0",
  postgres: "18.4",
  loadBefore: 0,
};

const CALM = [0.99, 0.995, 1, 1, 1, 1.005, 1.01];
const times = (runs: readonly number[], factor: number) => runs.map((run) => run * factor);

function result(figure: string, ratio?: Ratio): Result {
  const { ratio: _, ...absolute } = compareRates(figure, [1], { name: "base", rates: [1] }, 1);
  return ratio === undefined ? absolute : { ...absolute, ratio };
}

function verdictOn(better: Ratio["better"], before: readonly number[], now: readonly number[]) {
  const record = nextRecord({}, "then", MACHINE, [result("figure", { better, runs: before })]);
  return compareWithRecord(record, [result("figure", { better, runs: now })])[0]!;
}

suite("a ratio beside the record", () => {
  test("falls when it is worse by more than the noise, whichever way is worse", () => {
    const floor = FLOOR_BETWEEN_RUNS;
    for (const [better, factor, isFall] of [
      ["more", 1 - floor - 0.01, true],
      ["more", 1 - floor + 0.01, false],
      ["more", 2, false],
      ["less", 1 / (1 - floor - 0.01), true],
      ["less", 1 / (1 - floor + 0.01), false],
      ["less", 0.5, false],
    ] as const)
      assert.equal(verdictOn(better, CALM, times(CALM, factor)).fell, isFall, `${better} ${factor}`);
  });

  test("may fall as far as its runs spread, on either side", () => {
    const wide = [0.8, 0.9, 1, 1, 1, 1.1, 1.2];
    const fallen = times(CALM, 0.88);
    assert.ok(verdictOn("more", CALM, fallen).fell);
    assert.ok(!verdictOn("more", wide, fallen).fell);
    assert.ok(!verdictOn("more", CALM, times(wide, 0.88)).fell);
    assert.ok(verdictOn("more", wide, times(wide, 0.6)).fell);
  });

  test("is compared only where both have it, absolute figures never", () => {
    const ratio: Ratio = { better: "more", runs: CALM };
    const record = nextRecord({}, "then", MACHINE, [result("both", ratio), result("absolute")]);
    assert.deepEqual(Object.keys(record), ["both"]);
    const verdicts = compareWithRecord(record, [result("new", ratio), result("both", ratio)]);
    assert.deepEqual(
      verdicts.map(({ figure }) => figure),
      ["both"],
    );
  });

  test("keeps in the record what was not measured again", () => {
    const old = nextRecord({}, "then", MACHINE, [
      result("first", { better: "more", runs: [1, 1] }),
      result("second", { better: "more", runs: [1, 1] }),
    ]);
    const next = nextRecord(old, "now", MACHINE, [result("second", { better: "more", runs: [2, 2] })]);
    assert.equal(next["first"]!.at, "then");
    assert.deepEqual(next["second"]!.ratio.runs, [2, 2]);
  });

  test("names how the machine of the record differs, and not how busy it was", () => {
    const record = nextRecord({}, "then", MACHINE, [
      result("first", { better: "more", runs: [1, 1] }),
      result("second", { better: "more", runs: [1, 1] }),
    ]);
    const figures = Object.keys(record);
    assert.deepEqual(differences(record, figures, { ...MACHINE, loadBefore: 5 }), []);
    assert.deepEqual(differences(record, figures, { ...MACHINE, cores: 4, node: "v27.0.0" }), [
      "cores 2, now 4",
      "node v26.10.0, now v27.0.0",
    ]);
  });
});

suite("a figure of two sides that took turns", () => {
  test("is compared turn by turn, so that what slows both is no noise", () => {
    const olds = [100, 50, 200, 80, 120];
    const change = compareTurns("figure", "more", olds, times(olds, 0.97));
    assert.deepEqual([change.ratio, change.noise, change.fell], [0.97, 0.02, true]);
    assert.ok(!compareTurns("figure", "less", olds, times(olds, 0.97)).fell);
    assert.ok(!compareTurns("figure", "more", olds, times(olds, 0.985)).fell);
  });
});

suite("the noise of repeats", () => {
  test("one honest comparison in 200 exceeds it", () => {
    // Their squares sum up to 0.06 on either side: 0.12 by 12 degrees of freedom.
    const runs = [0.9, 0.9, 0.9, 1, 1.1, 1.1, 1.1];
    const deviation = 0.1;
    const expected = 3.05 * Math.sqrt(Math.PI / 2) * deviation * Math.sqrt(2 / 7);
    assert.ok(Math.abs(noiseOf([runs, runs], 0) - expected) < 1e-9);
  });

  test("does not depend on the unit, and shrinks as repeats grow", () => {
    const runs = [0.9, 1, 1.1];
    assert.ok(Math.abs(noiseOf([times(runs, 50)], 0) - noiseOf([runs], 0)) < 1e-9);
    assert.ok(noiseOf([[...runs, ...runs, ...runs]], 0) < noiseOf([runs], 0) / 2);
  });

  test("is never below the floor, and unknown where nothing is repeated", () => {
    assert.equal(noiseOf([[1, 1, 1]], 0.02), 0.02);
    assert.equal(noiseOf([[1], [1]], 0.02), Number.POSITIVE_INFINITY);
    assert.ok(!fell(0.01, "more", Number.POSITIVE_INFINITY));
  });
});
