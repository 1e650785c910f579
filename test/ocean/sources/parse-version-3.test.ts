/** Track & Trace 3.0 and Port Call 2.0, read into the same neutral events as 2.2. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { parsePages } from "../../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING, spellingWith } from "../../../src/freight/dcsa/spelling.ts";
import { broken, departed as departedOf, eventsOf, parse, testSamples } from "./departed.ts";
import { forAll } from "../../support/runs.ts";

const origin = { partyCode: "HRNL", codeListProvider: "SMDG", codeListName: "LCL" };
const booking = { typeCode: "BKG", reference: "HRN0040001" };
const bill = { typeCode: "TRD", reference: "HRNL0040001A" };

const departure = {
  eventRouting: { originatingParty: origin },
  eventID: "departure-1",
  eventDateTime: "2026-03-10T19:24:00+09:00",
  eventUpdatedDateTime: "2026-03-10T10:50:00Z",
  eventLocation: {
    locationName: "Yokohama",
    UNLocationCode: "JPYOK",
    facilityTypeCode: "POTE",
    facility: { facilityCode: "YOKMC", facilityCodeListProvider: "SMDG" },
  },
  eventClassification: {
    eventTypeCode: "TRANSPORT",
    eventClassifierCode: "ACT",
    transportEventTypeCode: "DEPA",
  },
  shipmentDetails: { documentReference: booking, additionalDocumentReferences: [bill] },
  transportDetails: {
    transportCall: {
      modeOfTransport: "VESSEL",
      exportVoyageNumberOrReference: { carrierVoyageNumber: "014E" },
      importVoyageNumberOrReference: { carrierVoyageNumber: "013W" },
      vesselTransport: { vesselIMONumber: "1200017", vesselName: "HERON DAWN" },
    },
  },
};

const departed = departedOf({
  place: { unlocode: "JPYOK", name: "Yokohama", facility: "YOKMC", facilityType: "POTE" },
  documentType: "BKG",
  documents: [
    { type: "BKG", value: "HRN0040001" },
    { type: "TRD", value: "HRNL0040001A" },
  ],
});
/** An event of 3.0 in its groups. */
const classified = (eventTypeCode: string, codes: object, more: object = {}) => ({
  ...{ eventID: "1", eventDateTime: "2026-03-28T08:00:00Z" },
  eventClassification: { eventTypeCode, eventClassifierCode: "ACT", ...codes },
  ...more,
});

test("an event of 3.0 says what the same event of 2.2 says", () => {
  for (const answer of [{ events: [departure] }, [departure], departure])
    assert.deepEqual(eventsOf(answer), [departed]);
});

test("coordinates are read where 3.0 has them", () => {
  const eventLocation = { locationName: "Gate 7", geoCoordinate: { latitude: "36.05", longitude: "120.3" } };
  const [read] = eventsOf([{ ...departure, eventLocation }]);
  assert.deepEqual(read?.place?.position, { latitude: 36.05, longitude: 120.3 });
});

test("what happens to a box is read with its size, its filling and what the move is part of", () => {
  const equipmentDetails = {
    ...{ equipmentReference: "hrnu4000017", ISOEquipmentCode: "22G1", emptyIndicatorCode: "LADEN" },
    movementType: "IMPORT",
  };
  const eventLocation = { UNLocationCode: "USOAK" };
  const released = classified(
    "EQUIPMENT",
    { equipmentEventTypeCode: "AVPU" },
    { eventLocation, equipmentDetails },
  );
  const [{ kind, code, equipment, isoCode, laden, movement, mode } = departed] = eventsOf([released]);
  assert.deepEqual([kind, code, equipment], ["equipment", "AVPU", "HRNU4000017"]);
  assert.deepEqual([isoCode, laden, movement, mode], ["22G1", true, "import", null]);
});

