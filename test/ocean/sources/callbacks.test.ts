/** Which shipments a callback without a container concerns: by transport documents, and by vessel. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createCarrierCallbacks } from "../../../src/products/ocean/sources/callback.ts";
import { createPollHandler } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { claimDuePolls } from "../../../src/freight/polling/store/polls.ts";
import { query } from "../../support/database.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON, TERN } from "../shipping-lines.ts";

const SECRET = Buffer.from("a secret of two and thirty bytes").toString("base64");
const BATCHES = { callsMax: 100, gatherMs: 0 };
const LEASE_MS = 120_000;
const IMO = "9074729";
const BOX = "HRNU4000017";

let harbour: Harbour;
describe("callbacks of carriers", () => {
  beforeEach(async () => {
    const carriers = [HERON, TERN].map((carrier) => ({ ...carrier, callbackSecrets: [SECRET] }));
    harbour = await openHarbour(carriers);
  });
  afterEach(() => harbour.stored.drop());

  const call = { UNLocationCode: "CNTAO", modeOfTransport: "VESSEL", vessel: { vesselIMONumber: IMO } };
  const moves = (documentReferences: readonly object[] = []) =>
    ["EQUIPMENT", "TRANSPORT"].map((eventType) => ({
      eventType,
      equipmentEventTypeCode: "LOAD",
      transportEventTypeCode: "DEPA",
      eventClassifierCode: "ACT",
      eventDateTime: eventType === "EQUIPMENT" ? "2026-11-01T01:00:00Z" : "2026-11-01T05:00:00Z",
      ...(eventType === "EQUIPMENT" ? { equipmentReference: BOX } : {}),
      transportCall: call,
      documentReferences,
    }));

  /** Tracks a reference, its carrier having answered so; its next look is hours away. */
  async function track(reference: string, carrier: string, answer: readonly object[]): Promise<string> {
    const { ports, cell, clock } = harbour;
    const accountId = await harbour.account();
    const started = await startTracking(ports, cell, { accountId, reference, carrier });
    assert.ok(started.kind === "tracked");
    harbour.answer = async () => answered(200, JSON.stringify(answer));
    const queues = ["", "HRNL", "TRNC"].map((queue) => ({ source: queue, limit: 10 }));
    const claims = await claimDuePolls(ports.database, cell, queues, clock.nowMs(), LEASE_MS);
    const save = createPollWriter(ports, cell, BATCHES);
    for (const claimed of claims) {
      const deadlineMs = clock.monotonicMs() + LEASE_MS;
      const looked = await createPollHandler(ports, BATCHES).poll({ cell, claimed, deadlineMs });
      assert.ok(looked.kind === "polled");
      assert.equal((await save(looked.update)).kind, "saved");
    }
    return started.shipment.id;
  }

  /** The ids of shipments that a callback of a carrier makes due. */
  async function dueFor(scac: string, events: readonly object[]): Promise<readonly string[]> {
    const { stored, cell, ports } = harbour;
    const body = Buffer.from(JSON.stringify(events));
    const hex = createHmac("sha256", Buffer.from(SECRET, "base64")).update(body).digest("hex");
    const { database, index, clock, carriers, wake } = ports;
    const callbacks = createCarrierCallbacks({ database, index, clock, carriers, wake });
    const outcome = await callbacks.handle(scac, `sha256=${hex}`, body);
    assert.equal(outcome.kind, "accepted");
    const sql = `select shipment_id from ${cell.schema}.polls where next_poll_at < '1970-01-02' order by 1`;
    const { rows } = await query(stored.address, sql);
    await query(stored.address, `update ${cell.schema}.polls set next_poll_at = '2100-01-01'`);
    return (rows as { shipment_id: string }[]).map((row) => row.shipment_id);
  }

  const booking = (documentReferenceValue: string) => ({
    documentReferenceType: "BKG",
    documentReferenceValue,
  });
  const arrival = (documentReferences: readonly object[], vesselIMONumber = IMO) => ({
    eventType: "TRANSPORT",
    transportEventTypeCode: "ARRI",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-11-20T01:00:00Z",
    transportCall: { ...call, UNLocationCode: "NLRTM", vessel: { vesselIMONumber } },
    documentReferences,
  });

  test("a callback about a vessel's call with a booking refreshes a container whose carrier has named that booking", async () => {
    const id = await track(BOX, "HRNL", moves([booking("HRN-0040001")]));
    assert.deepEqual(await dueFor("HRNL", [arrival([booking("hrn 0040001")])]), [id]);
    assert.deepEqual(await dueFor("HRNL", [arrival([booking("HRN0040002")])]), [], "another booking's ship");
    assert.deepEqual(
      await dueFor("TRNC", [arrival([booking("HRN0040001")])]),
      [],
      "another carrier's booking",
    );
  });

  test("a paper that an event is about ties a container to it as well", async () => {
    const confirmed = {
      eventType: "SHIPMENT",
      shipmentEventTypeCode: "CONF",
      documentTypeCode: "BKG",
      documentID: "HRN0040001",
      eventDateTime: "2026-10-20T09:00:00Z",
    };
    const id = await track(BOX, "HRNL", [confirmed, ...moves()]);
    assert.deepEqual(await dueFor("HRNL", [arrival([booking("HRN0040001")])]), [id]);
  });

  test("a container without known documents is polled after a call of its vessel", async () => {
    const id = await track(BOX, "HRNL", moves());
    const named = await track("HRNU4000022", "HRNL", [
      ...moves([booking("HRN0040009")]).map((one) => ({ ...one, equipmentReference: "HRNU4000022" })),
    ]);
    const unknown = arrival([booking("HRN0040001")], `IMO ${IMO}`);
    assert.deepEqual(await dueFor("HRNL", [unknown]), [id]);
    assert.deepEqual(await dueFor("HRNL", [arrival([], "9321483")]), [], "another ship");
    assert.deepEqual(await dueFor("TRNC", [unknown]), [], "another carrier's boxes");
    assert.deepEqual(
      await dueFor("HRNL", [arrival([booking("HRN0040009")])]),
      [named],
      "a booking says more",
    );
    const ofABox = { ...unknown, references: [{ referenceType: "EQ", referenceValue: "HRNU4000038" }] };
    assert.deepEqual(await dueFor("HRNL", [ofABox]), [], "a container that it names is not this one");
  });
});
