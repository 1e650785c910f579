/** Which containers a planner expects: the fewest, the smallest, the cheapest, and none full of air. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { order } from "../../bench/packing/orders.ts";
import { SEARCH_STEPS_MAX } from "../../src/products/loading/planning/load-plan.ts";
import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned, STEPS } from "./planned.ts";

const typesOf = (sent: SentRequest) => planned(sent).summary.containers;

test("what fits one container takes the smallest that it fits", () => {
  assert.deepEqual(typesOf({ cargo: [{ ...PALLET, count: 20 }] }), [{ type: "20GP", count: 1 }]);
  assert.deepEqual(typesOf({ cargo: [{ ...PALLET, count: 24, stackable: false }] }), [
    { type: "40GP", count: 1 },
  ]);
});

test("25 euro pallets stand in a usual box of 40 feet, 24 in one of the least length, 11 in 20 feet", () => {
  for (const [type, most] of [
    ["40GP", 25],
    ["40HC", 25],
    ["40GP-ISO", 24],
    ["20GP", 11],
    ["20GP-ISO", 11],
  ] as const) {
    const floor = { cargo: [{ ...PALLET, count: 60, stackable: false }], containers: [{ type }] };
    assert.equal(planned(floor).containers[0]!.pieces, most, type);
  }
});

test("costs decide where they are given, and the fewest containers where not", () => {
  const cargo = [{ ...PALLET, count: 40 }];
  const containers = [{ type: "20GP" }, { type: "40HC" }];
  assert.deepEqual(typesOf({ cargo, containers }), [{ type: "40HC", count: 1 }]);
  const priced = [
    { type: "20GP", cost: 100 },
    { type: "40HC", cost: 250 },
  ];
  assert.deepEqual(typesOf({ cargo, containers: priced }), [{ type: "20GP", count: 2 }]);
});

test("what is full by weight before it is full goes into the smaller container", () => {
  const cargo = [
    { ...PALLET, id: "steel", length_mm: 859, width_mm: 494, height_mm: 1_069, weight_kg: 1_889, count: 37 },
    {
      ...PALLET,
      id: "beam",
      length_mm: 10_457,
      width_mm: 1_077,
      height_mm: 175,
      weight_kg: 2_606,
      count: 11,
    },
  ];
  assert.deepEqual(typesOf({ cargo }), [
    { type: "40GP", count: 2 },
    { type: "20GP", count: 2 },
  ]);
});

test("nothing is left that another container offered would take", () => {
  const cargo = [
    {
      ...PALLET,
      id: "rod",
      length_mm: 41,
      width_mm: 1,
      height_mm: 1,
      weight_kg: 0,
      count: 10,
      stackable: false,
    },
    {
      ...PALLET,
      id: "sheet",
      length_mm: 296,
      width_mm: 34,
      height_mm: 1,
      weight_kg: 0.048,
      count: 21,
      stackable: false,
    },
  ];
  const inside = { length_mm: 300, width_mm: 200, height_mm: 200 };
  const containers = [
    { type: "weak", ...inside, max_payload_kg: 0 },
    { type: "strong", ...inside, max_payload_kg: 1, count: 1 },
  ];
  for (const steps of [1, 20_000, STEPS]) {
    assert.deepEqual(errorsOfPlan(planned({ cargo, containers }, steps)), []);
  }
});

test("heavy cargo is shared out among containers, and not left for more of them", () => {
  const cargo = [
    {
      ...PALLET,
      id: "steel",
      length_mm: 2_000,
      width_mm: 1_000,
      height_mm: 100,
      weight_kg: 2_600,
      count: 20,
    },
    { ...PALLET, id: "foam", length_mm: 1_199, width_mm: 1_165, height_mm: 1_200, weight_kg: 5, count: 60 },
  ];
  const containers = [{ type: "40HC", count: 2 }];
  const plan = planned({ cargo, containers });
  assert.deepEqual(errorsOfPlan(plan), []);
  assert.deepEqual([plan.left, plan.summary.containers], [[], containers]);
});

test("a few pieces left over take no second container where another arrangement has room for them", () => {
  for (const number of [8, 17, 33]) {
    const { request, fewest } = order(number);
    const plan = planned(request, SEARCH_STEPS_MAX);
    assert.deepEqual([plan.summary.container_count, plan.left], [fewest, []], `order ${number}`);
  }
});

test("weight fills a container before volume does", () => {
  const { containers } = planned({
    cargo: [{ ...PALLET, weight_kg: 3_000, count: 20 }],
    containers: [{ type: "20GP", max_line_load_kg_m: null }],
    max_off_centre: null,
  });
  assert.deepEqual(
    containers.map(({ pieces, weight_kg: kg }) => [pieces, kg]),
    [
      [9, 27_000],
      [9, 27_000],
      [2, 6_000],
    ],
  );
});
