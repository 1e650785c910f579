/** What pieces bear, how high they are piled, in which order they are unloaded; drums; and what stands out of open containers. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { roomOf } from "../../src/products/loading/planning/container-filling.ts";
import { fillRoom } from "../../src/products/loading/planning/packing/search.ts";
import { itemsFor } from "../../src/products/loading/request/cargo.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import type { SummarizedPlan } from "./plan-errors.ts";
import { loaded, PALLET, read } from "./planned.ts";

const BOX = { length_mm: 1_000, width_mm: 1_000, height_mm: 1_000 };
const ROOM = { type: "own", length_mm: 2_000, width_mm: 2_000, height_mm: 3_000, max_payload_kg: 9_000 };

const reasonsOf = ({ left }: SummarizedPlan) =>
  left.map(({ cargo, count, reason }) => `${count} ${cargo}: ${reason}`);
/** How high the highest piece of a line lies in the first container. */
const topOf = (cargo: readonly SentCargo[]) => {
  const { placements } = loaded({ cargo: [...cargo], containers: [ROOM] }).containers[0]!;
  return Math.max(...placements.map((one) => (one.cargo === cargo[0]!.id ? one.z_mm : 0)));
};

test("a tonne is not laid on four pieces that bear five kilograms each", () => {
  const weak: SentCargo = { ...BOX, id: "weak", weight_kg: 1, count: 4, max_load_kg: 5 };
  const base = { length_mm: 2_000, width_mm: 2_000, height_mm: 500 };
  const press: SentCargo = { ...base, id: "press", weight_kg: 1_000, count: 1, stackable: false };
  const piecesLeft = (...cargo: SentCargo[]) =>
    loaded({ cargo, containers: [{ ...ROOM, count: 1 }] }).left.length;
  assert.equal(piecesLeft(weak, { ...press, stackable: true }), 0, "it stands below, and bears them");
  assert.equal(piecesLeft(weak, press), 1);
  assert.equal(piecesLeft({ ...weak, max_load_kg: 250 }, press), 0);
});

test("the weight of all that lies above counts, however many layers up, and layers count the piece itself", () => {
  const line: SentCargo = { ...BOX, id: "box", weight_kg: 100, count: 12 };
  assert.equal(topOf([{ ...line, max_load_kg: 150 }]), 1_000);
  assert.equal(topOf([{ ...line, max_load_kg: 200 }]), 2_000);
  assert.equal(topOf([{ ...line, layers_max: 1 }]), 0);
});

test("what is unloaded first stands at the door, and what is unloaded last is loaded first", () => {
  const at = (id: string, stop: number): SentCargo => ({ ...PALLET, id, stop, count: 16 });
  const cargo = [at("first", 1), at("second", 2), at("third", 3)];
  const { containers, left } = loaded({ cargo, containers: [{ type: "40HC" }] });
  assert.deepEqual([containers.length, left], [1, []]);
  const { placements } = containers[0]!;
  const mean = (id: string) => {
    const own = placements.filter((one) => one.cargo === id);
    return own.reduce((sum, one) => sum + one.x_mm, 0) / own.length;
  };
  assert.ok(mean("first") > mean("second") && mean("second") > mean("third"));
  const order = ["third", "second", "first"].flatMap((id) => Array.from({ length: 16 }, () => id));
  assert.deepEqual(
    placements.map((one) => one.cargo),
    order,
  );
});

test("the search of 20,000 pieces with limits takes hardly more steps than it may", () => {
  const cargo = Array.from({ length: 20 }, (_, at) => ({
    id: String(at),
    ...{ length_mm: 80 + at * 3, width_mm: 60 + at, height_mm: 50, weight_kg: 1, count: 1_000 },
    ...{ max_load_kg: 9 + at, layers_max: 12, stop: 1 + (at % 4) },
  }));
  const request = read({ cargo, containers: [{ type: "20GP" }] });
  const items = itemsFor(request.cargo, request.containers[0]!.type).map((one) => ({ ...one, count: 1_000 }));
  for (const stepsMax of [0, 5_000_000]) {
    const budget = { steps: 0 };
    const { volume } = fillRoom(items, roomOf(request.containers[0]!), stepsMax, budget);
    assert.ok(volume > 6e9 && budget.steps < stepsMax + 3_000_000, `${volume} after ${budget.steps} steps`);
  }
});

