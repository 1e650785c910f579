/** Load plans, as a client requests and receives them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { OPEN_PARTS } from "../../src/products/loading/request/container-types.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { requestView } from "../../src/products/loading/request/request-view.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned, read } from "./planned.ts";
import { runs } from "../support/runs.ts";

const edges = fc.uniqueArray(fc.constantFrom("length", "width", "height" as const), { minLength: 1 });

/** Sheets and rods, and now and then the very measures of a container. */
const extent = (max: number) =>
  fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max }) }, fc.constantFrom(1, 2, max, 2 * max));

const line = fc.record({
  name: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 20 })),
  length_mm: extent(900),
  width_mm: extent(600),
  height_mm: extent(500),
  weight_kg: fc.integer({ min: 0, max: 300_000 }).map((grams) => grams / 1_000),
  count: fc.integer({ min: 1, max: 30 }),
  stackable: fc.boolean(),
  max_load_kg: fc.option(fc.integer({ min: 0, max: 900 }), { freq: 2 }),
  layers_max: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 2 }),
  stop: fc.integer({ min: 1, max: 3 }),
  upright: edges,
  turnable: fc.boolean(),
});

/** The same line as a drum, now and then. */
const cylinder = fc.tuple(line, extent(600), fc.boolean()).map(([one, diameter_mm, lying]) => {
  const { length_mm: _, width_mm: __, upright: ___, ...rest } = one;
  return { ...rest, shape: "cylinder" as const, diameter_mm, lying };
});

const offered = fc
  .record({
    length_mm: fc.integer({ min: 300, max: 1_500 }),
    width_mm: fc.integer({ min: 200, max: 800 }),
    height_mm: fc.integer({ min: 200, max: 800 }),
    door_width_mm: fc.integer({ min: 100, max: 900 }),
    door_height_mm: fc.integer({ min: 100, max: 900 }),
    max_payload_kg: fc.integer({ min: 0, max: 2_000 }),
    count: fc.option(fc.integer({ min: 1, max: 3 })),
    max_line_load_kg_m: fc.option(fc.integer({ min: 100, max: 3_000 })),
    open: fc.subarray([...OPEN_PARTS]),
    max_over_height_mm: fc.option(fc.integer({ min: 0, max: 300 })),
    max_over_width_mm: fc.option(fc.integer({ min: 0, max: 200 })),
  })
  .map((own) => ({
    ...own,
    max_over_height_mm: own.open.includes("roof") ? own.max_over_height_mm : null,
    max_over_width_mm: own.open.includes("sides") ? own.max_over_width_mm : null,
    door_width_mm: Math.min(own.width_mm, own.door_width_mm),
    door_height_mm: Math.min(own.height_mm, own.door_height_mm),
  }));

const vehicle = fc
  .record({
    kingpin_mm: fc.option(fc.integer({ min: -300, max: 700 })),
    positions: fc.uniqueArray(fc.integer({ min: -900, max: 900 }), { minLength: 2, maxLength: 2 }),
    kilos: fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 6, maxLength: 6 }),
  })
  .map(({ kingpin_mm, positions, kilos }) => ({
    kingpin_mm,
    axle_groups: [...positions.toSorted((a, b) => a - b), ...(kingpin_mm === null ? [] : [1_000])].map(
      (position_mm, at) => ({ name: `axle ${at}`, position_mm, tare_kg: kilos[at]!, max_kg: kilos[at + 3]! }),
    ),
  }));

const sentRequest: fc.Arbitrary<SentRequest> = fc.record({
  cargo: fc
    .array(fc.oneof({ weight: 2, arbitrary: line }, { weight: 1, arbitrary: cylinder }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((all) => all.map(({ name, ...one }, at) => (name === null ? one : { ...one, id: name + at }))),
  containers: fc
    .array(offered, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one, at) => ({ ...one, type: `own ${at}` }))),
  vehicle: fc.option(vehicle, { nil: null }),
  max_off_centre: fc.option(
    fc.record({ length: fc.double({ min: 0, max: 0.5, noNaN: true }), width: fc.constantFrom(0, 0.02, 0.1) }),
    { nil: null },
  ),
});

test("in every plan, pieces lie inside, apart and supported, within weights and counts, and add up", () => {
  fc.assert(
    fc.property(sentRequest, (sent) => {
      assert.deepEqual(errorsOfPlan(planned(sent, 20_000)), []);
    }),
    { numRuns: runs(600), seed: 16 },
  );
});

test("the same request gives the same plan", () => {
  fc.assert(
    fc.property(sentRequest, (sent) => {
      assert.deepEqual(planned(sent, 20_000).containers, planned(sent, 20_000).containers);
    }),
    { numRuns: 30 },
  );
});

