/** Where weight stands in a container: its centre of gravity, and what each metre carries. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { orderWithStops } from "../../bench/packing/orders.ts";
import { SEARCH_STEPS_MAX } from "../../src/products/loading/planning/load-plan.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned } from "./planned.ts";

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan.containers;
}

const HEAVY: SentCargo = { ...PALLET, weight_kg: 2_000, count: 12, stackable: false };

test("24 t of pallets do not all stand in the front half: the load is balanced, and no metre carries too much", () => {
  const [container, ...more] = loaded({ cargo: [HEAVY], containers: [{ type: "40GP" }] });
  assert.deepEqual([container!.pieces, more], [12, []]);
  assert.deepEqual(
    container!.limits.map(({ limit, kept }) => [limit, kept]),
    [
      ["off_centre_length", true],
      ["off_centre_width", true],
      ["line_load_kg_m", true],
    ],
  );
  const [front, back] = [0, 6].map((from) =>
    container!.load_per_metre_kg.slice(from, from + 6).reduce((sum, kg) => sum + kg, 0),
  );
  assert.ok(front! < 14_400 && back! < 14_400, `${front} and ${back} kg`);
});

test("a plan that cannot keep a limit says which", () => {
  const coil: SentCargo = { ...PALLET, id: "coil", weight_kg: 12_000, count: 1 };
  const [container] = loaded({ cargo: [coil], containers: [{ type: "40GP" }] });
  assert.deepEqual(
    container!.limits.filter(({ kept }) => !kept),
    [{ limit: "line_load_kg_m", value: 10_000, max: 3_000, kept: false }],
  );
});

test("without a limit, cargo stands at the front wall", () => {
  const [container] = loaded({ cargo: [HEAVY], containers: [{ type: "40GP" }], max_off_centre: null });
  assert.ok(container!.placements.some(({ x_mm: x }) => x === 0));
  const own = { type: "own", length_mm: 12_000, width_mm: 2_400, height_mm: 2_400, max_payload_kg: 24_000 };
  const [unlimited] = loaded({ cargo: [HEAVY], containers: [own], max_off_centre: null });
  assert.deepEqual(unlimited!.limits, []);
});

test("heavy sections are exchanged with light ones where a full container leaves no room to move", () => {
  const cargo: SentCargo[] = [
    { ...HEAVY, id: "steel", length_mm: 1_200, width_mm: 2_300, weight_kg: 3_500, count: 5, turnable: false },
    { ...HEAVY, id: "foam", length_mm: 1_200, width_mm: 2_300, weight_kg: 200, count: 5, turnable: false },
  ];
  const [container] = loaded({ cargo, containers: [{ type: "40GP", max_line_load_kg_m: 3_000 }] });
  assert.equal(container!.pieces, 10);
  assert.deepEqual(
    container!.limits.filter(({ kept, limit }) => !kept && limit !== "off_centre_width"),
    [],
  );
});

test("with several stops, a balanced load keeps its order", () => {
  const crate: SentCargo = { ...HEAVY, length_mm: 1_150, width_mm: 1_150, weight_kg: 1_500, count: 4 };
  const cargo = [1, 2, 3].map((stop) => ({ ...crate, id: String(stop), stop }));
  const [container] = loaded({ cargo, containers: [{ type: "40GP" }] });
  assert.deepEqual(
    container!.limits.map(({ kept }) => kept),
    [true, true, true],
  );
});

test("stackable pallets do not stand two high in the middle with gaps, where the floor has room for all", () => {
  const [container] = loaded({
    cargo: [{ ...PALLET, weight_kg: 1_000, count: 24 }],
    containers: [{ type: "40GP" }],
  });
  assert.equal(container!.pieces, 24);
  assert.ok(container!.limits.every(({ kept }) => kept));
});

test("like containers share heavy cargo evenly, if the fullest would carry too much on a metre", () => {
  const containers = loaded({
    cargo: [{ ...PALLET, weight_kg: 3_000, count: 20 }],
    containers: [{ type: "20GP" }],
  });
  assert.equal(containers.length, 3);
  assert.ok(containers.every(({ limits }) => limits.every(({ kept }) => kept)));
});

test("three of four containers of random orders with several stops keep all limits", () => {
  const containers = [1, 2, 4, 6, 7, 26, 28, 39].flatMap((number) => {
    const plan = planned(orderWithStops(number).request, SEARCH_STEPS_MAX / 4);
    assert.deepEqual(errorsOfPlan(plan), [], `order ${number}`);
    return plan.containers;
  });
  const kept = containers.filter(({ limits }) => limits.every((limit) => limit.kept));
  assert.ok(kept.length >= 0.75 * containers.length, `${kept.length} of ${containers.length}`);
});