const DRUM: SentCargo = {
  ...{ id: "drum", shape: "cylinder", diameter_mm: 600, height_mm: 900, weight_kg: 190, count: 8 },
};
const NARROW = { type: "own", length_mm: 1_200, width_mm: 1_200, height_mm: 2_000, max_payload_kg: 9_000 };

test("drums stand in two layers, each on one drum, and fill as much as cylinders fill", () => {
  const { summary, containers, left } = loaded({ cargo: [DRUM], containers: [NARROW] });
  assert.deepEqual([containers.length, left], [1, []]);
  assert.deepEqual(new Set(containers[0]!.placements.map((one) => one.cylinder_axis)), new Set(["height"]));
  const m3 = 8 * Math.PI * 0.3 ** 2 * 0.9;
  assert.equal(summary.volume_m3.toFixed(3), m3.toFixed(3));
  assert.equal(summary.volume_fill, containers[0]!.volume_fill);
  assert.ok(Math.abs(summary.volume_fill - m3 / (1.2 * 1.2 * 2)) < 1e-3);
});

test("staggered rows take more drums than a grid, across and along, in one layer and in two", () => {
  for (const [type, diameter_mm, grid] of [
    ["20GP", 590, 60],
    ["40GP", 590, 120],
    ["40HC", 640, 108],
  ] as const) {
    const drums = { ...DRUM, diameter_mm, weight_kg: 90, count: 300 };
    const { containers } = loaded({ cargo: [drums], containers: [{ type, count: 1 }], max_off_centre: null });
    assert.ok(containers[0]!.pieces > grid, `${containers[0]!.pieces} in ${type}, and ${grid} in a grid`);
    const balanced = loaded({ cargo: [{ ...drums, count: grid + 5 }], containers: [{ type }] });
    assert.equal(balanced.containers.length, 1);
  }
});

test("what drums bear holds for drums above each other; no box stands on drums, and drums stand on boxes", () => {
  const containers = [{ ...NARROW, count: 1 }];
  const weak = loaded({ cargo: [{ ...DRUM, max_load_kg: 100 }], containers });
  assert.deepEqual(reasonsOf(weak), ["4 drum: no_room"]);
  const box = { id: "box", length_mm: 1_200, width_mm: 1_200, height_mm: 1_000, weight_kg: 50, count: 1 };
  const four = { ...DRUM, count: 4 };
  const plan = loaded({ cargo: [four, box], containers });
  const heights = plan.containers[0]!.placements.map(({ cargo, z_mm }) => `${cargo} ${z_mm}`);
  assert.deepEqual([plan.left, heights], [[], ["box 0", ...Array.from({ length: 4 }, () => "drum 1000")]]);
  assert.equal(loaded({ cargo: [four, { ...box, stackable: false }], containers }).left.length, 1);
});

test("a roll lies only where it is allowed to, in one layer with nothing on it, and one as high as wide stands", () => {
  const roll: SentCargo = { ...DRUM, id: "roll", diameter_mm: 500, height_mm: 2_100, count: 3 };
  const containers = [{ ...NARROW, length_mm: 2_200, count: 1 }];
  assert.deepEqual(reasonsOf(loaded({ cargo: [roll], containers })), ["3 roll: too_large"]);
  const plan = loaded({ cargo: [{ ...roll, lying: true }], containers });
  assert.deepEqual(reasonsOf(plan), ["1 roll: no_room"]);
  for (const { cylinder_axis, z_mm, length_mm } of plan.containers[0]!.placements)
    assert.deepEqual([cylinder_axis, z_mm, length_mm], ["length", 0, 2_100]);
  const reel: SentCargo = { ...DRUM, id: "reel", height_mm: 600, lying: true, count: 12 };
  const [reels, ...more] = loaded({ cargo: [reel], containers: [NARROW] }).containers;
  assert.ok(more.length === 0 && reels!.placements.every((one) => one.cylinder_axis === "height"));
});