test("pieces of exactly the container's size fill it, where the door lets them in", () => {
  const box = {
    id: "block",
    length_mm: 2_000,
    width_mm: 1_000,
    height_mm: 1_500,
    weight_kg: 1.005,
    count: 2,
  };
  const inside = { length_mm: 2_000, width_mm: 1_000, height_mm: 1_500 };
  const own = { type: "own", ...inside, max_payload_kg: 1.005 };
  const { containers, summary } = planned({ cargo: [box], containers: [own] });
  assert.deepEqual(
    containers.map(({ volume_fill, weight_kg }) => [volume_fill, weight_kg]),
    [
      [1, 1.005],
      [1, 1.005],
    ],
  );
  assert.equal(summary.volume_fill, 1);
  const lower = planned({ cargo: [box], containers: [{ ...own, door_height_mm: 1_499 }] });
  assert.deepEqual(lower.left, [{ cargo: "block", count: 2, reason: "door_too_small" }]);
});

test("a request reads the same when its plan's echo of it is sent again", () => {
  fc.assert(
    fc.property(sentRequest, fc.double({ min: 0, max: 100_000, noNaN: true }), (sent, kg) => {
      const offeredToo = [...sent.containers!, { type: "40HC", max_payload_kg: kg, tare_kg: kg }];
      const told = requestView(read({ ...sent, containers: offeredToo }));
      assert.deepEqual(requestView(read(told)), told);
    }),
  );
});

test("pieces stay behind for the reason that holds", () => {
  const { left, summary } = planned({
    cargo: [
      { ...PALLET, id: "mast", length_mm: 13_000 },
      { ...PALLET, id: "tower", length_mm: 2_000, width_mm: 2_000, height_mm: 2_300 },
      { ...PALLET, id: "press", weight_kg: 29_000 },
      { ...PALLET, count: 60 },
    ],
    containers: [{ type: "20GP", count: 1 }],
  });
  assert.deepEqual(
    left.map(({ cargo, reason }) => [cargo, reason]),
    [
      ["mast", "too_large"],
      // As high as the container is inside, and higher than its door.
      ["tower", "door_too_small"],
      ["press", "too_heavy"],
      ["pallet", "no_room"],
    ],
  );
  assert.deepEqual(summary.left_by_reason, {
    too_large: 1,
    door_too_small: 1,
    too_heavy: 1,
    no_room: summary.left_by_reason.no_room,
  });
  assert.equal(summary.pieces_placed + summary.pieces_left, 63);
});

test("an edge that may not stand upright never does, and a piece that may not be turned lies along the container", () => {
  const { containers } = planned({
    cargo: [{ ...PALLET, upright: ["width"], turnable: false, count: 5 }],
    containers: [{ type: "20GP" }],
  });
  for (const { length_mm, width_mm, height_mm } of containers[0]!.placements) {
    assert.deepEqual([length_mm, width_mm, height_mm], [1_200, 1_000, 800]);
  }
});

test("a weight of three decimals is kept exactly", () => {
  for (const kg of [0.1, 1.005, 310.5, 0.001, 2.675]) {
    assert.equal(read({ cargo: [{ ...PALLET, weight_kg: kg }] }).cargo[0]!.weightG, Math.round(kg * 1_000));
  }
  assert.equal(read({ cargo: [{ ...PALLET, weight_kg: 0.0001 }] }).cargo[0]!.weightG, 1);
});

/** Search steps are counted, so the budget bounds the time of these on any machine. */
const EXTREMES: readonly (readonly [string, SentCargo[]])[] = [
  [
    "very many small pieces",
    [{ ...PALLET, length_mm: 1, width_mm: 1, height_mm: 1, weight_kg: 0, count: 20_000 }],
  ],
  [
    "very thin pieces",
    [{ ...PALLET, length_mm: 11_000, width_mm: 1, height_mm: 1, weight_kg: 0.1, count: 20_000 }],
  ],
  ["pieces that fit nothing", [{ ...PALLET, length_mm: 20_000, count: 20_000 }]],
  [
    "sheets of a millimetre",
    [{ ...PALLET, length_mm: 2_400, width_mm: 1_200, height_mm: 1, weight_kg: 25, count: 2_000 }],
  ],
  [
    "pieces that each fill a container",
    [{ ...PALLET, length_mm: 5_000, width_mm: 2_000, height_mm: 2_000, count: 20_000 }],
  ],
  [
    "a thousand kinds",
    Array.from({ length: 1_000 }, (_, at) => ({
      ...PALLET,
      id: String(at),
      length_mm: 100 + ((at * 7_919) % 1_100),
      width_mm: 100 + ((at * 104_729) % 700),
      height_mm: 50 + ((at * 1_299_709) % 600),
      weight_kg: 10,
      count: 3,
      upright: ["length", "width", "height"],
    })),
  ],
];

for (const [what, cargo] of EXTREMES) {
  test(`${what} are planned within bounds, and add up`, { timeout: 60_000 }, () => {
    const plan = planned({ cargo, containers: [{ type: "20GP" }] }, 1);
    assert.deepEqual(plan.summary.pieces > 10_000 ? [] : errorsOfPlan(plan), []);
    assert.equal(plan.summary.pieces_placed + plan.summary.pieces_left, plan.summary.pieces);
    assert.ok(plan.containers.length <= 500);
    if (what === "a thousand kinds") assert.equal(plan.summary.pieces_left, 0);
  });
}
