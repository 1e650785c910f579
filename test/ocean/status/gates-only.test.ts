/** Carriers that report the gates of a journey and no vessel. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { event, march } from "../event.ts";
import { pollThrough } from "../life.ts";

const empty = { laden: false } as const;
const before = [event("GTOT", "CNTAO", march(-40), empty), event("GTIN", "CNTAO", march(-38))];
const out = event("GTOT", "NLRTM", march(-6));
const back = event("GTIN", "NLRTM", march(-3), empty);

for (const [gates, status, told] of [
  [[out], "delivered", ["vessel_departed", "container_delivered"]],
  [[out, back], "returned_empty", ["vessel_departed", "container_delivered"]],
  [[back], "returned_empty", ["container_delivered"]],
  [[event("GTOT", "CNSHA", march(-6))], "pre_departure", []],
] as const) {
  test(`gates ${gates.map(({ code, place }) => `${code} ${place?.unlocode}`).join(", ")} show ${status}`, () => {
    const [, there] = pollThrough([
      [march(-37), before],
      [march(0), [...before, ...gates]],
    ]);
    assert.equal(there!.record.status, status);
    const types = there!.raised.map(({ type }) => type).filter((type) => type !== "shipment_updated");
    assert.deepEqual(types, told);
  });
}
