/** How long a shipment is polled whose trip has ended, and what one answer without that end does. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createPollHandler } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { getShipment, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { claimDuePolls } from "../../../src/freight/polling/store/polls.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = 120_000;
const BATCHES = { callsMax: 100, gatherMs: 0 };
const SOURCES = ["", "HRNL", "TRNC"].map((source) => ({ source, limit: 10 }));

let harbour: Harbour;
let owner: { readonly accountId: string; readonly id: string };
describe("shipments whose trip has ended", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
    const accountId = await harbour.account();
    const input = { accountId, reference: "HRNU4000017", carrier: "TRNC" };
    const started = await startTracking(harbour.ports, harbour.cell, input);
    assert.ok(started.kind === "tracked");
    owner = { accountId, id: started.shipment.id };
  });
  afterEach(() => harbour.stored.drop());

  /** The outcome; null: nothing is due. */
  async function pollIfDue(): Promise<string | null> {
    const { ports, cell, clock } = harbour;
    const [claimed] = await claimDuePolls(ports.database, cell, SOURCES, clock.nowMs(), LEASE_MS);
    if (claimed === undefined) return null;
    const deadlineMs = clock.monotonicMs() + LEASE_MS;
    const polled = await createPollHandler(ports, BATCHES).poll({ cell, claimed, deadlineMs });
    assert.ok(polled.kind === "polled");
    await createPollWriter(ports, cell, BATCHES)(polled.update);
    return polled.outcome;
  }

  async function shown() {
    const detail = await getShipment(harbour.ports, harbour.cell, owner.accountId, owner.id);
    assert.ok(detail);
    return { status: detail.status, awaits: detail.awaiting_next_trip };
  }

  const answers = (moves: readonly object[]): void => {
    harbour.answer = async () => answered(200, JSON.stringify(moves));
  };
  const forgotten = (): void => {
    harbour.answer = async () => answered(404, "");
  };

  function move(code: string, atMs: number, emptyIndicatorCode = "LADEN", modeOfTransport = "TRUCK"): object {
    return {
      eventType: "EQUIPMENT",
      eventClassifierCode: "ACT",
      equipmentReference: "HRNU4000017",
      equipmentEventTypeCode: code,
      emptyIndicatorCode,
      eventDateTime: new Date(atMs).toISOString(),
      transportCall: { UNLocationCode: "USOAK", modeOfTransport },
    };
  }

  function trip() {
    const nowMs = harbour.clock.nowMs();
    return [
      move("DISC", nowMs - 9 * DAY_MS, "LADEN", "VESSEL"),
      move("GTOT", nowMs - 8 * DAY_MS),
      move("GTIN", nowMs - 7 * DAY_MS, "EMPTY"),
    ];
  }

  test("a shipment is let go some days after its end, also when its carrier has forgotten it", async () => {
    const moves = trip();
    answers(moves.slice(0, 1));
    assert.equal(await pollIfDue(), "changed");
    answers(moves);
    await harbour.clock.advance(HOUR_MS);
    assert.equal(await pollIfDue(), "changed");
    assert.deepEqual(await shown(), { status: "returned_empty", awaits: false });
    forgotten();
    await harbour.clock.advance(2 * DAY_MS);
    assert.equal(await pollIfDue(), "not_found");
    await harbour.clock.advance(DAY_MS);
    assert.equal(await pollIfDue(), "not_found");
    await harbour.clock.advance(365 * DAY_MS);
    assert.equal(await pollIfDue(), null);
  });

  test("a shipment that awaits the next trip of its box is polled on, and shows it once it begins", async () => {
    const moves = trip();
    answers(moves);
    assert.equal(await pollIfDue(), "changed");
    assert.deepEqual(await shown(), { status: "returned_empty", awaits: true });
    await harbour.clock.advance(2 * HOUR_MS);
    assert.equal(await pollIfDue(), null, "seldom");
    for (const days of [10, 60]) {
      await harbour.clock.advance(days * DAY_MS);
      assert.equal(await pollIfDue(), "unchanged");
    }
    answers([...moves, move("GTOT", harbour.clock.nowMs() + HOUR_MS, "EMPTY")]);
    await harbour.clock.advance(DAY_MS);
    assert.equal(await pollIfDue(), "changed");
    assert.deepEqual(await shown(), { status: "pre_departure", awaits: false });
    assert.deepEqual(
      harbour.raised.map(({ type }) => type),
      ["shipment_updated"],
    );
  });

  test("an end that one answer leaves out stands, and is gone when the next answer leaves it out too", async () => {
    const moves = trip().slice(0, 2);
    answers(moves.slice(0, 1));
    await pollIfDue();
    const looks: string[] = [];
    for (const stated of [2, 1, 2, 1, 1]) {
      answers(moves.slice(0, stated));
      await harbour.clock.advance(DAY_MS);
      assert.equal(await pollIfDue(), "changed");
      looks.push((await shown()).status);
    }
    assert.deepEqual(looks, ["delivered", "delivered", "delivered", "delivered", "discharged"]);
    assert.deepEqual(
      harbour.raised.map(({ type }) => type),
      ["container_delivered", "shipment_updated"],
    );
  });
});
