/** Open tops, flat racks and platforms: what stands out of them, and what closed containers refuse. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned } from "./planned.ts";

const TALL: SentCargo = {
  id: "tall",
  length_mm: 3_000,
  width_mm: 2_000,
  height_mm: 2_900,
  weight_kg: 8_000,
  count: 1,
};
const WIDE: SentCargo = { ...TALL, id: "wide", width_mm: 3_100, length_mm: 4_000, height_mm: 1_500 };

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan;
}

test("a piece higher than an open top stands out of its roof, and the plan says how far", () => {
  const { containers, left } = loaded({ cargo: [TALL], containers: [{ type: "40OT" }] });
  assert.deepEqual(left, []);
  assert.deepEqual(containers[0]!.out_of_gauge, {
    pieces: 1,
    over_height_mm: 2_900 - 2_347,
    over_width_left_mm: 0,
    over_width_right_mm: 0,
  });
});

test("a piece wider than a flat rack stands out of both sides as far, and nothing is beside it", () => {
  const { containers } = loaded({
    cargo: [WIDE, { ...PALLET, count: 6, stackable: false }],
    containers: [{ type: "40FR" }],
  });
  assert.equal(containers.length, 1);
  const wide = containers[0]!.placements.find(({ cargo }) => cargo === "wide")!;
  assert.deepEqual([wide.y_mm, wide.width_mm], [-(3_100 - 2_126) / 2, 3_100]);
  assert.deepEqual(containers[0]!.out_of_gauge, {
    pieces: 1,
    over_height_mm: 0,
    over_width_left_mm: 487,
    over_width_right_mm: 487,
  });
});

test("an open top has side walls, and what is too wide for it stays behind", () => {
  const { left } = loaded({ cargo: [WIDE], containers: [{ type: "40OT" }] });
  assert.deepEqual(left, [{ cargo: "wide", count: 1, reason: "too_large" }]);
});

test("cargo stands out no further than the request allows", () => {
  const containers = (most: number) => [{ type: "20PL", max_over_width_mm: most }];
  assert.equal(loaded({ cargo: [WIDE], containers: containers(331) }).left.length, 0);
  assert.equal(loaded({ cargo: [WIDE], containers: containers(330) }).left[0]!.reason, "too_large");
});

test("what fits a closed container takes it, though a flat rack is offered as well", () => {
  const containers = [{ type: "40FR" }, { type: "40HC" }];
  const upright = { ...TALL, height_mm: 2_500 };
  const plan = loaded({ cargo: [upright], containers });
  assert.deepEqual(plan.summary.containers, [{ type: "40HC", count: 1 }]);
});

test("a piece that fits inside and not through the door is refused for the door", () => {
  const { left } = loaded({
    cargo: [{ ...TALL, height_mm: 2_380 }],
    containers: [{ type: "20GP" }, { type: "40GP" }],
  });
  assert.deepEqual(left, [{ cargo: "tall", count: 1, reason: "door_too_small" }]);
});

test("a limit for what stands out is refused where nothing can", () => {
  const cargo = [TALL];
  for (const [container, message] of [
    [
      { type: "40HC", max_over_height_mm: 100 },
      'body.containers[0].max_over_height_mm needs "roof" in its open, since nothing stands out of a closed container',
    ],
    [
      { type: "40OT", max_over_width_mm: 100 },
      'body.containers[0].max_over_width_mm needs "sides" in its open, since nothing stands out of a closed container',
    ],
  ] as const) {
    assert.deepEqual(readLoadRequest({ cargo, containers: [container] }), { kind: "invalid", message });
  }
});

test("a closed container may be described as open, and an open one as closed", () => {
  const own = { type: "40HC", open: ["roof" as const] };
  assert.equal(
    loaded({ cargo: [{ ...TALL, height_mm: 3_000 }], containers: [own] }).containers[0]!.out_of_gauge!
      .over_height_mm,
    302,
  );
  const closed = { type: "40OT", open: [] };
  assert.equal(loaded({ cargo: [TALL], containers: [closed] }).left.length, 1);
});