test("a hold on the customs clearance is the hold that 2.2 has on the customs inspection", () => {
  const shipmentDetails = { documentReference: { typeCode: "CUC", reference: "7" } };
  const [event] = eventsOf([classified("SHIPMENT", { shipmentEventTypeCode: "HOLD" }, { shipmentDetails })]);
  assert.deepEqual([event?.kind, event?.documentType, event?.code], ["shipment", "CUS", "HOLD"]);
});

test("readings of a box's sensors are of no concern, and nothing is wrong with them", () =>
  assert.deepEqual(eventsOf([classified("IOT", {}), classified("REEFER", {})]), []));

test("of an event's versions the latest stands, wherever it is in the answer", () => {
  const later = {
    ...departure,
    eventUpdatedDateTime: "2026-03-11T00:00:00Z",
    eventDateTime: "2026-03-10T21:00:00+09:00",
  };
  const other = {
    ...departure,
    eventRouting: { originatingParty: { ...origin, partyCode: "TRNC" } },
    eventDateTime: "2026-03-01T00:00:00Z",
  };
  for (const events of [
    [departure, later, other],
    [other, later, departure],
  ]) {
    const times = eventsOf({ events }).map(({ at }) => at.local);
    assert.deepEqual(times.toSorted(), ["2026-03-01T00:00:00", "2026-03-10T21:00:00"]);
  }
});

test("a retraction removes what it names, on whichever page, and nothing else", () => {
  const retraction = { eventID: "departure-1", isRetracted: true };
  const kept = { ...departure, eventID: "departure-2" };
  for (const pages of [[[retraction], [departure, kept]], [[departure, kept, retraction]]]) {
    const parsed = parsePages(pages, DCSA_SPELLING);
    assert.deepEqual([parsed?.events.length, parsed?.skipped], [1, []]);
  }
  const before = { ...retraction, eventUpdatedDateTime: "2026-03-10T00:00:00Z" };
  assert.equal(eventsOf([before, departure]).length, 1, "the event was stated again after its retraction");
  const flat = {
    eventId: "2.2",
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-10T10:00:00Z",
  };
  assert.equal(eventsOf([flat, { ...flat, eventID: "2.2", isRetracted: true }]).length, 0);
  assert.equal(eventsOf([flat, flat]).length, 2, "ids of 2.2 name messages");
});

function portCall(service: object, timestamp: object = {}, more: object = {}) {
  return {
    eventID: "3910eb91-8791-4699-8029-8bba8cedb6f5",
    eventUpdatedDateTime: "2026-03-20T10:00:00Z",
    portCall: { UNLocationCode: "USOAK" },
    portCallService: service,
    timestamp: { classifierCode: "ACT", serviceDateTime: "2026-03-20T09:00:00-07:00", ...timestamp },
    vessel: { vesselIMONumber: "1200017", vesselName: "HERON DAWN" },
    ...more,
  };
}

test("what a vessel does within a port is an arrival or a departure at a place that says which", () => {
  for (const [portCallServiceTypeCode, portCallServiceEventTypeCode, said] of [
    ["ANCHORAGE", "STRT", "ARRI ANCH"],
    ["ANCHORAGE", "CMPL", "DEPA ANCH"],
    ["BERTH", "ARRI", "ARRI BRTH"],
    ["BERTH", "DEPA", "DEPA BRTH"],
    ["ALL_FAST", "ARRI", "ARRI BRTH"],
    ["PILOT_BOARDING_PLACE", "ARRI", "ARRI PBPL"],
    ["BUNKERING", "STRT", null],
  ] as const) {
    const read = eventsOf([portCall({ portCallServiceTypeCode, portCallServiceEventTypeCode })]).map(
      ({ code, place, vessel, mode }) =>
        [code, place?.facilityType, place?.unlocode, vessel?.imo, mode].join(" "),
    );
    assert.deepEqual(read, said === null ? [] : [`${said} USOAK 1200017 vessel`]);
  }
});

