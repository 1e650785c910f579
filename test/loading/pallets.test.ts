/** Pieces that are built onto pallets before anything is loaded. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { storedPlanDetail } from "../../src/products/loading/plan/plan-view.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { storedRequestView } from "../../src/products/loading/request/request-view.ts";
import { loaded, PALLET, planned, read } from "./planned.ts";
import { column } from "../support/columns.ts";

const CARTON: SentCargo = {
  ...{ id: "carton", length_mm: 400, width_mm: 300, height_mm: 250, weight_kg: 12, count: 96 },
  palletised: true,
};
const DRUM: Omit<SentCargo, "count"> = {
  ...{ id: "drum", shape: "cylinder", diameter_mm: 400, height_mm: 700, weight_kg: 20, palletised: true },
};
const EUR = { type: "EUR", height_mm_max: 1_800 };

test("cartons become full euro pallets, which are loaded beside the rest", () => {
  const cargo = [CARTON, { ...PALLET, count: 3 }];
  const plan = loaded({ cargo, containers: [{ type: "20GP" }], pallet: EUR });
  // Eight in a layer, and six layers in 1,656 mm.
  const builds = plan.pallet_builds.map((one) =>
    [one.count, one.pieces, one.height_mm, one.weight_kg].join(" "),
  );
  assert.deepEqual([plan.left, builds], [[], ["2 48 1644 601"]]);
  const [only] = plan.containers;
  assert.deepEqual([only!.pieces, plan.summary.pieces_placed], [99, 99]);
  assert.deepEqual(column(only!.pallets, "number"), [1, 2]);
  assert.equal(only!.weight_kg, 96 * 12 + 2 * 25 + 3 * 400);
});

test("without a height, pallets are as high as the highest door; one stop to a pallet", () => {
  const high = { cargo: [{ ...CARTON, count: 64 }], containers: [{ type: "20GP" }], pallet: { type: "EUR" } };
  assert.deepEqual(
    loaded(high).pallet_builds.map((one) => one.height_mm),
    [144 + 8 * 250],
  );
  const stops = [1, 2].map((stop) => ({ ...CARTON, id: String(stop), count: 4, stop }));
  assert.deepEqual(column(loaded({ cargo: stops, pallet: EUR }).pallet_builds, "pieces"), [4, 4]);
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
  const plan = loaded({ cargo: [{ ...DRUM, count: 12 }], containers: [{ type: "20GP" }], pallet: EUR });
  const [build] = plan.pallet_builds;
  assert.deepEqual([build!.count, build!.pieces, build!.height_mm], [1, 12, 144 + 2 * 700]);
  const { placements } = plan.containers[0]!;
  assert.ok(placements.every((one) => one.cylinder_axis === "height" && one.pallet === 1));
  const m3 = 12 * Math.PI * 0.2 ** 2 * 0.7 + 1.2 * 0.8 * 0.144;
  assert.equal(plan.summary.volume_m3, Number(m3.toFixed(3)));
});

test("nothing stands on a pallet of drums, and a roll on a turned pallet has a turned axis", () => {
  const narrow = [{ type: "20GP", length_mm: 1_300, width_mm: 900, count: 1 }];
  const low = { type: "EUR", height_mm_max: 900, stackable: true };
  const drums = loaded({ cargo: [{ ...DRUM, count: 12 }], containers: narrow, pallet: low });
  assert.deepEqual([drums.containers[0]!.pallets.length, drums.summary.pieces_left], [1, 6]);
  const roll: SentCargo = { ...DRUM, id: "roll", height_mm: 1_100, lying: true, count: 2 };
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

test("a pallet is named as the trade knows it", () => {
  for (const [written, expected] of [
    ["epal", "EUR 1200 800 144"],
    ["EUR 1", "EUR 1200 800 144"],
    ["industrial", "EUR2 1200 1000 162"],
    ["EPAL-3", "EUR3 1200 1000 144"],
    ["gma", "GMA 1220 1016 166"],
  ] as const) {
    const { code, lengthMm, widthMm, heightMm } = read({
      cargo: [CARTON],
      pallet: { type: written },
    }).pallet!;
    assert.equal([code, lengthMm, widthMm, heightMm].join(" "), expected, written);
  }
});

const OWN = { type: "mine", length_mm: 1_100, width_mm: 1_100, height_mm: 140 };

test("a request is refused with what to change", () => {
  for (const [sent, message] of [
    [
      { cargo: [PALLET, CARTON] },
      /^body\.cargo\[1\]\.palletised needs a pallet; give .* or leave palletised out$/,
    ],
    [{ cargo: [PALLET], pallet: EUR }, /^body\.pallet is of no use.*; mark its lines, or leave it out$/],
    [
      { cargo: [CARTON], pallet: { type: "mine" } },
      /^body\.pallet\.type must be one of EUR, EUR2, EUR3, GMA, or/,
    ],
    [{ cargo: [CARTON], pallet: OWN }, /^body\.pallet lacks tare_kg, max_load_kg: mine is none of EUR,/],
    [
      { cargo: [CARTON], pallet: { ...EUR, height_mm_max: 144 } },
      /height_mm_max must be more than the 144 mm/,
    ],
  ] as readonly (readonly [SentRequest, RegExp])[]) {
    const found = readLoadRequest(sent);
    assert.match(found.kind === "invalid" ? found.message : "", message);
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
