/** What a carrier can make one box cost with answers that no real box has. */
import assert from "node:assert/strict";
import { Session, type Profiler } from "node:inspector/promises";
import { test } from "node:test";

import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import { event, march } from "./event.ts";
import { UNARMED } from "./life.ts";

const RECORD_BYTES_MAX = 500_000;

/** How often functions and blocks of the source run: on every machine the same. */
async function stepsOf(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await session.post("Profiler.takePreciseCoverage");
    work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result.filter(({ url }) => url.includes("/src/")).reduce((sum, one) => sum + stepsIn(one), 0);
  } finally {
    session.disconnect();
  }
}

function stepsIn({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

const COUNT = 500;

/** Each with the steps that one of its statements may take; those of departures grow with how many there are. */
const ANSWERS: Readonly<Record<string, readonly [stepsMax: number, events: readonly CarrierEvent[]]>> = {
  "departures of hundreds of vessels": [
    80 * COUNT,
    Array.from({ length: COUNT }, (_, index) =>
      event("DEPA", "CNSHA", march(1) - (COUNT - index) * 30 * HOUR_MS, {
        vessel: { name: `VESSEL ${index}`, imo: null },
      }),
    ),
  ],
  "thousands of gates, two at a time": [
    3_000,
    Array.from({ length: 10 * COUNT }, (_, index) => {
      const hours = 10 * COUNT - index + (index % 2);
      return event(index % 2 === 0 ? "GTOT" : "GTIN", `CN${index}`, march(1) - hours * HOUR_MS);
    }),
  ],
  "thousands of gates in the future": [
    40,
    Array.from({ length: 10 * COUNT }, (_, index) => event("GTIN", "CNSHA", march(2) + index * 25 * HOUR_MS)),
  ],
};

for (const [name, [stepsMax, events]] of Object.entries(ANSWERS)) {
  test(`${name} take a bounded number of steps each, and a record of less than half a megabyte`, async () => {
    let bytes = 0;
    const steps = await stepsOf(() => {
      const about = { carrier: "MAEU", identifierType: "container_id", reference: "CSQU3054383" } as const;
      const record = nextRecord({ ...about, events, freeDays: [] }, null, UNARMED, march(1));
      bytes = JSON.stringify(record).length;
    });
    assert.ok(steps > events.length, "steps are counted");
    assert.ok(steps < stepsMax * events.length, `${steps / events.length} steps a statement`);
    assert.ok(bytes < RECORD_BYTES_MAX, `${bytes} bytes`);
  });
}
