/** Imported milestones beside a carrier's answers, and without a carrier. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createReferenceIndex } from "../../../src/freight/reference-index/reference-index.ts";
import { POLLER_DEFAULTS, type Poller } from "../../../src/freight/polling/poller.ts";
import {
  makeImportedDue,
  storeImport,
} from "../../../src/products/ocean/sources/imported/import-milestones.ts";
import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";
import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { getShipment, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { readAll } from "./reading.ts";

const HOUR_MS = 3_600_000;
const BOX = "HRNU4000017";
/** The clock of the tests stands in November 2026. */
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0 };

const GATE_IN = {
  container: BOX,
  milestone: "gate_in",
  load: "laden",
  time: "2026-10-20 08:00",
  location: "NLRTM",
};
const LOADED = {
  container: BOX,
  milestone: "loaded",
  load: "laden",
  time: "2026-10-21 08:00",
  location: "NLRTM",
};
const VESSEL = { vessel: "HERON STAR", imo: "9321483", voyage: "612E" };
const DEPARTED = {
  ...VESSEL,
  container: BOX,
  milestone: "vessel_departed",
  time: "2026-10-22 08:00",
  location: "NLRTM",
};

const carrierMove = (code: string, time: string, more: object = {}) => ({
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: code,
  eventClassifierCode: "ACT",
  eventDateTime: time,
  equipmentReference: BOX,
  emptyIndicatorCode: "LADEN",
  eventLocation: { UNLocationCode: "NLRTM" },
  ...more,
});
const BY_VESSEL = {
  transportCall: {
    modeOfTransport: "VESSEL",
    vessel: { vesselName: "HERON STAR", vesselIMONumber: "9321483" },
  },
};

