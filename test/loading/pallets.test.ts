/** Pieces that are built onto pallets before anything is loaded. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { OPEN_PARTS } from "../../src/products/loading/request/container-types.ts";
import { storedPlanDetail } from "../../src/products/loading/plan/plan-view.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { storedRequestView } from "../../src/products/loading/request/request-view.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned, read } from "./planned.ts";
import { runs } from "../support/runs.ts";

const CARTON: SentCargo = {
  id: "carton",
  length_mm: 400,
  width_mm: 300,
  height_mm: 250,
  weight_kg: 12,
  count: 96,
  palletised: true,
};
const EUR = { type: "EUR", height_mm_max: 1_800 };

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan;
}

const extent = (max: number) =>
  fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max }) }, fc.constantFrom(1, max / 2, max));

const line = fc.record({
  length_mm: extent(400),
  width_mm: extent(300),
  height_mm: extent(300),
  weight_kg: fc.integer({ min: 0, max: 60_000 }).map((grams) => grams / 1_000),
  count: fc.integer({ min: 1, max: 40 }),
  stackable: fc.boolean(),
  max_load_kg: fc.option(fc.integer({ min: 0, max: 300 }), { freq: 2 }),
  layers_max: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 1 }),
  stop: fc.integer({ min: 1, max: 3 }),
  upright: fc.uniqueArray(fc.constantFrom("length", "width", "height" as const), { minLength: 1 }),
  turnable: fc.boolean(),
  palletised: fc.boolean(),
});

/** The same line as a drum, now and then. */
const cylinder = fc.tuple(line, extent(300), fc.boolean()).map(([one, diameter_mm, lying]) => {
  const { length_mm: _, width_mm: __, upright: ___, ...rest } = one;
  return { ...rest, shape: "cylinder" as const, diameter_mm, lying };
});

const pallet = fc
  .record({
    length_mm: fc.integer({ min: 50, max: 500 }),
    width_mm: fc.integer({ min: 50, max: 400 }),
    height_mm: fc.integer({ min: 1, max: 60 }),
    tare_kg: fc.integer({ min: 0, max: 30 }),
    max_load_kg: fc.integer({ min: 0, max: 500 }),
    above: fc.option(fc.integer({ min: 1, max: 600 })),
    overhang_mm: fc.constantFrom(0, 0, 10, 60),
    stackable: fc.boolean(),
  })
  .map(({ above, ...own }) => ({
    ...own,
    type: "own",
    height_mm_max: above === null ? null : own.height_mm + above,
  }));

const container = fc.record({
  length_mm: fc.integer({ min: 300, max: 1_500 }),
  width_mm: fc.integer({ min: 200, max: 800 }),
  height_mm: fc.integer({ min: 200, max: 800 }),
  max_payload_kg: fc.integer({ min: 0, max: 2_000 }),
  count: fc.option(fc.integer({ min: 1, max: 3 })),
  open: fc.subarray([...OPEN_PARTS]),
});

