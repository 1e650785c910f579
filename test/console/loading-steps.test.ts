/** The order in which the console says to load a container. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { loadingOf, type Box } from "../../packages/console/src/freight/loading/steps.ts";
import { gaugeOf, markOf, sentenceOf } from "../../packages/console/src/freight/loading/words.ts";
import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { PALLET, planned } from "../loading/planned.ts";
import { callsIn } from "../support/calls.ts";

const line = fc.record({
  length_mm: fc.integer({ min: 200, max: 2_400 }),
  // Wider than a flat rack: it stands out of both sides, and begins left of it.
  width_mm: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 200, max: 1_600 }) }, fc.constant(2_300)),
  height_mm: fc.integer({ min: 150, max: 1_400 }),
  weight_kg: fc.integer({ min: 1, max: 300 }),
  count: fc.integer({ min: 1, max: 40 }),
  stackable: fc.boolean(),
  turnable: fc.boolean(),
});

const request: fc.Arbitrary<SentRequest> = fc.record({
  cargo: fc.array(line, { minLength: 1, maxLength: 8 }),
  containers: fc.constantFrom([{ type: "20GP" }], [{ type: "40HC" }], [{ type: "20FR" }]),
});

const meet = (at: number, extent: number, other: number, otherExtent: number) =>
  Math.min(at + extent, other + otherExtent) - Math.max(at, other) > 0;
const meetAbove = (one: Box, other: Box) =>
  meet(one.x, one.dx, other.x, other.dx) && meet(one.y, one.dy, other.y, other.dy);

test("each piece once, none before what it lies on, and none behind what already stands there", () => {
  fc.assert(
    fc.property(request, (sent) => {
      const plan = planned(sent, 5_000);
      for (const { placements } of plan.containers) {
        const { pieces, steps } = loadingOf(placements, plan.request.cargo);
        const told = (all: readonly (Box & { line: number })[]) =>
          all.map((one) => [one.line, one.x, one.y, one.z, one.dx, one.dy, one.dz].join()).toSorted();
        const sentOrder = plan.request.cargo.map(({ id }) => id);
        const placed = placements.map((one) => ({
          line: sentOrder.indexOf(one.cargo),
          ...{ x: one.x_mm, y: one.y_mm, z: one.z_mm },
          ...{ dx: one.length_mm, dy: one.width_mm, dz: one.height_mm },
        }));
        assert.deepEqual(told(pieces), told(placed));
        for (const [at, piece] of pieces.entries())
          for (const earlier of pieces.slice(0, at)) {
            assert.ok(
              !(earlier.z >= piece.z + piece.dz && meetAbove(earlier, piece)),
              "it is set under another",
            );
            const isInTheWay =
              earlier.x >= piece.x + piece.dx &&
              meet(earlier.y, earlier.dy, piece.y, piece.dy) &&
              meet(earlier.z, earlier.dz, piece.z, piece.dz);
            assert.ok(!isInTheWay, "another stands between it and the door");
          }
        let next = 0;
        for (const { from, to, deep, wide, high } of steps) {
          assert.deepEqual([from, to - from], [next, deep * wide * high]);
          next = to;
        }
        assert.equal(next, pieces.length);
      }
    }),
    { numRuns: 25 },
  );
});

test("a step says what is placed where", () => {
  const plan = planned({ name: "n", cargo: [{ ...PALLET, count: 14 }], containers: [{ type: "20GP" }] });
  const [container] = plan.containers;
  const { steps } = loadingOf(container!.placements, plan.request.cargo);
  const said = steps.map((step) => sentenceOf(step, plan.request.cargo, container!));
  assert.match(
    said[0]!,
    /^Place \d+ of A \(\u2068pallet\u2069\) against the front wall, (at the left wall|at the right wall|from wall to wall), on the floor: \d+ deep, \d+ wide, \d+ high\.$/,
  );
  assert.ok(steps.length < 8, `${steps.length} steps for one kind of pallet`);
  assert.deepEqual([0, 25, 26, 701, 702].map(markOf), ["A", "Z", "AA", "ZZ", "AAA"]);
});

test("what stands out of a flat rack is said, and where it is placed", () => {
  const machine = { id: "press", length_mm: 3_000, width_mm: 2_600, height_mm: 2_600, weight_kg: 5_000 };
  const [rack] = planned({ cargo: [{ ...machine, count: 1 }], containers: [{ type: "40FR" }] }).containers;
  const { steps } = loadingOf(rack!.placements, [{ id: "press" }]);
  assert.equal(steps.length, 1);
  assert.match(
    sentenceOf(steps[0]!, [{ id: "press" }], rack!),
    /behind the front wall, in the middle and beyond both sides, on the floor\.$/,
  );
  const far = "557 mm above the top, 237 mm beyond the left side, 237 mm beyond the right side";
  assert.equal(gaugeOf(rack!), `One piece stands out: ${far}.`);
  const gauge = { pieces: 2, over_height_mm: 40, over_width_left_mm: 0, over_width_right_mm: 0 };
  assert.equal(gaugeOf({ out_of_gauge: gauge }), "2 pieces stand out: 40 mm above the top.");
  assert.equal(gaugeOf({ out_of_gauge: null }), null);
});

test("pieces of which no two alike lie together are ordered without comparing each with each", () => {
  const side = 16;
  const placements = Array.from({ length: side ** 3 }, (_, at) => {
    const [x, y, z] = [Math.floor(at / side ** 2), Math.floor(at / side) % side, at % side];
    return {
      cargo: (x + y + z) % 2 === 0 ? "even" : "odd",
      ...{ x_mm: x * 80, y_mm: y * 80, z_mm: z * 80, length_mm: 80, width_mm: 80, height_mm: 80 },
    };
  });
  const calls = callsIn("packages/console/src/freight/loading/steps.ts", () => {
    const { steps } = loadingOf(placements.toReversed(), [{ id: "even" }, { id: "odd" }]);
    assert.equal(steps.length, placements.length);
  });
  assert.ok(calls > 0 && calls < placements.length * 5_000, `${calls} calls`);
});

test("of cylinders in staggered rows, none is placed behind one that stands in its way", () => {
  for (const diameter_mm of [590, 480]) {
    const drum = { shape: "cylinder" as const, diameter_mm, height_mm: 900, weight_kg: 90, count: 90 };
    const plan = planned({ cargo: [drum], containers: [{ type: "40HC" }] });
    for (const { placements } of plan.containers) {
      const { pieces } = loadingOf(placements, plan.request.cargo);
      assert.equal(pieces.length, placements.length);
      for (const [at, piece] of pieces.entries())
        for (const earlier of pieces.slice(0, at)) {
          const isInTheWay =
            earlier.x > piece.x &&
            meet(earlier.y, earlier.dy, piece.y, piece.dy) &&
            meet(earlier.z, earlier.dz, piece.z, piece.dz);
          assert.ok(!isInTheWay, `${at}: another stands between it and the door`);
        }
    }
  }
});

test("a pallet is loaded in one step, with its deck and all that stands on it, beside loose cargo", () => {
  const carton = { id: "carton", length_mm: 400, width_mm: 300, height_mm: 250, weight_kg: 12, count: 120 };
  const plan = planned({
    cargo: [
      { ...carton, palletised: true },
      { ...PALLET, count: 4 },
    ],
    containers: [{ type: "20GP" }],
    pallet: { type: "EUR", height_mm_max: 1_800 },
  });
  const [container] = plan.containers;
  const lines = plan.request.cargo;
  const { pieces, steps } = loadingOf(container!.placements, lines, container!.pallets);
  const onPallets = steps.filter(({ pallet }) => pallet !== undefined);
  assert.deepEqual(
    onPallets.map(({ pallet }) => pallet!.number).toSorted((a, b) => a - b),
    [1, 2, 3],
  );
  for (const { pallet, parts, from, to } of onPallets) {
    const own = container!.placements.filter((one) => one.pallet === pallet!.number);
    assert.deepEqual([parts.length, to - from], [own.length + 1, own.length + 1]);
    assert.deepEqual(
      parts.map(({ line: of, z }) => [of, z === 0]),
      [[-1, true], ...own.map(() => [0, false])],
    );
    assert.deepEqual(pieces.slice(from, to), parts);
  }
  assert.equal(pieces.length, 120 + 4 + 3);
  assert.match(
    sentenceOf(onPallets[0]!, lines, container!),
    /^Place pallet \d \(build \d\) .*, on the floor(, its length across)?\.$/,
  );
});

test("drums on pallets are round, in the steps that build a pallet and in the one that loads it", () => {
  const drum = { id: "drum", shape: "cylinder" as const, diameter_mm: 400, height_mm: 700, weight_kg: 60 };
  const plan = planned({
    cargo: [{ ...drum, count: 12, palletised: true }],
    containers: [{ type: "20GP" }],
    pallet: { type: "EUR", height_mm_max: 1_800 },
  });
  const [container] = plan.containers;
  const lines = plan.request.cargo;
  const [step, ...others] = loadingOf(container!.placements, lines, container!.pallets).steps;
  assert.deepEqual(others, []);
  assert.deepEqual(
    step!.parts.map(({ axis }) => axis),
    [undefined, ...Array.from({ length: 12 }, () => "height")],
  );
  const built = loadingOf(plan.pallet_builds[0]!.placements, lines).steps;
  assert.ok(built.every(({ piece }) => piece.axis === "height"));
});
