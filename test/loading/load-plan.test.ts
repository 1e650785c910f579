/** Load plans, as a client requests and receives them: what holds of all, and which containers a planner expects. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { order } from "../../bench/packing/orders.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { requestView } from "../../src/products/loading/request/request-view.ts";
import { forAll, runs } from "../support/runs.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { loaded, PALLET, planned, read, STEPS } from "./planned.ts";
import { OPEN_PARTS } from "../../src/products/loading/request/container-types.ts";

/** Sheets and rods, and now and then the very measures of a container. */
const extent = (max: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max }) },
    fc.constantFrom(1, 2, max / 2, max, 2 * max),
  );
const within = (min: number, max: number) => fc.integer({ min, max });

const line = (most: readonly [length: number, width: number, height: number, kg: number]) =>
  fc.record({
    name: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 20 })),
    length_mm: extent(most[0]),
    width_mm: extent(most[1]),
    height_mm: extent(most[2]),
    weight_kg: within(0, most[3] * 1_000).map((grams) => grams / 1_000),
    count: within(1, 35),
    stackable: fc.boolean(),
    max_load_kg: fc.option(within(0, 3 * most[3]), { freq: 2 }),
    layers_max: fc.option(within(1, 5), { freq: 2 }),
    stop: within(1, 3),
    upright: fc.uniqueArray(fc.constantFrom("length", "width", "height" as const), { minLength: 1 }),
    turnable: fc.boolean(),
    palletised: fc.boolean(),
  });

/** The same lines as drums, now and then. */
const cylinder = (most: Parameters<typeof line>[0]) =>
  fc.tuple(line(most), extent(most[1]), fc.boolean()).map(([one, diameter_mm, lying]) => {
    const { length_mm: _, width_mm: __, upright: ___, ...rest } = one;
    return { ...rest, shape: "cylinder" as const, diameter_mm, lying };
  });

const offered = fc
  .record({
    length_mm: within(300, 1_500),
    width_mm: within(200, 800),
    height_mm: within(200, 800),
    door_width_mm: within(100, 900),
    door_height_mm: within(100, 900),
    max_payload_kg: within(0, 2_000),
    count: fc.option(within(1, 3)),
    max_line_load_kg_m: fc.option(within(100, 3_000)),
    open: fc.subarray([...OPEN_PARTS]),
    max_over_height_mm: fc.option(within(0, 300)),
    max_over_width_mm: fc.option(within(0, 200)),
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
    kingpin_mm: fc.option(within(-300, 700)),
    positions: fc.uniqueArray(within(-900, 900), { minLength: 2, maxLength: 2 }),
    kilos: fc.array(within(0, 4_000), { minLength: 6, maxLength: 6 }),
  })
  .map(({ kingpin_mm, positions, kilos }) => ({
    kingpin_mm,
    axle_groups: [...positions.toSorted((a, b) => a - b), ...(kingpin_mm === null ? [] : [1_000])].map(
      (position_mm, at) => ({ name: `axle ${at}`, position_mm, tare_kg: kilos[at]!, max_kg: kilos[at + 3]! }),
    ),
  }));

const offCentre = fc.record({
  length: fc.double({ min: 0, max: 0.5, noNaN: true }),
  width: fc.constantFrom(0, 0.02, 0.1),
});

const pallet = fc
  .record({
    length_mm: within(50, 500),
    width_mm: within(50, 400),
    height_mm: within(1, 60),
    tare_kg: within(0, 30),
    max_load_kg: within(0, 500),
    above: fc.option(within(1, 600)),
    overhang_mm: fc.constantFrom(0, 0, 10, 60),
    stackable: fc.boolean(),
  })
  .map(({ above, ...own }) => ({
    ...{ ...own, type: "own", height_mm_max: above === null ? null : own.height_mm + above },
  }));

function requestsOf(most: Parameters<typeof line>[0], onPallets: boolean): fc.Arbitrary<SentRequest> {
  const lines = fc.array(
    fc.oneof({ weight: 2, arbitrary: line(most) }, { weight: 1, arbitrary: cylinder(most) }),
    { minLength: 1, maxLength: 6 },
  );
  const named = lines.map((all) =>
    all.map(({ name, ...one }, at) => ({
      ...{ ...one, palletised: onPallets && (one.palletised || at === 0) },
      ...(name === null ? {} : { id: name + at }),
    })),
  );
  return fc.record({
    cargo: named,
    containers: fc
      .array(offered, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one, at) => ({ ...one, type: `own ${at}` }))),
    vehicle: fc.option(vehicle, { nil: null }),
    max_off_centre: fc.option(offCentre, { nil: null }),
    pallet: onPallets ? pallet : fc.constant(null),
  });
}

const loose = requestsOf([900, 600, 500, 300], false);
const palletised = requestsOf([400, 300, 300, 60], true);