const request: fc.Arbitrary<SentRequest> = fc.record({
  cargo: fc
    .array(fc.oneof({ weight: 2, arbitrary: line }, { weight: 1, arbitrary: cylinder }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((all) => all.map((one, at) => ({ ...one, palletised: one.palletised || at === 0 }))),
  pallet,
  containers: fc
    .array(container, { minLength: 1, maxLength: 2 })
    .map((all) => all.map((one, at) => ({ ...one, type: `own ${at}` }))),
});

test("in every plan with pallets, each is built and loaded as it may be, and everything adds up", () => {
  fc.assert(
    fc.property(request, (sent) => {
      assert.deepEqual(errorsOfPlan(planned(sent, 20_000)), []);
    }),
    { numRuns: runs(300), seed: 16 },
  );
});

test("cartons become full euro pallets, which are loaded beside the rest", () => {
  const plan = loaded({
    cargo: [CARTON, { ...PALLET, count: 3 }],
    containers: [{ type: "20GP" }],
    pallet: EUR,
  });
  assert.deepEqual(plan.left, []);
  // Eight in a layer, and six layers in 1,656 mm.
  assert.deepEqual(
    plan.pallet_builds.map(({ count, pieces, height_mm: height, weight_kg: kg }) => [
      count,
      pieces,
      height,
      kg,
    ]),
    [[2, 48, 1_644, 601]],
  );
  const [only] = plan.containers;
  assert.equal(only!.pieces, 99);
  assert.deepEqual(
    only!.pallets.map(({ number }) => number),
    [1, 2],
  );
  assert.equal(only!.weight_kg, 96 * 12 + 2 * 25 + 3 * 400);
  assert.equal(plan.summary.pieces_placed, 99);
});

test("without a height, pallets are as high as the highest door", () => {
  const { pallet_builds: builds } = loaded({
    cargo: [{ ...CARTON, count: 64 }],
    containers: [{ type: "20GP" }],
    pallet: { type: "EUR" },
  });
  assert.deepEqual(
    builds.map(({ height_mm: height }) => height),
    [144 + 8 * 250],
  );
});

test("one stop to a pallet", () => {
  const { pallet_builds: builds } = loaded({
    cargo: [
      { ...CARTON, count: 4 },
      { ...CARTON, id: "later", count: 4, stop: 2 },
    ],
    pallet: EUR,
  });
  assert.deepEqual(
    builds.map(({ pieces }) => pieces),
    [4, 4],
  );
});

test("a pallet carries no more than its most, and its pieces bear no more than theirs", () => {
  const light = loaded({ cargo: [CARTON], pallet: { ...EUR, max_load_kg: 240 } });
  assert.ok(light.pallet_builds.every(({ weight_kg: kg }) => kg <= 240 + 25));
  const weak = loaded({ cargo: [{ ...CARTON, max_load_kg: 24 }], pallet: EUR });
  assert.ok(weak.pallet_builds.every(({ height_mm: height }) => height <= 144 + 3 * 250));
  const layered = loaded({ cargo: [{ ...CARTON, layers_max: 2 }], pallet: EUR });
  assert.ok(layered.pallet_builds.every(({ height_mm: height }) => height <= 144 + 2 * 250));
});

test("pieces stand out beyond the deck as far as the request allows", () => {
  const wide = { ...CARTON, length_mm: 1_240, width_mm: 840, count: 2 };
  const [build] = loaded({ cargo: [wide], pallet: { ...EUR, overhang_mm: 20 } }).pallet_builds;
  assert.deepEqual(
    [build!.length_mm, build!.width_mm, build!.deck.x_mm, build!.deck.y_mm],
    [1_240, 840, 20, 20],
  );
  const { left } = loaded({ cargo: [wide], pallet: { ...EUR, overhang_mm: 19 } });
  assert.deepEqual(left, [{ cargo: "carton", count: 2, reason: "too_large_for_pallet" }]);
});

test("a built pallet bears another only where the request says so, and as far as its pieces do", () => {
  const cargo = [{ ...CARTON, count: 64 }];
  const low = { type: "EUR", height_mm_max: 1_200 };
  const stands = (plan: ReturnType<typeof planned>) =>
    plan.containers.flatMap(({ pallets }) => pallets.map(({ z_mm: z }) => z)).toSorted((a, b) => a - b);
  const narrow = [{ type: "20GP", length_mm: 1_300, width_mm: 900 }];
  assert.deepEqual(stands(loaded({ cargo, containers: narrow, pallet: low })), [0, 0]);
  const stacked = { ...low, stackable: true };
  assert.deepEqual(stands(loaded({ cargo, containers: narrow, pallet: stacked })), [0, 1_144]);
  const weak = [{ ...CARTON, count: 64, max_load_kg: 100 }];
  assert.deepEqual(stands(loaded({ cargo: weak, containers: narrow, pallet: stacked })), [0, 0]);
});

test("drums stand on pallets in layers, and volumes count the drums and not the blocks around them", () => {
  const drum: SentCargo = {
    ...{ id: "drum", shape: "cylinder", diameter_mm: 400, height_mm: 700, weight_kg: 60, count: 12 },
    palletised: true,
  };
  const plan = loaded({ cargo: [drum], containers: [{ type: "20GP" }], pallet: EUR });
  const [build] = plan.pallet_builds;
  assert.deepEqual([build!.count, build!.pieces, build!.height_mm], [1, 12, 144 + 2 * 700]);
  const { placements } = plan.containers[0]!;
  assert.ok(placements.every((one) => one.cylinder_axis === "height" && one.pallet === 1));
  const m3 = 12 * Math.PI * 0.2 ** 2 * 0.7 + 1.2 * 0.8 * 0.144;
  assert.equal(plan.summary.volume_m3, Number(m3.toFixed(3)));
});

test("nothing stands on a pallet of drums, and a roll on a turned pallet has a turned axis", () => {
  const drum = { id: "drum", shape: "cylinder", diameter_mm: 400, height_mm: 700, weight_kg: 20 } as const;
  const narrow = [{ type: "20GP", length_mm: 1_300, width_mm: 900, count: 1 }];
  const low = { type: "EUR", height_mm_max: 900, stackable: true };
  const drums = loaded({
    cargo: [{ ...drum, count: 12, palletised: true }],
    containers: narrow,
    pallet: low,
  });
  assert.deepEqual([drums.containers[0]!.pallets.length, drums.summary.pieces_left], [1, 6]);
  const roll: SentCargo = { ...drum, id: "roll", height_mm: 1_100, lying: true, count: 2, palletised: true };
  const across = [{ ...narrow[0]!, length_mm: 900, width_mm: 1_300 }];
  const { pallet_builds: builds, containers } = loaded({ cargo: [roll], containers: across, pallet: low });
  const axes = (of: readonly { readonly cylinder_axis?: string }[]) => of.map((one) => one.cylinder_axis);
  assert.deepEqual(axes(builds[0]!.placements), ["length", "length"]);
  assert.deepEqual(axes(containers[0]!.placements), ["width", "width"]);
  assert.ok(containers[0]!.pallets[0]!.turned);
});

test("pieces that no pallet takes are left behind for that reason, and pallets for the containers' reason", () => {
  const heavy = { ...CARTON, id: "heavy", weight_kg: 1_600, count: 1 };
  const large = { ...CARTON, id: "large", length_mm: 1_201, count: 2 };
  const tall = { ...CARTON, id: "tall", height_mm: 2_200, count: 1 };
  const plan = loaded({
    cargo: [heavy, large, tall, { ...CARTON, count: 4 }],
    containers: [{ type: "20GP", count: 1 }],
    pallet: { type: "EUR", height_mm_max: 2_500 },
  });
  assert.deepEqual(plan.left, [
    { cargo: "heavy", count: 1, reason: "too_heavy_for_pallet" },
    { cargo: "large", count: 2, reason: "too_large_for_pallet" },
    { cargo: "tall", count: 1, reason: "door_too_small" },
  ]);
});

describe("a pallet is named as the trade knows it", () => {
  for (const [written, code, extents] of [
    ["epal", "EUR", [1_200, 800, 144]],
    ["EUR 1", "EUR", [1_200, 800, 144]],
    ["industrial", "EUR2", [1_200, 1_000, 162]],
    ["EPAL-3", "EUR3", [1_200, 1_000, 144]],
    ["gma", "GMA", [1_220, 1_016, 166]],
  ] as const) {
    test(`${written} is ${code}`, () => {
      const { pallet: found } = read({ cargo: [CARTON], pallet: { type: written } });
      assert.equal(found!.code, code);
      assert.deepEqual([found!.lengthMm, found!.widthMm, found!.heightMm], extents);
    });
  }
});

const REFUSED: readonly (readonly [what: string, sent: SentRequest, message: string])[] = [
  [
    "palletised pieces without a pallet",
    { cargo: [PALLET, CARTON] },
    'body.cargo[1].palletised needs a pallet; give the request one, such as {"type":"EUR"}, or leave palletised out',
  ],
  [
    "a pallet without palletised pieces",
    { cargo: [PALLET], pallet: EUR },
    "body.pallet is of no use, since no line of cargo is palletised; mark its lines, or leave it out",
  ],
  [
    "an unknown type",
    { cargo: [CARTON], pallet: { type: "mine" } },
    "body.pallet.type must be one of EUR, EUR2, EUR3, GMA, or your own name for a pallet with length_mm, width_mm, height_mm, tare_kg, max_load_kg",
  ],
  [
    "a pallet of one's own without all measures",
    { cargo: [CARTON], pallet: { type: "mine", length_mm: 1_100, width_mm: 1_100, height_mm: 140 } },
    "body.pallet lacks tare_kg, max_load_kg: mine is none of EUR, EUR2, EUR3, GMA, so it needs all measures",
  ],
  [
    "a height below the deck",
    { cargo: [CARTON], pallet: { type: "EUR", height_mm_max: 144 } },
    "body.pallet.height_mm_max must be more than the 144 mm of the empty pallet, which it includes",
  ],
];

describe("a request is refused with what to change", () => {
  for (const [what, sent, message] of REFUSED) {
    test(what, () => assert.deepEqual(readLoadRequest(sent), { kind: "invalid", message }));
  }
});

test("a plan that was stored before there were pallets reads as one without", () => {
  const plan = planned({ cargo: [PALLET], containers: [{ type: "20GP" }] });
  const { pallet: _, ...stored } = plan.request;
  const cargo = stored.cargo.map(({ palletised: _none, ...one }) => one);
  const before = { ...stored, cargo } as typeof plan.request;
  assert.deepEqual(storedRequestView(before), plan.request);
  const containers = plan.containers.map(({ pallets: _none, ...one }) => one);
  assert.deepEqual(storedPlanDetail(plan.request, { containers, left: plan.left }), {
    ...{ pallet_builds: [], containers: plan.containers, left: [] },
  });
});
