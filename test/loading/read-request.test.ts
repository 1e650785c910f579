/** Requests for load plans, as they are read. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentContainer } from "../../src/products/loading/request/request-schema.ts";

const CARGO = [{ length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 1 }];

function typeOf(container: SentContainer) {
  const read = readLoadRequest({ cargo: CARGO, containers: [container] });
  assert.ok(read.kind === "request", "it was refused");
  return read.request.containers[0]!.type;
}

test("a container that is offered may be named in the trade's ways", () => {
  for (const [written, code] of [
    ...[
      ["20gp", "20GP"],
      ["20' DV", "20GP"],
      ["40DC", "40GP"],
      ["40HQ", "40HC"],
      ["45hq", "45HC"],
    ],
    ...[
      ["40rf", "40RF"],
      ["40' hq iso", "40HC-ISO"],
      ["20dv-iso", "20GP-ISO"],
    ],
  ] as [string, string][])
    assert.deepEqual(typeOf({ type: written }), typeOf({ type: code }), written);
});

test("one of its own keeps its name, and has a door as large as its inside", () => {
  const measures = { length_mm: 13_600, width_mm: 2_480, height_mm: 2_700, max_payload_kg: 24_000 };
  const { code, doorWidthMm, doorHeightMm } = typeOf({ type: "Our trailer", ...measures });
  assert.deepEqual([code, doorWidthMm, doorHeightMm], ["Our trailer", 2_480, 2_700]);
  assert.equal(typeOf({ type: "40OT", ...measures }).code, "40OT");
});

test("a usual one that is made lower has a lower door, unless a door is named that is too high", () => {
  assert.equal(typeOf({ type: "40HC", height_mm: 2_000 }).doorHeightMm, 2_000);
  assert.equal(typeOf({ type: "40HC", height_mm: 2_000, door_height_mm: 2_000 }).doorHeightMm, 2_000);
  const containers = [{ type: "40HC", height_mm: 2_000, door_height_mm: 2_001 }];
  assert.deepEqual(readLoadRequest({ cargo: CARGO, containers }), {
    kind: "invalid",
    message: "body.containers[0].door_height_mm must be at most its height_mm, 2000",
  });
});
