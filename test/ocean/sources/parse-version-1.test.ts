/** Track & Trace 1.1, 1.2 and 2.0, and events without a transport call, read into the same neutral events as 2.2. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { DCSA_SPELLING, spellingWith } from "../../../src/freight/dcsa/spelling.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { vesselsIn } from "../../../src/products/ocean/sources/dcsa/notification.ts";
import { departed as departedOf, eventsOf, parse } from "./departed.ts";

const place = { UNLocationCode: "JPYOK", facilityCode: "YOKMC", facilityTypeCode: "POTE" };
const stated = { eventDateTime: "2026-03-10T19:24:00+09:00", eventClassifierCode: "ACT" };
const atSea = {
  ...{ eventID: "1", eventTypeCode: "DEPA", modeOfTransportCode: "1", ...stated, ...place },
  ...{ transportReference: "9648714", transportLegReference: "014E" },
};
const departed = departedOf({ createdAtMs: null, vessel: { name: null, imo: "9648714" }, documents: [] });

test("1.1 names no type: the code and the other fields tell it, in a callback as well", () => {
  const gate = {
    ...{ ...atSea, eventTypeCode: "GTIN", transportReference: undefined, modeOfTransportCode: "3" },
    ...{ equipmentReference: "APZU4812090", emptyIndicatorCode: "Empty", otherFacility: "Depot 5" },
  };
  const booked = {
    ...{ eventID: "3", ...stated, eventTypeCode: "CONF", shipmentInformationTypeCode: "BOK" },
  };
  const [first, moved, confirmed] = eventsOf({ events: [atSea, gate, booked] });
  assert.deepEqual(first, departed);
  const { kind, code, mode, vessel, voyage, equipment, laden } = moved!;
  assert.deepEqual([kind, code, mode, vessel, voyage], ["equipment", "GTIN", "truck", null, null]);
  assert.deepEqual([equipment, laden, moved?.place?.name], ["APZU4812090", false, "Depot 5"]);
  assert.deepEqual([confirmed?.kind, confirmed?.code, confirmed?.documentType], ["shipment", "CONF", "BKG"]);
  assert.deepEqual(vesselsIn({ events: [atSea] }, DCSA_SPELLING), ["9648714"]);
});

test("the type may be written in any case, and 1.2 has one for calls and moves with their box", () => {
  for (const eventType of [
    "TRANSPORT",
    "transport",
    "TransportEvent",
    "TRANSPORTEQUIPMENT",
    "transport_equipment",
  ])
    assert.deepEqual(eventsOf([{ ...atSea, eventType }]), [departed], eventType);
  const loaded = { ...atSea, eventType: "TRANSPORTEQUIPMENT", eventTypeCode: "LOAD" };
  const [load] = eventsOf([{ ...loaded, equipmentReference: "APZU4812090", emptyIndicatorCode: "LADEN" }]);
  assert.deepEqual([load?.kind, load?.mode, load?.laden], ["equipment", "vessel", true]);
  const { eventTypeCode, ...newer } = atSea;
  const lower = { ...newer, eventType: "transport", transportEventTypeCode: eventTypeCode };
  assert.equal(eventsOf([lower])[0]?.kind, "transport");
});

test("an unknown code without a type is skipped with its reason, and a carrier's own names are data here, too", () => {
  const unknown = { ...atSea, eventTypeCode: "XXXX", eventType: "TEMPERATURE" };
  const { events, skipped } = parse([{ ...atSea, eventType: "SENSOR" }, unknown])!;
  assert.equal(events.length, 1, "the code of a call tells more than an unknown type");
  assert.deepEqual(skipped, [{ index: 1, reason: "eventType TEMPERATURE" }]);
  const spelling = spellingWith({ fields: { eventTypeCode: ["moveCode"], eventType: ["kind"] } });
  const { eventTypeCode: moveCode, ...rest } = atSea;
  assert.deepEqual(eventsOf([{ ...rest, moveCode, kind: "TransportEvent" }], spelling), [departed]);
});

test("2.0 has the code of 1.x with a call, and 2.2 without a call has place and vessel on the event itself, or none", () => {
  const code = { ...stated, eventType: "TRANSPORT", eventTypeCode: "DEPA" };
  const bare = { ...stated, eventType: "TRANSPORT", transportEventTypeCode: "DEPA" };
  const flat = { ...place, modeOfTransport: "VESSEL" };
  const vessel = { vesselIMONumber: "9648714" };
  for (const event of [
    { ...code, transportCall: { ...flat, ...vessel, carrierVoyageNumber: "014E" } },
    { ...bare, ...flat, vessel, exportVoyageNumber: "014E" },
    { ...bare, ...flat, ...vessel, carrierVoyageNumber: "014E", transportCall: null },
  ])
    assert.deepEqual(eventsOf([event]), [departed]);
  const [unplaced] = eventsOf([{ ...bare, transportCallID: "7" }]);
  assert.deepEqual([unplaced?.place, unplaced?.mode, unplaced?.vessel], [null, null, null]);
  const eventLocation = { UNLocationCode: "JPYOK" };
  assert.equal(eventsOf([{ ...bare, eventLocation }])[0]?.place?.unlocode, "JPYOK");
});

/** An event of 2.2 as 1.1 writes it; what 1.1 has no field for is left out. */
function inVersion1(raw: JsonObject): JsonObject {
  const call = (raw["transportCall"] ?? {}) as JsonObject;
  const { vessel, location } = call as { vessel?: JsonObject | null; location?: JsonObject };
  const where: JsonObject = { ...location, ...(raw["eventLocation"] as JsonObject | undefined) };
  const modes: Readonly<Record<string, string>> = { VESSEL: "1", RAIL: "2", TRUCK: "3", BARGE: "8" };
  const type = String(raw["eventType"]).toLowerCase();
  const kept = [
    "eventID",
    "eventDateTime",
    "eventClassifierCode",
    "equipmentReference",
    "emptyIndicatorCode",
  ];
  return {
    ...Object.fromEntries(kept.map((name) => [name, raw[name]])),
    eventTypeCode: raw[`${type}EventTypeCode`],
    ...(type === "shipment" ? { shipmentInformationTypeCode: raw["documentTypeCode"] } : {}),
    UNLocationCode: call["UNLocationCode"] ?? call["unLocationCode"] ?? where["UNLocationCode"],
    facilityCode: call["facilityCode"] ?? where["facilityCode"],
    facilityTypeCode: call["facilityTypeCode"] ?? where["facilityTypeCode"],
    modeOfTransportCode: modes[String(call["modeOfTransport"])],
    transportReference: vessel?.["vesselIMONumber"],
    transportLegReference:
      call["exportVoyageNumber"] ?? call["carrierVoyageNumber"] ?? call["importVoyageNumber"],
  };
}

test("every journey, written as 1.1 writes it, holds the same events as 2.2 as far as 1.1 has fields", async () => {
  const known = ({ kind, code, classifier, at, mode, laden, documentType, ...more }: CarrierEvent) => ({
    ...{ kind, code, classifier, at, mode, laden, documentType },
    // 1.1 names no box of a document.
    equipment: kind === "shipment" ? null : more.equipment,
    ...{ unlocode: more.place?.unlocode, imo: more.vessel?.imo },
    voyage: more.vessel === null ? null : more.voyage,
  });
  let compared = 0;
  for (const { events } of await readRecordings(JOURNEYS_FOLDER)) {
    const raws = events.map(({ raw }) => raw).filter((raw) => raw["isRetracted"] !== true);
    const whole = parse(raws)!;
    const older = parse(raws.map(inVersion1))!;
    assert.deepEqual(older.skipped, whole.skipped);
    assert.deepEqual(older.events.map(known), whole.events.map(known));
    compared += older.events.length;
  }
  assert.ok(compared > 40, String(compared));
});
