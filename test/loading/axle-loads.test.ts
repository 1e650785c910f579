/** What the axles of the vehicle carry that brings a container. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned } from "./planned.ts";

const GROUPS = [
  { name: "steer", position_mm: -2_300, tare_kg: 5_300, max_kg: 8_000 },
  { name: "drive", position_mm: 1_300, tare_kg: 3_400, max_kg: 11_500 },
  { name: "trailer", position_mm: 8_700, tare_kg: 3_800, max_kg: 24_000 },
];
const ARTICULATED = { kingpin_mm: 700, axle_groups: GROUPS };
const COIL: SentCargo = { ...PALLET, id: "coil", weight_kg: 9_000, count: 2, stackable: false };

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan.containers[0]!;
}

const axles = (sent: SentRequest) => loaded(sent).limits.filter(({ limit }) => limit === "axle_load_kg");

test("a weight over the trailer's axles is on them alone, and one over the kingpin on the tractor", () => {
  const room = { type: "own", length_mm: 2_000, width_mm: 1_000, height_mm: 1_000, max_payload_kg: 9_000 };
  const cargo = [{ ...COIL, length_mm: 2_000, width_mm: 1_000, count: 1 }];
  const at = (kingpin: number, trailer: number) => ({
    kingpin_mm: kingpin,
    axle_groups: [
      { ...GROUPS[0]!, position_mm: kingpin - 3_000 },
      { ...GROUPS[1]!, position_mm: kingpin + 1_000 },
      { ...GROUPS[2]!, position_mm: trailer },
    ],
  });
  const over = axles({ cargo, containers: [room], vehicle: at(-7_000, 1_000) });
  assert.deepEqual(
    over.map(({ value }) => value),
    [5_300, 3_400, 12_800],
  );
  const kingpin = axles({ cargo, containers: [room], vehicle: at(1_000, 9_000) });
  assert.deepEqual(
    kingpin.map(({ axle_group: name, value }) => [name, value]),
    [
      ["steer", 5_300 + 9_000 / 4],
      ["drive", 3_400 + (9_000 * 3) / 4],
      ["trailer", 3_800],
    ],
  );
});

test("cargo moves back where the drive axle would carry too much, as far as its other limits let it", () => {
  const sent = {
    cargo: [COIL],
    containers: [{ type: "40GP", max_line_load_kg_m: null }],
    max_off_centre: null,
  };
  const before = loaded(sent).centre_of_gravity_mm!.x;
  const after = loaded({ ...sent, vehicle: ARTICULATED });
  assert.ok(after.centre_of_gravity_mm!.x > before);
  assert.ok(after.limits.every(({ kept }) => kept));
});

test("a container whose axles cannot be kept within their limits says which", () => {
  const weak = { ...ARTICULATED, axle_groups: GROUPS.map((one) => ({ ...one, max_kg: 7_000 })) };
  const found = axles({ cargo: [COIL], containers: [{ type: "40GP" }], vehicle: weak });
  assert.deepEqual(
    found.map(({ axle_group: name }) => name),
    ["steer", "drive", "trailer"],
  );
  assert.ok(found.some(({ kept }) => !kept));
});

test("a vehicle that contradicts itself is refused with what to change", () => {
  for (const [vehicle, message] of [
    [{ axle_groups: GROUPS }, /^body\.vehicle\.axle_groups must be 2/],
    [{ kingpin_mm: 700, axle_groups: GROUPS.slice(1) }, /^body\.vehicle\.axle_groups must be 3/],
    [{ kingpin_mm: 700, axle_groups: GROUPS.toReversed() }, /axle_groups\[1\]\.position_mm must be behind/],
    [{ kingpin_mm: 9_000, axle_groups: GROUPS }, /kingpin_mm must be before/],
    [{ axle_groups: [GROUPS[0]!, GROUPS[0]!] }, /axle_groups\[1\]\.name must differ/],
  ] as const) {
    const read = readLoadRequest({
      cargo: [COIL],
      vehicle: { ...vehicle, axle_groups: [...vehicle.axle_groups] },
    });
    assert.match(read.kind === "invalid" ? read.message : "", message);
  }
});