for (const [what, requests, count] of [
  ["pieces lie inside, apart and supported, within weights and counts, and add up", loose, 450],
  ["each pallet is built and loaded as it may be, and everything adds up", palletised, 250],
] as const) {
  test(`in every plan, ${what}`, () => {
    const holds = (sent: SentRequest) => assert.deepEqual(errorsOfPlan(planned(sent, 20_000)), []);
    forAll({ numRuns: runs(count), seed: 16 }, requests, holds);
  });
}

test("the same request gives the same plan", () => {
  const twice = (sent: SentRequest) =>
    assert.deepEqual(planned(sent, 20_000).containers, planned(sent, 20_000).containers);
  forAll(15, loose, twice);
});

test("a request reads the same when its plan's echo of it is sent again", () =>
  forAll(100, loose, fc.double({ min: 0, max: 100_000, noNaN: true }), (sent, kg) => {
    const offeredToo = [...sent.containers!, { type: "40HC", max_payload_kg: kg, tare_kg: kg }];
    const told = requestView(read({ ...sent, containers: offeredToo }));
    assert.deepEqual(requestView(read(told)), told);
  }));

test("pieces of exactly the container's size fill it, where the door lets them in", () => {
  const inside = { length_mm: 2_000, width_mm: 1_000, height_mm: 1_500 };
  const cargo = [{ id: "block", ...inside, weight_kg: 1.005, count: 2 }];
  const own = { type: "own", ...inside, max_payload_kg: 1.005 };
  const { containers, summary } = planned({ cargo, containers: [own] });
  const filled = containers.map(({ volume_fill, weight_kg: kg }) => `${volume_fill} ${kg}`);
  assert.deepEqual([filled, summary.volume_fill], [["1 1.005", "1 1.005"], 1]);
  const lower = planned({ cargo, containers: [{ ...own, door_height_mm: 1_499 }] });
  assert.deepEqual(lower.left, [{ cargo: "block", count: 2, reason: "door_too_small" }]);
});

test("pieces stay behind for the reason that holds", () => {
  const cargo = [
    { ...PALLET, id: "mast", length_mm: 13_000 },
    // As high as the container is inside, and higher than its door.
    { ...PALLET, id: "tower", length_mm: 2_000, width_mm: 2_000, height_mm: 2_300 },
    { ...PALLET, id: "press", weight_kg: 29_000 },
    // As heavy as the container may be loaded, twice.
    { ...PALLET, id: "anvil", weight_kg: 28_180, count: 2 },
    { ...PALLET, count: 60 },
  ];
  const { left, summary } = planned({ cargo, containers: [{ type: "20GP", count: 1 }] });
  const reasons = [
    "mast too_large",
    "tower door_too_small",
    "press too_heavy",
    "anvil no_room",
    "pallet no_room",
  ];
  assert.deepEqual(
    left.map(({ cargo: id, reason }) => `${id} ${reason}`),
    reasons,
  );
  const { no_room } = summary.left_by_reason;
  assert.deepEqual(summary.left_by_reason, { too_large: 1, door_too_small: 1, too_heavy: 1, no_room });
});

test("a weight of three decimals is kept exactly", () => {
  const gramsOf = (kg: number) => read({ cargo: [{ ...PALLET, weight_kg: kg }] }).cargo[0]!.weightG;
  assert.deepEqual(
    [0.1, 1.005, 310.5, 2.675, 0.001, 0.0001].map(gramsOf),
    [100, 1_005, 310_500, 2_675, 1, 1],
  );
});

const many = (count: number, length_mm: number, width_mm: number, height_mm: number, weight_kg: number) => [
  { ...PALLET, length_mm, width_mm, height_mm, weight_kg, count },
];

for (const [what, cargo, left] of [
  ["very many small pieces", many(20_000, 1, 1, 1, 0), 0],
  ["very thin pieces", many(20_000, 5_500, 1, 1, 0.1), 0],
  ["pieces that fit nothing", many(20_000, 20_000, 800, 1_000, 400), 20_000],
  ["sheets of a millimetre", many(500, 2_400, 1_200, 1, 25), 0],
  ["pieces that each fill a container", many(20_000, 5_000, 2_000, 2_000, 400), 19_500],
  [
    "hundreds of kinds",
    Array.from({ length: 300 }, (_, at) => ({
      ...{ ...PALLET, id: String(at), weight_kg: 10, count: 3, upright: ["length", "width", "height"] },
      ...{ length_mm: 100 + ((at * 7_919) % 1_100), width_mm: 100 + ((at * 104_729) % 700) },
      height_mm: 50 + ((at * 1_299_709) % 600),
    })),
    0,
  ],
] as readonly (readonly [what: string, cargo: SentCargo[], left: number])[]) {
  test(`${what} are planned, however few steps there are, and add up`, () => {
    const plan = planned({ cargo, containers: [{ type: "20GP" }] }, 1);
    assert.deepEqual(plan.summary.pieces > 10_000 ? [] : errorsOfPlan(plan), []);
    const { pieces, pieces_placed: placed, pieces_left } = plan.summary;
    assert.deepEqual([placed + pieces_left, pieces_left], [pieces, left]);
    assert.ok(plan.containers.length <= 500);
  });
}

