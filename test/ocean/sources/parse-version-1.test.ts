/** Track & Trace 1.1, 1.2 and 2.0, and events without a transport call, read into the same neutral events as 2.2. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { DCSA_SPELLING, spellingWith } from "../../../src/freight/dcsa/spelling.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { vesselsIn } from "../../../src/products/ocean/sources/dcsa/notification.ts";
import { parseAnswer } from "../../../src/products/ocean/sources/dcsa/parse.ts";

const atSea = {
  eventID: "1",
  eventDateTime: "2026-03-10T19:24:00+09:00",
  eventClassifierCode: "ACT",
  eventTypeCode: "DEPA",
  transportReference: "9648714",
  transportLegReference: "014E",
  facilityTypeCode: "POTE",
  UNLocationCode: "JPYOK",
  facilityCode: "YOKMC",
  modeOfTransportCode: "1",
};

const departed: CarrierEvent = {
  kind: "transport",
  code: "DEPA",
  classifier: "actual",
  at: { ms: Date.UTC(2026, 2, 10, 10, 24), offsetMinutes: 540, local: "2026-03-10T19:24:00" },
  createdAtMs: null,
  place: { unlocode: "JPYOK", name: null, facility: "YOKMC", facilityType: "POTE" },
  mode: "vessel",
  vessel: { name: null, imo: "9648714" },
  voyage: "014E",
  equipment: null,
  laden: null,
  documentType: null,
  documents: [],
};

function read(...raws: readonly object[]) {
  return parseAnswer({ events: raws }, DCSA_SPELLING);
}

test("1.1 names no type: the code and the other fields tell it", () => {
  const gate = {
    ...atSea,
    eventTypeCode: "GTIN",
    transportReference: undefined,
    modeOfTransportCode: "3",
    equipmentReference: "APZU4812090",
    emptyIndicatorCode: "Empty",
    otherFacility: "Depot 5",
  };
  const booked = {
    eventID: "3",
    eventDateTime: "2026-03-01T09:00:00Z",
    eventClassifierCode: "ACT",
    eventTypeCode: "CONF",
    shipmentInformationTypeCode: "BOK",
  };
  const { events, skipped } = read(atSea, gate, booked)!;
  assert.deepEqual(skipped, []);
  assert.deepEqual(events[0], departed);
  const { kind, code, mode, vessel, voyage, equipment, laden, place } = events[1]!;
  assert.deepEqual([kind, code, mode, vessel, voyage], ["equipment", "GTIN", "truck", null, null]);
  assert.deepEqual([equipment, laden, place?.name], ["APZU4812090", false, "Depot 5"]);
  assert.deepEqual([events[2]?.kind, events[2]?.code, events[2]?.documentType], ["shipment", "CONF", "BKG"]);
});

test("the type may be written in any case, and 1.2 has one for calls and moves with their box", () => {
  const written = ["TRANSPORT", "transport", "TransportEvent", "TRANSPORTEQUIPMENT", "transport_equipment"];
  for (const eventType of written) {
    assert.deepEqual(read({ ...atSea, eventType })?.events, [departed], eventType);
  }
  const loaded = { ...atSea, eventType: "TRANSPORTEQUIPMENT", eventTypeCode: "LOAD" };
  const [load] = read({ ...loaded, equipmentReference: "APZU4812090", emptyIndicatorCode: "LADEN" })!.events;
  assert.deepEqual([load?.kind, load?.mode, load?.laden], ["equipment", "vessel", true]);
  const { transportEventTypeCode, eventType, ...newer } = {
    ...atSea,
    transportEventTypeCode: "DEPA",
    eventType: "transport",
  };
  const lower = { ...newer, eventTypeCode: undefined, eventType, transportEventTypeCode };
  assert.equal(read(lower)?.events[0]?.kind, "transport");
});

test("an unknown code without a type is skipped with its reason, and a carrier's own names are data here, too", () => {
  const { events, skipped } = read(
    { ...atSea, eventType: "SENSOR" },
    { ...atSea, eventTypeCode: "XXXX", eventType: "TEMPERATURE" },
  )!;
  assert.equal(events.length, 1, "the code of a call tells more than an unknown type");
  assert.deepEqual(skipped, [{ index: 1, reason: "eventType TEMPERATURE" }]);
  const spelling = spellingWith({ fields: { eventTypeCode: ["moveCode"], eventType: ["kind"] } });
  const { eventTypeCode: moveCode, ...rest } = atSea;
  assert.deepEqual(parseAnswer([{ ...rest, moveCode, kind: "TransportEvent" }], spelling)?.events, [
    departed,
  ]);
});

test("2.0 has the type code of 1.x with a transport call, and the vessel's number on the call", () => {
  const transportCall = {
    UNLocationCode: "JPYOK",
    facilityCode: "YOKMC",
    facilityTypeCode: "POTE",
    modeOfTransport: "VESSEL",
    vesselIMONumber: "9648714",
    carrierVoyageNumber: "014E",
  };
  const { eventID, eventDateTime, eventClassifierCode } = atSea;
  const event = {
    eventID,
    eventDateTime,
    eventClassifierCode,
    eventType: "TRANSPORT",
    eventTypeCode: "DEPA",
  };
  assert.deepEqual(read({ ...event, transportCall })?.events, [departed]);
});

test("an event of 2.2 without a transport call has its place and vessel on itself, or none", () => {
  const bare = {
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "ACT",
    eventDateTime: atSea.eventDateTime,
  };
  const flat = {
    UNLocationCode: "JPYOK",
    facilityCode: "YOKMC",
    facilityTypeCode: "POTE",
    modeOfTransport: "VESSEL",
  };
  const vessel = { vesselIMONumber: "9648714" };
  for (const more of [
    { ...flat, vessel, exportVoyageNumber: "014E" },
    { ...flat, ...vessel, carrierVoyageNumber: "014E", transportCall: null },
  ]) {
    assert.deepEqual(read({ ...bare, ...more })?.events, [departed]);
  }
  const [unplaced] = read({ ...bare, transportCallID: "7" })!.events;
  assert.deepEqual([unplaced?.place, unplaced?.mode, unplaced?.vessel], [null, null, null]);
  const eventLocation = { UNLocationCode: "JPYOK" };
  assert.equal(read({ ...bare, eventLocation })?.events[0]?.place?.unlocode, "JPYOK");
});

test("a callback of 1.1 names the vessel of a call without a box", () => {
  assert.deepEqual(vesselsIn({ events: [atSea] }, DCSA_SPELLING), ["9648714"]);
});

/** An event of 2.2 as 1.1 writes it; what 1.1 has no field for is left out. */
function inVersion1(raw: JsonObject): JsonObject {
  const call = (raw["transportCall"] ?? {}) as JsonObject;
  const place = {
    ...(call["location"] as JsonObject | undefined),
    ...(raw["eventLocation"] as JsonObject | undefined),
  };
  const vessel = (call["vessel"] ?? {}) as JsonObject;
  const modes: Readonly<Record<string, string>> = { VESSEL: "1", RAIL: "2", TRUCK: "3", BARGE: "8" };
  const type = String(raw["eventType"]).toLowerCase();
  return {
    eventID: raw["eventID"],
    eventDateTime: raw["eventDateTime"],
    eventClassifierCode: raw["eventClassifierCode"],
    eventTypeCode: raw[`${type}EventTypeCode`],
    ...(type === "shipment" ? { shipmentInformationTypeCode: raw["documentTypeCode"] } : {}),
    equipmentReference: raw["equipmentReference"],
    emptyIndicatorCode: raw["emptyIndicatorCode"],
    UNLocationCode: call["UNLocationCode"] ?? call["unLocationCode"] ?? place["UNLocationCode"],
    facilityCode: call["facilityCode"] ?? place["facilityCode"],
    facilityTypeCode: call["facilityTypeCode"] ?? place["facilityTypeCode"],
    modeOfTransportCode: modes[String(call["modeOfTransport"])],
    transportReference: vessel["vesselIMONumber"],
    transportLegReference:
      call["exportVoyageNumber"] ?? call["carrierVoyageNumber"] ?? call["importVoyageNumber"],
  };
}

test("every journey, written as 1.1 writes it, holds the same events as 2.2 as far as 1.1 has fields", async () => {
  const known = ({
    kind,
    code,
    classifier,
    at,
    place,
    mode,
    vessel,
    voyage,
    equipment,
    laden,
    documentType,
  }: CarrierEvent) => ({
    // 1.1 names no box of a document.
    ...{ kind, code, classifier, at, mode, laden, documentType },
    equipment: kind === "shipment" ? null : equipment,
    ...{ unlocode: place?.unlocode, imo: vessel?.imo, voyage: vessel === null ? null : voyage },
  });
  let compared = 0;
  for (const { events } of await readRecordings(JOURNEYS_FOLDER)) {
    const raws = events.map(({ raw }) => raw).filter((raw) => raw["isRetracted"] !== true);
    const whole = parseAnswer(raws, DCSA_SPELLING)!;
    const older = read(...raws.map(inVersion1))!;
    assert.deepEqual(older.skipped, whole.skipped);
    assert.deepEqual(older.events.map(known), whole.events.map(known));
    compared += older.events.length;
  }
  assert.ok(compared > 40, String(compared));
});
