/** Where weight stands in a container: its centre of gravity, what each metre carries, and what the vehicle's axles do. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { orderWithStops } from "../../bench/packing/orders.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import type { SummarizedPlan } from "./plan-errors.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { loaded, PALLET, planned } from "./planned.ts";

const HEAVY: SentCargo = { ...PALLET, weight_kg: 2_000, count: 12, stackable: false };
const COIL: SentCargo = { ...PALLET, id: "coil", weight_kg: 9_000, count: 2, stackable: false };
const areKept = ({ containers }: SummarizedPlan) =>
  containers.every(({ limits }) => limits.every(({ kept }) => kept));

test("24 t of pallets do not all stand in the front half: the load is balanced, and no metre carries too much", () => {
  const plan = loaded({ cargo: [HEAVY], containers: [{ type: "40GP" }] });
  const [container, ...more] = plan.containers;
  assert.deepEqual([container!.pieces, more, areKept(plan)], [12, [], true]);
  const limits = container!.limits.map(({ limit }) => limit);
  assert.deepEqual(limits, ["off_centre_length", "off_centre_width", "line_load_kg_m"]);
  const [front, back] = [0, 6].map((from) =>
    container!.load_per_metre_kg.slice(from, from + 6).reduce((sum, kg) => sum + kg, 0),
  );
  assert.ok(front! < 14_400 && back! < 14_400, `${front} and ${back} kg`);
});

test("a plan that cannot keep a limit says which", () => {
  const coil: SentCargo = { ...COIL, weight_kg: 12_000, count: 1 };
  const { containers } = loaded({ cargo: [coil], containers: [{ type: "40GP" }] });
  assert.deepEqual(
    containers[0]!.limits.filter(({ kept }) => !kept),
    [{ limit: "line_load_kg_m", value: 10_000, max: 3_000, kept: false }],
  );
});

test("without a limit, cargo stands at the front wall", () => {
  const own = { type: "own", length_mm: 12_000, width_mm: 2_400, height_mm: 2_400, max_payload_kg: 24_000 };
  const [container] = loaded({ cargo: [HEAVY], containers: [own], max_off_centre: null }).containers;
  assert.ok(container!.placements.some(({ x_mm: x }) => x === 0));
  assert.deepEqual(container!.limits, []);
});

test("heavy sections are exchanged with light ones where a full container leaves no room to move", () => {
  const section = { ...HEAVY, length_mm: 1_200, width_mm: 2_300, count: 5, turnable: false };
  const cargo = [
    { ...section, id: "steel", weight_kg: 3_500 },
    { ...section, id: "foam", weight_kg: 200 },
  ];
  const { containers } = loaded({ cargo, containers: [{ type: "40GP", max_line_load_kg_m: 3_000 }] });
  const broken = containers[0]!.limits.filter(({ kept, limit }) => !kept && limit !== "off_centre_width");
  assert.deepEqual([containers[0]!.pieces, broken], [10, []]);
});

for (const [what, sent, count] of [
  [
    "with several stops, a balanced load keeps its order",
    {
      cargo: [1, 2, 3].map((stop) => ({
        ...{ ...HEAVY, id: String(stop), stop },
        ...{ length_mm: 1_150, width_mm: 1_150, weight_kg: 1_500, count: 4 },
      })),
      containers: [{ type: "40GP" }],
    },
    1,
  ],
  [
    "stackable pallets do not stand two high in the middle with gaps, where the floor has room for all",
    { cargo: [{ ...PALLET, weight_kg: 1_000, count: 24 }], containers: [{ type: "40GP" }] },
    1,
  ],
  [
    "like containers share heavy cargo evenly, if the fullest would carry too much on a metre",
    { cargo: [{ ...PALLET, weight_kg: 3_000, count: 20 }], containers: [{ type: "20GP" }] },
    3,
  ],
] as readonly (readonly [what: string, sent: SentRequest, count: number])[]) {
  test(what, () => {
    const plan = loaded(sent);
    assert.deepEqual([plan.containers.length, plan.left, areKept(plan)], [count, [], true]);
  });
}

test("three of four containers of random orders with several stops keep all limits", () => {
  const containers = [1, 2, 4, 6, 7, 26, 28, 39].flatMap((number) => {
    const plan = planned(orderWithStops(number).request, 3_000_000);
    assert.deepEqual(errorsOfPlan(plan), [], `order ${number}`);
    return plan.containers;
  });
  const kept = containers.filter(({ limits }) => limits.every((limit) => limit.kept));
  assert.ok(kept.length >= 0.75 * containers.length, `${kept.length} of ${containers.length}`);
});

const GROUPS = [
  { name: "steer", position_mm: -2_300, tare_kg: 5_300, max_kg: 8_000 },
  { name: "drive", position_mm: 1_300, tare_kg: 3_400, max_kg: 11_500 },
  { name: "trailer", position_mm: 8_700, tare_kg: 3_800, max_kg: 24_000 },
];
const ARTICULATED = { kingpin_mm: 700, axle_groups: GROUPS };

const axles = (sent: SentRequest) =>
  loaded(sent).containers[0]!.limits.filter(({ limit }) => limit === "axle_load_kg");

test("a weight over the trailer's axles is on them alone, and one over the kingpin on the tractor", () => {
  const room = { type: "own", length_mm: 2_000, width_mm: 1_000, height_mm: 1_000, max_payload_kg: 9_000 };
  const cargo = [{ ...COIL, length_mm: 2_000, width_mm: 1_000, count: 1 }];
  const loadsAt = (kingpin: number, trailer: number) => {
    const positions = [kingpin - 3_000, kingpin + 1_000, trailer];
    const axle_groups = GROUPS.map((group, at) => ({ ...group, position_mm: positions[at]! }));
    const vehicle = { kingpin_mm: kingpin, axle_groups };
    return axles({ cargo, containers: [room], vehicle }).map((one) => `${one.axle_group} ${one.value}`);
  };
  assert.deepEqual(loadsAt(-7_000, 1_000), ["steer 5300", "drive 3400", "trailer 12800"]);
  // Of 9,000 kg, a quarter is on the steering axle.
  assert.deepEqual(loadsAt(1_000, 9_000), ["steer 7550", "drive 10150", "trailer 3800"]);
});

test("cargo moves back where the drive axle would carry too much, as far as its other limits let it", () => {
  const containers = [{ type: "40GP", max_line_load_kg_m: null }];
  const sent = { cargo: [COIL], containers, max_off_centre: null };
  const [before, after] = [loaded(sent), loaded({ ...sent, vehicle: ARTICULATED })];
  const middle = ({ containers: [one] }: SummarizedPlan) => one!.centre_of_gravity_mm!.x;
  assert.ok(middle(after) > middle(before) && areKept(after));
});

test("a container whose axles cannot be kept within their limits says which", () => {
  const weak = { ...ARTICULATED, axle_groups: GROUPS.map((one) => ({ ...one, max_kg: 7_000 })) };
  const found = axles({ cargo: [COIL], containers: [{ type: "40GP" }], vehicle: weak });
  const names = found.map(({ axle_group: name }) => name);
  assert.deepEqual([names, found.some(({ kept }) => !kept)], [["steer", "drive", "trailer"], true]);
});

test("a vehicle that contradicts itself is refused with what to change", () => {
  for (const [vehicle, message] of [
    [{ axle_groups: GROUPS }, /^body\.vehicle\.axle_groups must be 2/],
    [{ kingpin_mm: 700, axle_groups: GROUPS.slice(1) }, /^body\.vehicle\.axle_groups must be 3/],
    [{ kingpin_mm: 700, axle_groups: GROUPS.toReversed() }, /axle_groups\[1\]\.position_mm must be behind/],
    [{ kingpin_mm: 9_000, axle_groups: GROUPS }, /kingpin_mm must be before/],
    [{ axle_groups: [GROUPS[0]!, GROUPS[0]!] }, /axle_groups\[1\]\.name must differ/],
  ] as const) {
    const axle_groups = [...vehicle.axle_groups];
    const read = readLoadRequest({ cargo: [COIL], vehicle: { ...vehicle, axle_groups } });
    assert.match(read.kind === "invalid" ? read.message : "", message);
  }
});