const typesOf = (sent: SentRequest) =>
  loaded(sent)
    .summary.containers.map(({ type, count }) => `${count} ${type}`)
    .join(", ");

const STEEL = {
  ...PALLET,
  id: "steel",
  length_mm: 859,
  width_mm: 494,
  height_mm: 1_069,
  weight_kg: 1_889,
  count: 37,
};
const BEAM = {
  ...PALLET,
  id: "beam",
  length_mm: 10_457,
  width_mm: 1_077,
  height_mm: 175,
  weight_kg: 2_606,
  count: 11,
};
const FOAM = {
  ...PALLET,
  id: "foam",
  length_mm: 1_199,
  width_mm: 1_165,
  height_mm: 1_200,
  weight_kg: 5,
  count: 60,
};
const PLATE = { ...STEEL, length_mm: 2_000, width_mm: 1_000, height_mm: 100, weight_kg: 2_600, count: 20 };
const FORTY = { cargo: [{ ...PALLET, count: 40 }], containers: [{ type: "20GP" }, { type: "40HC" }] };
const PRICED = [
  { type: "20GP", cost: 100 },
  { type: "40HC", cost: 250 },
];

for (const [what, sent, expected] of [
  ["what fits one takes the smallest that it fits", { cargo: [{ ...PALLET, count: 20 }] }, "1 20GP"],
  ["also by its floor", { cargo: [{ ...PALLET, count: 24, stackable: false }] }, "1 40GP"],
  ["without costs the fewest are taken", FORTY, "1 40HC"],
  ["with costs the cheapest are taken", { ...FORTY, containers: PRICED }, "2 20GP"],
  [
    "what is full by weight before it is full goes into smaller ones",
    { cargo: [STEEL, BEAM] },
    "2 40GP, 2 20GP",
  ],
  [
    "heavy cargo is shared out among them, and not left for more of them",
    { cargo: [PLATE, FOAM], containers: [{ type: "40HC", count: 2 }] },
    "2 40HC",
  ],
] as readonly (readonly [what: string, sent: SentRequest, expected: string])[]) {
  test(`of containers, ${what}`, () => assert.equal(typesOf(sent), expected));
}

test("25 euro pallets stand in a usual box of 40 feet, 24 in one of the least length, 11 in 20 feet", () => {
  const mostIn = (type: string) =>
    planned({ cargo: [{ ...PALLET, count: 60, stackable: false }], containers: [{ type }] }).containers[0]!
      .pieces;
  assert.deepEqual(["40GP", "40HC", "40GP-ISO", "20GP", "20GP-ISO"].map(mostIn), [25, 25, 24, 11, 11]);
});

test("nothing is left that another container offered would take", () => {
  const rod = { ...PALLET, id: "rod", length_mm: 41, width_mm: 1, height_mm: 1, weight_kg: 0, count: 10 };
  const sheet = { ...rod, id: "sheet", length_mm: 296, width_mm: 34, weight_kg: 0.048, count: 21 };
  const cargo = [rod, sheet].map((one) => ({ ...one, stackable: false }));
  const inside = { length_mm: 300, width_mm: 200, height_mm: 200 };
  const containers = [
    { type: "weak", ...inside, max_payload_kg: 0 },
    { type: "strong", ...inside, max_payload_kg: 1, count: 1 },
  ];
  for (const steps of [1, 20_000, STEPS])
    assert.deepEqual(errorsOfPlan(planned({ cargo, containers }, steps)), []);
});

test("a few pieces left over take no second container where another arrangement has room for them", () => {
  for (const number of [8, 17, 33]) {
    const { request, fewest } = order(number);
    const plan = planned(request, 10_000_000);
    assert.deepEqual([plan.summary.container_count, plan.left], [fewest, []], `order ${number}`);
  }
});

test("weight fills a container before volume does", () => {
  const { containers } = planned({
    cargo: [{ ...PALLET, weight_kg: 3_000, count: 20 }],
    containers: [{ type: "20GP", max_line_load_kg_m: null }],
    max_off_centre: null,
  });
  const filled = containers.map(({ pieces, weight_kg: kg }) => `${pieces} of ${kg} kg`);
  assert.deepEqual(filled, ["9 of 27000 kg", "9 of 27000 kg", "2 of 6000 kg"]);
});
