/** What a carrier can make one box cost with answers that no real box has. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import { event, march } from "./event.ts";
import { UNARMED } from "./life.ts";
import { processorMs } from "../support/processor-time.ts";

const RECORD_MS_MAX = 5_000;
const RECORD_BYTES_MAX = 1_000_000;

function recordOf(events: readonly CarrierEvent[]) {
  const about = { carrier: "MAEU", identifierType: "container_id", reference: "CSQU3054383" } as const;
  let bytes = 0;
  const tookMs = processorMs(() => {
    bytes = JSON.stringify(nextRecord({ ...about, events, freeDays: [] }, null, UNARMED, march(1))).length;
  });
  return { tookMs, bytes };
}

const ANSWERS: Readonly<Record<string, readonly CarrierEvent[]>> = {
  "departures of a thousand vessels": Array.from({ length: 1_000 }, (_, index) =>
    event("DEPA", "CNSHA", march(1) - (1_000 - index) * 30 * HOUR_MS, {
      vessel: { name: `VESSEL ${index}`, imo: null },
    }),
  ),
  "ten thousand gates, two at a time": Array.from({ length: 10_000 }, (_, index) =>
    event(
      index % 2 === 0 ? "GTOT" : "GTIN",
      `CN${index}`,
      march(1) - (10_000 - index + (index % 2)) * HOUR_MS,
    ),
  ),
  "ten thousand gates in the future": Array.from({ length: 10_000 }, (_, index) =>
    event("GTIN", "CNSHA", march(2) + index * 25 * HOUR_MS),
  ),
};

for (const [name, events] of Object.entries(ANSWERS)) {
  test(`${name} take seconds at most, and a record of less than a megabyte`, () => {
    const { tookMs, bytes } = recordOf(events);
    assert.ok(tookMs < RECORD_MS_MAX, `${tookMs} ms`);
    assert.ok(bytes < RECORD_BYTES_MAX, `${bytes} bytes`);
  });
}