const TALL: SentCargo = {
  ...{ id: "tall", length_mm: 3_000, width_mm: 2_000, height_mm: 2_900, weight_kg: 8_000, count: 1 },
};
const WIDE: SentCargo = { ...TALL, id: "wide", width_mm: 3_100, length_mm: 4_000, height_mm: 1_500 };
const NOT_OUT = { pieces: 1, over_height_mm: 0, over_width_left_mm: 0, over_width_right_mm: 0 };

test("a piece higher than an open top stands out of its roof, and the plan says how far", () => {
  const { containers, left } = loaded({ cargo: [TALL], containers: [{ type: "40OT" }] });
  assert.deepEqual([left, containers[0]!.out_of_gauge], [[], { ...NOT_OUT, over_height_mm: 2_900 - 2_347 }]);
  const roll: SentCargo = { ...DRUM, id: "roll", height_mm: 3_000, count: 1 };
  const [top] = loaded({ cargo: [roll, { ...PALLET, count: 2 }], containers: [{ type: "20OT" }] }).containers;
  const { cylinder_axis: axis, height_mm: height } = top!.placements.find(({ cargo }) => cargo === "roll")!;
  assert.deepEqual([axis, height, top!.out_of_gauge!.over_height_mm], ["height", 3_000, 653]);
});

test("a piece wider than a flat rack stands out of both sides as far, and nothing is beside it", () => {
  const cargo = [WIDE, { ...PALLET, count: 6, stackable: false }];
  const { containers } = loaded({ cargo, containers: [{ type: "40FR" }] });
  assert.equal(containers.length, 1);
  const wide = containers[0]!.placements.find((one) => one.cargo === "wide")!;
  assert.deepEqual([wide.y_mm, wide.width_mm], [-(3_100 - 2_126) / 2, 3_100]);
  const out = { ...NOT_OUT, over_width_left_mm: 487, over_width_right_mm: 487 };
  assert.deepEqual(containers[0]!.out_of_gauge, out);
});

for (const [what, cargo, containers, left] of [
  ["an open top has side walls", WIDE, [{ type: "40OT" }], ["1 wide: too_large"]],
  ["cargo stands out as far as the request allows", WIDE, [{ type: "20PL", max_over_width_mm: 331 }], []],
  ["and no further", WIDE, [{ type: "20PL", max_over_width_mm: 330 }], ["1 wide: too_large"]],
  ["an open one may be described as closed", TALL, [{ type: "40OT", open: [] }], ["1 tall: too_large"]],
  [
    "a piece that fits inside and not through the door is refused for the door",
    { ...TALL, height_mm: 2_380 },
    [{ type: "20GP" }, { type: "40GP" }],
    ["1 tall: door_too_small"],
  ],
] as const) {
  test(`of open containers, ${what}`, () => {
    const sent = { cargo: [cargo], containers } as unknown as SentRequest;
    assert.deepEqual(reasonsOf(loaded(sent)), left);
  });
}

test("what fits a closed container takes it, though a flat rack is offered; a closed one may be described as open", () => {
  const cargo = [{ ...TALL, height_mm: 2_500 }];
  const { summary } = loaded({ cargo, containers: [{ type: "40FR" }, { type: "40HC" }] });
  assert.deepEqual(summary.containers, [{ type: "40HC", count: 1 }]);
  const own = { type: "40HC", open: ["roof" as const] };
  const { containers } = loaded({ cargo: [{ ...TALL, height_mm: 3_000 }], containers: [own] });
  assert.equal(containers[0]!.out_of_gauge!.over_height_mm, 302);
});

test("a limit for what stands out is refused where nothing can", () => {
  for (const [container, message] of [
    [{ type: "40HC", max_over_height_mm: 100 }, /max_over_height_mm needs "roof" in its open/],
    [{ type: "40OT", max_over_width_mm: 100 }, /max_over_width_mm needs "sides" in its open/],
  ] as const) {
    const found = readLoadRequest({ cargo: [TALL], containers: [container] });
    assert.match(found.kind === "invalid" ? found.message : "", message);
  }
});
