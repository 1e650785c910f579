/** Which shipments a callback concerns: by its containers, by transport documents, and by vessel. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, test } from "node:test";

import { DCSA_SPELLING } from "../../../src/freight/dcsa/spelling.ts";
import { createCarrierCallbacks } from "../../../src/products/ocean/sources/callback.ts";
import { referencesIn } from "../../../src/products/ocean/sources/dcsa/notification.ts";
import { openHarbour, type Harbour } from "../harbour.ts";
import { HERON, TERN } from "../shipping-lines.ts";
import { answers, BOOKED, refreshDue, track } from "./polling.ts";

const SECRET = Buffer.from("a secret of two and thirty bytes").toString("base64");
const IMO = "9074729";
const BOX = "HRNU4000017";

const call = { UNLocationCode: "CNTAO", modeOfTransport: "VESSEL", vessel: { vesselIMONumber: IMO } };
const booked = (value: string) => [{ documentReferenceType: "BKG", documentReferenceValue: value }];
const calls = (
  code: string,
  eventDateTime: string,
  documentReferences: readonly object[],
  transportCall: object,
) => ({
  ...{ eventType: "TRANSPORT", transportEventTypeCode: code, eventClassifierCode: "ACT", eventDateTime },
  ...{ documentReferences, transportCall },
});
const moves = (documentReferences: readonly object[] = [], equipmentReference = BOX) => [
  {
    ...calls("DEPA", "2026-11-01T01:00:00Z", documentReferences, call),
    ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: "LOAD", equipmentReference },
  },
  calls("DEPA", "2026-11-01T05:00:00Z", documentReferences, call),
];
const arrival = (documentReferences: readonly object[], vesselIMONumber = IMO) =>
  calls("ARRI", "2026-11-20T01:00:00Z", documentReferences, {
    ...{ ...call, UNLocationCode: "NLRTM", vessel: { vesselIMONumber } },
  });

test("a callback about a paper names the containers among its references", () => {
  const references = [
    { referenceType: "PO", referenceValue: "ORDER7" },
    { referenceType: "EQ", referenceValue: "CSQU 305438-3" },
    { referenceType: "EQ", referenceValue: "HRNU4000017" },
  ];
  const held = { ...BOOKED, shipmentEventTypeCode: "HOLD", documentTypeCode: "CUS", references };
  assert.deepEqual(referencesIn([held], DCSA_SPELLING), ["CSQU3054383", "HRNU4000017"]);
});

describe("callbacks of carriers", () => {
  let harbour: Harbour;
  beforeEach(async () => {
    const carriers = [HERON, TERN].map((carrier) => ({ ...carrier, callbackSecrets: [SECRET] }));
    harbour = await openHarbour(carriers);
  });
  afterEach(() => harbour.stored.drop());

  /** Tracks a reference that Heron has answered for; its next poll is hours away. */
  async function known(reference: string, ...events: readonly object[]): Promise<string> {
    const { id } = await track(harbour, reference, { carrier: "HRNL" });
    answers(harbour, ...events);
    assert.deepEqual(await refreshDue(harbour), ["changed"]);
    return id;
  }

  /** The ids of shipments that a callback of a carrier makes due. */
  async function dueFor(scac: string, ...events: readonly object[]): Promise<readonly string[]> {
    const { stored, cell, ports } = harbour;
    const body = Buffer.from(JSON.stringify(events));
    const hex = createHmac("sha256", Buffer.from(SECRET, "base64")).update(body).digest("hex");
    const outcome = await createCarrierCallbacks(ports).handle(scac, `sha256=${hex}`, body);
    assert.equal(outcome.kind, "accepted");
    const { rows } = await stored.queryIn(
      cell,
      "select shipment_id from cell.polls where next_poll_at < '1970-01-02' order by 1",
    );
    await stored.queryIn(cell, "update cell.polls set next_poll_at = '2100-01-01'");
    return (rows as { shipment_id: string }[]).map((row) => row.shipment_id);
  }

  test("a callback about a vessel's call with a booking refreshes a container whose carrier has named that booking", async () => {
    const id = await known(BOX, ...moves(booked("HRN-0040001")));
    assert.deepEqual(await dueFor("HRNL", arrival(booked("hrn 0040001"))), [id]);
    assert.deepEqual(await dueFor("HRNL", arrival(booked("HRN0040002"))), [], "another booking's ship");
    assert.deepEqual(await dueFor("TRNC", arrival(booked("HRN0040001"))), [], "another carrier's booking");
  });

  test("a paper that an event is about ties a container to it as well", async () => {
    const id = await known(BOX, { ...BOOKED, documentID: "HRN0040001" }, ...moves());
    assert.deepEqual(await dueFor("HRNL", arrival(booked("HRN0040001"))), [id]);
  });

  test("a container without known documents is polled after a call of its vessel", async () => {
    const id = await known(BOX, ...moves());
    const named = await known("HRNU4000022", ...moves(booked("HRN0040009"), "HRNU4000022"));
    const unknown = arrival(booked("HRN0040001"), `IMO ${IMO}`);
    assert.deepEqual(await dueFor("HRNL", unknown), [id]);
    assert.deepEqual(await dueFor("HRNL", arrival([], "9321483")), [], "another ship");
    assert.deepEqual(await dueFor("TRNC", unknown), [], "another carrier's boxes");
    assert.deepEqual(await dueFor("HRNL", arrival(booked("HRN0040009"))), [named], "a booking says more");
    const ofABox = { ...unknown, references: [{ referenceType: "EQ", referenceValue: "HRNU4000038" }] };
    assert.deepEqual(await dueFor("HRNL", ofABox), [], "a container that it names is not this one");
  });
});
