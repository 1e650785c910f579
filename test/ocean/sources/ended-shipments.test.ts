/** How long a shipment is polled whose trip has ended, and what one answer without that end does. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { DAY_MS, HOUR_MS } from "../../../src/runtime/durations.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { answers, refreshDue, track, type Tracked } from "./polling.ts";

describe("shipments whose trip has ended", () => {
  let harbour: Harbour;
  let shipment: Tracked;
  /** Discharged, gated out and returned, a day apart. */
  let trip: readonly object[];
  beforeEach(async () => {
    harbour = await openHarbour();
    shipment = await track(harbour, "HRNU4000017", { carrier: "TRNC" });
    trip = [
      move("DISC", -9 * DAY_MS, "LADEN", "VESSEL"),
      move("GTOT", -8 * DAY_MS),
      move("GTIN", -7 * DAY_MS, "EMPTY"),
    ];
  });
  afterEach(() => harbour.stored.drop());

  async function shown() {
    const { status, awaiting_next_trip: awaits } = await shipment.read();
    return { status, awaits };
  }
  const types = () => harbour.raised.map(({ type }) => type);

  function move(code: string, inMs: number, emptyIndicatorCode = "LADEN", modeOfTransport = "TRUCK"): object {
    return {
      ...{ eventType: "EQUIPMENT", eventClassifierCode: "ACT", equipmentEventTypeCode: code },
      ...{ equipmentReference: "HRNU4000017", emptyIndicatorCode },
      eventDateTime: new Date(harbour.clock.nowMs() + inMs).toISOString(),
      transportCall: { UNLocationCode: "USOAK", modeOfTransport },
    };
  }

  async function pollAfter(ms: number, ...events: readonly object[]): Promise<readonly string[]> {
    if (events.length > 0) answers(harbour, ...events);
    await harbour.clock.advance(ms);
    return refreshDue(harbour);
  }

  test("a shipment is let go some days after its end, also when its carrier has forgotten it", async () => {
    assert.deepEqual(await pollAfter(0, trip[0]!), ["changed"]);
    assert.deepEqual(await pollAfter(HOUR_MS, ...trip), ["changed"]);
    assert.deepEqual(await shown(), { status: "returned_empty", awaits: false });
    harbour.answer = async () => answered(404, "");
    assert.deepEqual(await pollAfter(2 * DAY_MS), ["not_found"]);
    assert.deepEqual(await pollAfter(DAY_MS), ["not_found"]);
    assert.deepEqual(await pollAfter(365 * DAY_MS), []);
  });

  test("a shipment that awaits the next trip of its box is polled on, and shows it once it begins", async () => {
    assert.deepEqual(await pollAfter(0, ...trip), ["changed"]);
    assert.deepEqual(await shown(), { status: "returned_empty", awaits: true });
    assert.deepEqual(await pollAfter(2 * HOUR_MS), [], "seldom");
    for (const days of [10, 60]) assert.deepEqual(await pollAfter(days * DAY_MS), ["unchanged"]);
    assert.deepEqual(await pollAfter(DAY_MS, ...trip, move("GTOT", HOUR_MS, "EMPTY")), ["changed"]);
    assert.deepEqual(await shown(), { status: "pre_departure", awaits: false });
    assert.deepEqual(types(), ["shipment_updated"]);
  });
});
