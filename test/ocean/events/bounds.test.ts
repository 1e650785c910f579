/** What a record keeps of events raised, of a carrier that names everything differently in each answer. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { boundedKeys } from "../../../src/products/ocean/events/raised-keys.ts";
import { NOTHING_RAISED } from "../../../src/products/ocean/record/shipment-record.ts";
import { landedAsAnnounced, NOTHING_ANNOUNCED } from "../../../src/products/ocean/timeline/route.ts";
import { event, march } from "../event.ts";

test("of thousands of keys, the last thousand and those of the present milestones are kept", () => {
  const keys = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, nth) => [`vessel_departed:P${nth}:1`, nth]),
  );
  const { at } = event("DEPA", "CNTAO", march(3));
  const key = "vessel_departed:P0:1";
  const first = { key, type: "vessel_departed", from: "pre_departure", to: "in_transit", at } as const;
  const kept = Object.keys(boundedKeys({ ...NOTHING_RAISED, keys }, [first]).keys ?? {});
  assert.equal(kept.length, 1_001);
  assert.deepEqual(
    [kept[0], kept[1], kept.at(-1)],
    [key, "vessel_departed:P2000:1", "vessel_departed:P2999:1"],
  );
});

test("of hundreds of ports where a box landed as announced, the last hundred are kept", () => {
  const landed = Array.from({ length: 300 }, (_, nth) => `P${nth}`);
  const { landed: kept } = landedAsAnnounced(NOTHING_ANNOUNCED, { ...NOTHING_ANNOUNCED, landed }, []);
  assert.deepEqual([kept?.length, kept?.at(-1)], [100, "P299"]);
});
