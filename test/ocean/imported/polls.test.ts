/** Imported milestones beside a carrier's answers, and without a carrier. */
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { HOUR_MS } from "../../../src/runtime/durations.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { answers, departed, startPoller } from "../sources/polling.ts";

const BOX = "HRNU4000017";
const STAR = { vessel: "HERON STAR", imo: "9321483", voyage: "612E" };
const row = (milestone: string, day: number, more: MilestoneRow = {}) => ({
  ...{ container: BOX, milestone, time: `2026-10-${day} 08:00`, location: "NLRTM" },
  ...more,
});
const GATE_IN = row("gate_in", 20, { load: "laden" });
const LOADED = row("loaded", 21, { load: "laden" });
const DEPARTED = row("vessel_departed", 22, STAR);

/** As the carrier states it. */
const move = (code: string, eventDateTime: string, more: object = {}) => ({
  ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: code, eventClassifierCode: "ACT", eventDateTime },
  ...{ equipmentReference: BOX, emptyIndicatorCode: "LADEN", eventLocation: { UNLocationCode: "NLRTM" } },
  ...more,
});
const GATE = move("GTIN", "2026-10-20T08:00:00+02:00");

/** It answers as of the moment. */
const NOW: Carrier = { ...HERON, asOf: "now" };

describe("imported milestones", () => {
  let harbour: Harbour;
  let poller: ReturnType<typeof startPoller>;
  /** With these carriers, which answer with a gate. */
  async function open(...carriers: readonly Carrier[]): Promise<void> {
    harbour = await openHarbour(carriers);
    answers(harbour, GATE);
    poller = startPoller(harbour);
  }
  afterEach(async () => {
    await poller.stop();
    await harbour.stored.drop();
  });

  const types = () => harbour.raised.map(({ type }) => type);
  async function track(reference = BOX) {
    const shipment = await poller.track(reference);
    const has = (...codes: readonly string[]) =>
      shipment.until(
        `${codes.join(", ")} on the timeline`,
        ({ events }) => events.map(({ code }) => code).join() === codes.join(),
      );
    return { ...shipment, has };
  }

  test("a shipment without any configured carrier works from imports alone: status, timeline and events", async () => {
    await open();
    const shipment = await track();
    await shipment.atOnce("the first poll", ({ status }) => status === "pending");
    await poller.importRows(GATE_IN);
    await shipment.has("GTIN");
    assert.equal((await shipment.read()).status, "pre_departure");
    assert.deepEqual(types(), [], "spec 3.3: first_resolution: what holds at first is never raised");
    await poller.importRows(LOADED, DEPARTED);
    await shipment.has("GTIN", "LOAD", "DEPA");
    const { status, vessel, carrier, refreshed_at } = await shipment.read();
    assert.deepEqual([status, vessel?.name, carrier], ["in_transit", "HERON STAR", ""]);
    assert.notEqual(refreshed_at, null);
    assert.ok(types().includes("vessel_departed"), types().join());
    const before = types().length;
    assert.deepEqual((await poller.importRows(LOADED, DEPARTED)).duplicates, 2);
    await harbour.clock.advance(HOUR_MS);
    assert.equal(types().length, before, "what is sent again raises nothing");
  });

  test("an import does not wait behind other shipments' polls: what has happened since tracking began is raised at once", async () => {
    await open({ ...NOW, quota: { perDay: 1 } });
    answers(harbour, { ...GATE, equipmentReference: "HRNU4000022" });
    const first = await track("HRNU4000022");
    await first.has("GTIN");
    const shipment = await track();
    await shipment.atOnce("no turn is left", ({ status }) => status === "pending");
    const since = (milestone: string, hours: number) => {
      const at = new Date(harbour.clock.nowMs() + hours * HOUR_MS).toISOString();
      return row(milestone, 0, { ...STAR, time: at, location: "USNYC", load: "laden" });
    };
    await poller.importRows(GATE_IN, LOADED, DEPARTED, since("discharged", -1));
    await shipment.atOnce("all is on the timeline", ({ events }) => events.length === 4);
    assert.deepEqual(types(), [], "spec 3.3: first_resolution: nothing of before");
    await harbour.clock.advance(2 * HOUR_MS);
    await poller.importRows(since("available", -1));
    await shipment.atOnce("it is available", ({ status }) => status === "available");
    assert.deepEqual(types(), ["container_available"]);
  });

  test("an import that says nothing of a shipment without an answer is read once", async () => {
    await open();
    const shipment = await track();
    await poller.importRows({ ...GATE_IN, withdrawn: true });
    const due = "select changes_at from cell.shipments where changes_at is not null";
    await harbour.clock.until(
      async () => (await harbour.stored.queryIn(harbour.cell, due)).rows.length === 0,
      "nothing is due",
      HOUR_MS,
    );
    assert.equal((await shipment.read()).status, "pending");
  });

  test("of a shipment that imports alone began, a carrier's first answer raises nothing of before either", async () => {
    await open(NOW);
    harbour.answer = async () => answered(500, "");
    const shipment = await track();
    await poller.importRows(GATE_IN);
    await shipment.has("GTIN");
    const star = { transportCall: { modeOfTransport: "VESSEL", vessel: { vesselName: "HERON STAR" } } };
    answers(harbour, GATE, move("LOAD", "2026-10-21T08:00:00+02:00", star), departed("NLRTM"));
    await shipment.has("GTIN", "LOAD", "DEPA");
    assert.deepEqual(types(), []);
  });

  test("a shipment tracked later sees what was imported before, under its container, bill and booking", async () => {
    await open();
    await poller.importRows({ ...GATE_IN, bill: "HRNL4000017", booking: "HRN0040001" });
    for (const reference of [BOX, "HRNL4000017", "HRN0040001"]) {
      const shipment = await track(reference);
      await shipment.has("GTIN");
      assert.equal((await shipment.read()).boxes[0]?.equipment_reference ?? BOX, BOX);
    }
  });

  test("a poll retracts nothing that was imported, and an import nothing of the carrier's", async () => {
    await open(NOW);
    const shipment = await track();
    await shipment.has("GTIN");
    await poller.importRows(LOADED);
    await shipment.has("GTIN", "LOAD");
    await shipment.pollAgain();
    assert.deepEqual(await shipment.codes(), ["GTIN actual", "LOAD actual"]);
    answers(harbour, move("STUF", "2026-10-19T08:00:00+02:00"));
    harbour.clock.jump(5 * HOUR_MS);
    await shipment.has("STUF", "LOAD");
  });

  test("a source that withdraws what it stated takes it off the timeline, and may state it again", async () => {
    await open();
    const shipment = await track();
    await poller.importRows(GATE_IN, LOADED);
    await shipment.has("GTIN", "LOAD");
    await poller.importRows({ ...LOADED, withdrawn: true });
    await shipment.has("GTIN");
    await poller.importRows(LOADED);
    await shipment.has("GTIN", "LOAD");
  });

  test("a record keeps what it has ingested after the import is deleted by age", async () => {
    await open(NOW);
    const shipment = await track();
    await poller.importRows(LOADED);
    await shipment.has("GTIN", "LOAD");
    await harbour.stored.queryIn(harbour.cell, "delete from cell.imported_milestones");
    answers(harbour, move("GTIN", "2026-10-20T08:05:00+02:00"));
    await shipment.pollAgain();
    assert.deepEqual(await shipment.codes(), ["GTIN actual", "LOAD actual"]);
  });

  test("a later estimate of the same source replaces the earlier", async () => {
    await open();
    const eta = (time: string, stated_at: string) =>
      row("eta", 0, { ...STAR, location: "USNYC", time, stated_at });
    const shipment = await track();
    await poller.importRows(LOADED, DEPARTED, eta("2026-11-10 08:00", "2026-10-23T00:00:00Z"));
    await poller.importRows(eta("2026-11-12 08:00", "2026-10-24T00:00:00Z"));
    await shipment.has("LOAD", "DEPA", "ARRI");
    await shipment.until("the later estimate", (one) => one.eta === "2026-11-12T13:00:00.000Z");
  });

  test("while its carrier is down, a shipment with a record goes on by imports", async () => {
    await open(NOW);
    const shipment = await track();
    await shipment.has("GTIN");
    harbour.answer = async () => answered(500, "");
    await poller.importRows(LOADED, DEPARTED);
    await shipment.has("GTIN", "LOAD", "DEPA");
    const { status, carrier } = await shipment.read();
    assert.deepEqual([status, carrier], ["in_transit", HERON.scac]);
  });

  test("a carrier that is replayed at its own time takes no import, whichever came first", async () => {
    await open(HERON);
    assert.equal(HERON.asOf, "answer-date");
    const lastYear = JSON.stringify([move("GTIN", "2025-10-20T08:00:00+02:00")]);
    harbour.answer = async () => answered(200, lastYear, { date: "Tue, 21 Oct 2025 08:00:00 GMT" });
    await poller.importRows(LOADED);
    const shipment = await track();
    await shipment.has("GTIN");
    await poller.importRows(DEPARTED);
    await shipment.pollAgain();
    assert.deepEqual(await shipment.codes(), ["GTIN actual"]);
    assert.equal((await shipment.read()).status, "pre_departure");
  });

  test("what imports alone state goes on by the clock, though they name a carrier that is replayed at another time", async () => {
    await open(HERON);
    harbour.answer = async () => answered(404, "");
    const shipment = await track();
    const eta = new Date(harbour.clock.nowMs() + 60 * HOUR_MS).toISOString();
    const rows = [LOADED, DEPARTED, row("eta", 0, { location: "USNYC", time: eta })];
    await poller.importRows(...rows.map((one) => ({ ...one, ...STAR, carrier: HERON.scac })));
    await shipment.has("LOAD", "DEPA", "ARRI");
    assert.equal((await shipment.read()).status, "in_transit");
    harbour.clock.jump(40 * HOUR_MS);
    await shipment.until("the arrival comes near", ({ status }) => status === "arriving");
  });

  test("an import leaves a container incomplete whose carrier cut its last answer", async () => {
    await open({ ...NOW, question: { limit: { max: 1 } } });
    const shipment = await track();
    await shipment.has("GTIN");
    await poller.importRows(LOADED);
    await shipment.has("GTIN", "LOAD");
    assert.equal((await shipment.read()).incomplete, true);
  });
});
