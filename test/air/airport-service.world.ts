/** The simulated airport's waybills through the store, the poller and the engine. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { START_MS } from "../support/clock.ts";
import { liveThrough } from "./airport-service.ts";

const WAYBILLS = 24;
/** Waybills are booked in no order, some of them before the world begins. */
const LOOKED_THROUGH = 200;

// The server of the tests stops before the hooks of a file run, so this belongs to a suite.
describe("the airport's waybills in the store", () => {
  test("the events in the database are exactly the true ones", async () => {
    const airport = createAirport({ seed: 3, waybills: LOOKED_THROUGH, startMs: START_MS });
    const indices = Array.from({ length: LOOKED_THROUGH }, (_, index) => index)
      .filter((index) => airport.waybillAt(index).bookedMs > START_MS)
      .slice(0, WAYBILLS);
    const { raised, wanted } = await liveThrough(airport, indices);
    assert.deepEqual(raised, wanted);
    assert.ok(wanted.length > WAYBILLS * 2, `${wanted.length}`);
    const airlines = new Set(indices.map((index) => airport.waybillAt(index).airline.iata));
    assert.equal(airlines.size, airport.airlines.length);
  });
});