test("a port call that was called off, and a time that is only wished for, say nothing", () => {
  const berth = { portCallServiceTypeCode: "BERTH", portCallServiceEventTypeCode: "ARRI" };
  for (const event of [
    portCall({ ...berth, isCanceled: true }),
    portCall({ ...berth, isDeclined: true }),
    portCall(berth, { classifierCode: "REQ" }),
    portCall(berth, {}, { portCall: { UNLocationCode: "USOAK", isOmitted: true } }),
    portCall(berth, {}, { terminalCall: { isOmitted: true } }),
  ]) {
    assert.deepEqual(eventsOf([event]), []);
  }
  assert.equal(eventsOf([portCall(berth, { classifierCode: "EST" })])[0]?.classifier, "estimated");
});

test("last free days are read beside an event, beside the list, and as the Arrival Notice has them", () => {
  const box = (equipmentReference: string, more: object) => ({
    ...{ ...departure, ...classified("EQUIPMENT", { equipmentEventTypeCode: "DISC" }) },
    ...{ equipmentDetails: { equipmentReference }, eventID: JSON.stringify(more), ...more },
  });
  const freeTimes = [
    { typeCodes: ["DET"], lastFreeDate: { value: "2026-05-01" } },
    {
      ...{ typeCodes: ["DEM"], equipmentReferences: ["HRNU4000022"] },
      lastFreeDate: { value: "2026-04-02", classifier: "EST" },
    },
    { lastFreeDateTime: { value: "2026-04-04T23:59:00-07:00" } },
    { typeCodes: ["DEM"], lastFreeDate: "2026-02-30" },
    { typeCodes: ["DEM"], lastFreeDate: "9999-12-31" },
  ];
  const earlier = { lastFreeDay: "2026-04-09", eventUpdatedDateTime: "2026-03-01T00:00:00Z" };
  const events = [box("HRNU4000017", { lastFreeDay: "2026-04-01" }), box("HRNU4000017", earlier)];
  const own = spellingWith({ fields: { lastFreeDay: ["demurrageFreeUntil"] } });
  const days = parse({ events, freeTimes }, own)?.freeDays ?? [];
  assert.deepEqual(Object.fromEntries(days.map(({ equipment, lastFreeDay }) => [equipment, lastFreeDay])), {
    ...{ HRNU4000022: "2026-04-02", HRNU4000017: "2026-04-01", null: "2026-04-04" },
  });
  const spelled = parse([box("HRNU4000017", { demurrageFreeUntil: "2026-04-03T00:00:00Z" })], own);
  const { at, place } = spelled!.events[0]!;
  assert.deepEqual(spelled?.freeDays, [
    { equipment: "HRNU4000017", lastFreeDay: "2026-04-03", of: { at, place } },
  ]);
});

test("a list may lie deeper in the answer, and a carrier may spell the groups of 3.0 its own way", () => {
  const { eventClassification, ...rest } = departure;
  const fields = { eventClassification: ["classification"] };
  const own = spellingWith({ envelopes: ["payload.list"], fields });
  const answer = { payload: { list: [{ ...rest, classification: eventClassification }] } };
  assert.deepEqual(eventsOf(answer, own), [departed]);
});

test("whatever JSON a carrier of 3.0 answers with, parsing it does not throw", () => {
  const calls = portCall({ portCallServiceTypeCode: "BERTH", portCallServiceEventTypeCode: "ARRI" });
  forAll(100, fc.array(fc.oneof(broken(departure), broken(calls))), (events) => {
    const parsed = parse({ events, freeTimes: events });
    assert.ok(parsed !== null && parsed.events.length + parsed.skipped.length <= events.length);
  });
});

testSamples({
  "tnt-300-response": [3, 0],
  "tnt-300-response-nextpage": [3, 0],
  "tnt-300-request-equipment": [1, 0],
  "tnt-300-request-iot": [0, 0],
  "tnt-300-request-reefer": [0, 0],
  "tnt-300-request-shipment": [1, 0],
  "tnt-300-request-transport": [1, 0],
});