describe("imported milestones", () => {
  let harbour: Harbour;
  let poller: Poller | null = null;
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, asOf: "now" }]);
  });
  afterEach(async () => {
    const stopped = poller?.stop();
    poller = null;
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  async function importRows(...rows: readonly MilestoneRow[]): Promise<{ readonly duplicates: number }> {
    const { statements, problems } = readAll(JSON.stringify(rows), "json");
    assert.deepEqual(problems, []);
    const { clock } = harbour.ports;
    const { database } = harbour.stored;
    const index = createReferenceIndex({ database, cells: harbour.stored.cells, clock });
    const stored = await storeImport({ database, clock, index }, statements);
    for (const cell of await makeImportedDue({ database, clock, index }, stored.references))
      poller?.wake(cell);
    return stored;
  }

  /** Starts polling, by no carrier unless one is given, and tracks a reference. */
  async function track(reference: string, carriers = harbour.ports.carriers) {
    const ports = { ...harbour.ports, carriers };
    poller ??= createPoller(ports, harbour.stored.cells, SETTINGS);
    poller.start();
    const accountId = await harbour.account();
    const tracking = { ...ports, wake: poller.wake };
    const started = await startTracking(tracking, harbour.cell, { accountId, reference });
    assert.ok(started.kind === "tracked");
    const { id } = started.shipment;
    const read = async () => (await getShipment(tracking, harbour.cell, accountId, id))!;
    return {
      read,
      codes: async () => (await read()).events.map(({ code, classifier }) => `${code} ${classifier}`),
      async untilHas(...codes: readonly string[]) {
        await harbour.clock.atOnce(
          async () => {
            await harbour.clock.advance(1_000);
            return JSON.stringify((await read()).events.map(({ code }) => code)) === JSON.stringify(codes);
          },
          `${codes.join(", ")} on the timeline`,
        );
      },
    };
  }
  const types = () => harbour.raised.map(({ type }) => type);

  test("a shipment without any configured carrier works from imports alone: status, timeline and events", async () => {
    const shipment = await track(BOX, []);
    await harbour.clock.atOnce(async () => (await shipment.read()).status === "pending", "the first look");
    await importRows(GATE_IN);
    await shipment.untilHas("GTIN");
    assert.equal((await shipment.read()).status, "pre_departure");
    assert.deepEqual(types(), [], "spec 3.3: first_resolution: what holds at first is never raised");
    await importRows(LOADED, DEPARTED);
    await shipment.untilHas("GTIN", "LOAD", "DEPA");
    const { status, vessel, carrier, refreshed_at } = await shipment.read();
    assert.deepEqual([status, vessel?.name, carrier], ["in_transit", "HERON STAR", ""]);
    assert.notEqual(refreshed_at, null);
    assert.ok(types().includes("vessel_departed"), types().join());
    const before = types().length;
    assert.deepEqual((await importRows(LOADED, DEPARTED)).duplicates, 2);
    await harbour.clock.advance(HOUR_MS);
    assert.equal(types().length, before, "what is sent again raises nothing");
  });

  test("a shipment tracked later sees what was imported before, under its container, bill and booking", async () => {
    await importRows({ ...GATE_IN, bill: "HRNL4000017", booking: "HRN0040001" });
    for (const reference of [BOX, "HRNL4000017", "HRN0040001"]) {
      const shipment = await track(reference, []);
      await shipment.untilHas("GTIN");
      assert.equal((await shipment.read()).boxes[0]?.equipment_reference ?? BOX, BOX);
    }
  });

  test("a poll retracts nothing that was imported, and an import nothing of the carrier's", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2026-10-20T08:00:00+02:00")]));
    const shipment = await track(BOX);
    await shipment.untilHas("GTIN");
    await importRows(LOADED);
    await shipment.untilHas("GTIN", "LOAD");
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    await harbour.clock.until(
      async () => Date.parse((await shipment.read()).refreshed_at!) >= sinceMs,
      "the next poll",
    );
    assert.deepEqual(await shipment.codes(), ["GTIN actual", "LOAD actual"]);
    // The carrier takes its own move back.
    harbour.answer = async () =>
      answered(200, JSON.stringify([{ ...carrierMove("STUF", "2026-10-19T08:00:00+02:00") }]));
    harbour.clock.jump(5 * HOUR_MS);
    await shipment.untilHas("STUF", "LOAD");
  });

  test("a milestone that the carrier and two sources state is one event", async () => {
    const move = carrierMove("LOAD", "2026-10-21T08:07:00+02:00", BY_VESSEL);
    harbour.answer = async () => answered(200, JSON.stringify([move]));
    await importRows(GATE_IN, LOADED, { ...LOADED, time: "2026-10-21 08:30", ...VESSEL });
    const shipment = await track(BOX);
    await shipment.untilHas("GTIN", "LOAD");
    assert.equal((await shipment.read()).events[1]?.event_local_datetime, "2026-10-21T08:07:00");
  });

  test("a source that withdraws what it stated takes it off the timeline, and may state it again", async () => {
    const shipment = await track(BOX, []);
    await importRows(GATE_IN, LOADED);
    await shipment.untilHas("GTIN", "LOAD");
    await importRows({ ...LOADED, withdrawn: true });
    await shipment.untilHas("GTIN");
    await importRows(LOADED);
    await shipment.untilHas("GTIN", "LOAD");
  });

  test("a record keeps what it has ingested after the import is deleted by age", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2026-10-20T08:00:00+02:00")]));
    const shipment = await track(BOX);
    await importRows(LOADED);
    await shipment.untilHas("GTIN", "LOAD");
    for (const cell of harbour.stored.cells)
      await harbour.stored.queryIn(cell, "delete from cell.imported_milestones");
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2026-10-20T08:05:00+02:00")]));
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    await harbour.clock.until(
      async () => Date.parse((await shipment.read()).refreshed_at!) >= sinceMs,
      "the next poll",
    );
    assert.deepEqual(await shipment.codes(), ["GTIN actual", "LOAD actual"]);
  });

  test("a later estimate of the same source replaces the earlier", async () => {
    const eta = (time: string, stated_at: string) => ({
      ...{ ...VESSEL, container: BOX, milestone: "eta", location: "USNYC", time, stated_at },
    });
    const shipment = await track(BOX, []);
    await importRows(LOADED, DEPARTED, eta("2026-11-10 08:00", "2026-10-23T00:00:00Z"));
    await importRows(eta("2026-11-12 08:00", "2026-10-24T00:00:00Z"));
    await shipment.untilHas("LOAD", "DEPA", "ARRI");
    await harbour.clock.atOnce(
      async () => (await shipment.read()).eta === "2026-11-12T13:00:00.000Z",
      "the later estimate",
    );
  });

  test("while its carrier is down, a shipment with a record goes on by imports", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2026-10-20T08:00:00+02:00")]));
    const shipment = await track(BOX);
    await shipment.untilHas("GTIN");
    harbour.answer = async () => answered(500, "");
    await importRows(LOADED, DEPARTED);
    await shipment.untilHas("GTIN", "LOAD", "DEPA");
    assert.equal((await shipment.read()).status, "in_transit");
    assert.equal((await shipment.read()).carrier, HERON.scac);
  });

  test("a carrier that is replayed at its own time takes no import, whichever came first", async () => {
    await harbour.stored.drop();
    harbour = await openHarbour([HERON]);
    assert.equal(HERON.asOf, "answer-date");
    // Its answers are of the year before.
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2025-10-20T08:00:00+02:00")]), {
        date: "Tue, 21 Oct 2025 08:00:00 GMT",
      });
    await importRows(LOADED);
    const shipment = await track(BOX);
    await shipment.untilHas("GTIN");
    await importRows(DEPARTED);
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    await harbour.clock.until(
      async () => Date.parse((await shipment.read()).refreshed_at!) >= sinceMs,
      "the next poll",
    );
    assert.deepEqual(await shipment.codes(), ["GTIN actual"]);
    assert.equal((await shipment.read()).status, "pre_departure");
  });

  test("what imports alone state goes on by the clock, though they name a carrier that is replayed at another time", async () => {
    await harbour.stored.drop();
    harbour = await openHarbour([HERON]);
    const eta = { ...VESSEL, container: BOX, milestone: "eta", location: "USNYC", carrier: HERON.scac };
    const shipment = await track(BOX);
    const etaMs = harbour.clock.nowMs() + 60 * HOUR_MS;
    await importRows(
      { ...LOADED, ...VESSEL, carrier: HERON.scac },
      { ...DEPARTED, carrier: HERON.scac },
      { ...eta, time: new Date(etaMs).toISOString() },
    );
    await shipment.untilHas("LOAD", "DEPA", "ARRI");
    assert.equal((await shipment.read()).status, "in_transit");
    harbour.clock.jump(40 * HOUR_MS);
    await harbour.clock.until(
      async () => (await shipment.read()).status === "arriving",
      "the arrival comes near",
    );
  });

  test("an import leaves a container incomplete whose carrier cut its last answer", async () => {
    await harbour.stored.drop();
    harbour = await openHarbour([{ ...HERON, asOf: "now", question: { limit: { max: 1 } } }]);
    harbour.answer = async () =>
      answered(200, JSON.stringify([carrierMove("GTIN", "2026-10-20T08:00:00+02:00")]));
    const shipment = await track(BOX);
    await shipment.untilHas("GTIN");
    await importRows(LOADED);
    await shipment.untilHas("GTIN", "LOAD");
    assert.equal((await shipment.read()).incomplete, true);
  });
});
