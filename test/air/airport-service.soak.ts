/** Hundreds of the simulated airport's waybills through the whole service; see airport-service.world.ts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { START_MS } from "../support/clock.ts";
import { liveThrough } from "./airport-service.ts";

const WAYBILLS = 1_000;
/** Some are booked before the world begins. */
const LOOKED_THROUGH = 2_000;

describe("a thousand of the airport's waybills in the store", () => {
  test("the events in the database are exactly the true ones", async () => {
    const airport = createAirport({ seed: 4, waybills: LOOKED_THROUGH, startMs: START_MS });
    const indices = Array.from({ length: LOOKED_THROUGH }, (_, index) => index)
      .filter((index) => airport.waybillAt(index).bookedMs > START_MS)
      .slice(0, WAYBILLS);
    assert.equal(indices.length, WAYBILLS);
    const { raised, wanted } = await liveThrough(airport, indices);
    assert.deepEqual(raised, wanted);
  });
});
