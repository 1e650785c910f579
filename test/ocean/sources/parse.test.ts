import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { parseAnswer } from "../../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING, spellingWith } from "../../../src/freight/dcsa/spelling.ts";
import { readDateTime } from "../../../src/freight/dcsa/time.ts";
import { sharedPath } from "../../support/shared.ts";

const departure = {
  eventID: "5f0c1a00-0000-4000-8000-000000000001",
  eventType: "TRANSPORT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-10T19:24:00+09:00",
  eventCreatedDateTime: "2026-03-10T10:50:00Z",
  transportEventTypeCode: "DEPA",
  transportCall: {
    modeOfTransport: "VESSEL",
    UNLocationCode: "JPYOK",
    facilityTypeCode: "POTE",
    facilityCode: "YOKMC",
    exportVoyageNumber: "014E",
    vessel: { vesselName: "HERON DAWN", vesselIMONumber: "1200017" },
  },
  documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: "HRN0040001" }],
};

const read = {
  kind: "transport",
  code: "DEPA",
  classifier: "actual",
  at: { ms: Date.UTC(2026, 2, 10, 10, 24), offsetMinutes: 540, local: "2026-03-10T19:24:00" },
  createdAtMs: Date.UTC(2026, 2, 10, 10, 50),
  place: { unlocode: "JPYOK", name: null, facility: "YOKMC", facilityType: "POTE" },
  mode: "vessel",
  vessel: { name: "HERON DAWN", imo: "1200017" },
  voyage: "014E",
  equipment: null,
  laden: null,
  documentType: null,
  documents: [{ type: "BKG", value: "HRN0040001" }],
};

test("an event in the standard's own spelling is read whole", () => {
  assert.deepEqual(parseAnswer([departure], DCSA_SPELLING), { events: [read], freeDays: [], skipped: [] });
});

test("the spellings of other carriers mean the same", () => {
  const { eventID, transportCall, ...rest } = departure;
  const { UNLocationCode, ...call } = transportCall;
  const other = {
    ...rest,
    eventId: eventID,
    transportCall: { ...call, unLocationCode: UNLocationCode.toLowerCase() },
  };
  const onLocation = { ...rest, transportCall: { ...call, location: { UNLocationCode } } };
  const { modeOfTransport: _, ...unsaid } = departure.transportCall;
  const byItsVessel = { ...departure, transportCall: unsaid };
  for (const answer of [[byItsVessel], [other], { events: [other] }, { data: [onLocation] }, onLocation]) {
    assert.deepEqual(parseAnswer(answer, DCSA_SPELLING)?.events, [read]);
  }
});

test("PLAN is PLN, and a vessel of nulls is none", () => {
  const planned = { ...departure, eventClassifierCode: "PLAN" };
  const unnamed = {
    ...planned,
    transportCall: { ...departure.transportCall, vessel: { vesselName: null, vesselIMONumber: null } },
  };
  const events = parseAnswer([planned, unnamed], DCSA_SPELLING)?.events;
  assert.deepEqual(
    events?.map(({ classifier, vessel }) => [classifier, vessel?.name ?? null]),
    [
      ["planned", "HERON DAWN"],
      ["planned", null],
    ],
  );
});

test("a carrier's own spelling is data beside the common ones", () => {
  const own = spellingWith({
    envelopes: ["trackingEvents"],
    fields: { eventDateTime: ["happenedAt"] },
    classifiers: { DONE: "actual" },
  });
  const { eventDateTime, ...rest } = departure;
  const answer = { trackingEvents: [{ ...rest, happenedAt: eventDateTime, eventClassifierCode: "DONE" }] };
  assert.deepEqual(parseAnswer(answer, own)?.events, [read]);
});

test("a carrier's own lists are read together, and go before the common ones", () => {
  const own = spellingWith({ envelopes: ["result.moves", "result.calls"] });
  const loaded = {
    eventType: "Equipment",
    equipmentEventTypeCode: "LOAD",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-10T18:24:00+09:00",
  };
  const codes = (answer: object) => parseAnswer(answer, own)?.events.map(({ code }) => code) ?? null;
  assert.deepEqual(codes({ result: { calls: [departure], moves: [loaded] }, events: [departure] }), [
    "LOAD",
    "DEPA",
  ]);
  assert.deepEqual(codes({ result: { calls: [departure] } }), ["DEPA"]);
  assert.deepEqual(codes({ result: { calls: {} }, events: [loaded] }), ["LOAD"]);
  assert.equal(codes({ result: {} }), null);
});

test("what a move is part of is read from a carrier's own words where it has no field for it", () => {
  const load = {
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "LOAD",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-10T19:24:00+09:00",
  };
  const movement = (description: string) =>
    parseAnswer([{ ...load, description }], DCSA_SPELLING)?.events[0]?.movement ?? null;
  assert.equal(movement("Export Loaded on Vessel"), "export");
  assert.equal(movement("Full Transshipment Discharged"), "transshipment");
  assert.equal(movement("Full Transhipment Positioned Out"), "transshipment");
  assert.equal(movement("Import to consignee"), "import");
  assert.equal(movement("Important notice"), null);
});

test("the container of an event may be named among its references, and written as it is painted", () => {
  const equipment = (more: object) =>
    parseAnswer([{ ...departure, ...more }], DCSA_SPELLING)?.events[0]?.equipment;
  const named = (...boxes: readonly string[]) => ({
    references: [
      { referenceType: "PO", referenceValue: "ORDER 7" },
      ...boxes.map((box) => ({ referenceType: "EQ", referenceValue: box })),
    ],
  });
  assert.equal(equipment({ equipmentReference: "csqu 305438-3" }), "CSQU3054383");
  assert.equal(equipment({ equipmentReference: "-" }), null);
  assert.equal(equipment(named("CSQU3054383")), "CSQU3054383");
  assert.equal(equipment({ equipmentReference: "HRNU4000017", ...named("CSQU3054383") }), "HRNU4000017");
  assert.equal(equipment(named("CSQU3054383", "HRNU4000017")), null, "several of them are as good as all");
  assert.equal(equipment({ references: [null, "EQ", { referenceType: "EQ" }] }), null);
});

test("a time without an offset is by the clocks of its place, and is none where these are not known", () => {
  const timeOf = (eventDateTime: string, UNLocationCode: string | undefined) => {
    const transportCall = { ...departure.transportCall, UNLocationCode };
    return (
      parseAnswer([{ ...departure, eventDateTime, transportCall }], DCSA_SPELLING)?.events[0]?.at ?? null
    );
  };
  assert.deepEqual(timeOf("2026-03-10T19:24:00", "JPYOK"), read.at);
  for (const written of ["2026-03-10 19:24", "2026-03-10t19:24:00.123", " 2026-03-10T19:24:00 "]) {
    assert.deepEqual(timeOf(written, "JPYOK"), read.at, written);
  }
  const minutesIn = (written: string) => timeOf(written, "NLRTM")?.offsetMinutes;
  assert.deepEqual([minutesIn("2026-03-29T01:59:59"), minutesIn("2026-03-29T03:00:00")], [60, 120]);
  assert.equal(minutesIn("2026-10-25T02:30:00"), 120, "the earlier of both");
  assert.equal(timeOf("2026-03-29T02:30:00", "NLRTM")?.local, "2026-03-29T03:30:00", "no clock showed it");
  const named = {
    ...departure.transportCall,
    UNLocationCode: undefined,
    location: { locationName: "YOKOHAMA" },
  };
  const byName = { ...departure, eventDateTime: "2026-03-10T19:24:00", transportCall: named };
  assert.deepEqual(parseAnswer([byName], DCSA_SPELLING)?.events[0]?.at, read.at, "by the name of the place");
  for (const nowhere of ["XXABC", undefined]) assert.equal(timeOf("2026-03-10T19:24:00", nowhere), null);
  for (const none of ["2026-02-30T10:00:00", "2026-03-10T24:00:00", "1969-12-31T23:59:59", "2026-03-10"]) {
    assert.equal(timeOf(none, "JPYOK"), null, none);
  }
});

test("coordinates are read where no known code says where a place is", () => {
  const at = (location: object) => {
    const raw = { ...departure, transportCall: { modeOfTransport: "VESSEL", location } };
    return parseAnswer([raw], DCSA_SPELLING)?.events[0]?.place;
  };
  const point = { latitude: "36.05", longitude: 120.3 };
  const position = { latitude: 36.05, longitude: 120.3 };
  const none = { unlocode: null, facility: null, facilityType: null };
  assert.deepEqual(at({ locationName: "Gate 7", ...point }), { ...none, name: "Gate 7", position });
  assert.equal(at({ UNLocationCode: "CNTAO", ...point })?.position, undefined);
  assert.equal(at(point), null, "coordinates alone name no place");
  for (const odd of [
    { latitude: 0, longitude: 0 },
    { latitude: "north", longitude: 1 },
    { latitude: 91, longitude: 1 },
  ])
    assert.equal(at({ locationName: "Gate 7", ...odd })?.position, undefined, JSON.stringify(odd));
});

test("an event that cannot be used is skipped with its reason, and the others are used", () => {
  const wrong = [
    null,
    { ...departure, eventType: "WEATHER" },
    { ...departure, transportEventTypeCode: undefined },
    { ...departure, eventClassifierCode: "MAYBE" },
    { ...departure, eventDateTime: "2026/03/10 19:24" },
    { ...departure, eventDateTime: null },
  ];
  const answer = parseAnswer([...wrong, departure], DCSA_SPELLING);
  assert.deepEqual(answer?.events, [read]);
  assert.deepEqual(
    answer?.skipped.map(({ index, reason }) => [index, reason]),
    [
      [0, "not an object"],
      [1, "eventType WEATHER"],
      [2, "transportEventTypeCode missing"],
      [3, "eventClassifierCode missing or unknown"],
      [4, "eventDateTime is no date-time with an offset, nor one at a place of a known zone"],
      [5, "eventDateTime missing"],
    ],
  );
});

test("whatever JSON a carrier answers with, parsing it does not throw", () => {
  const looksLikeEvent = fc.record(
    Object.fromEntries(
      Object.entries(departure).map(([key, value]) => [key, fc.oneof(fc.jsonValue(), fc.constant(value))]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(looksLikeEvent)), (answer) => {
      const parsed = parseAnswer(answer, DCSA_SPELLING);
      if (Array.isArray(answer))
        assert.equal(parsed && parsed.events.length + parsed.skipped.length, answer.length);
    }),
  );
});

test("a date-time is an instant, with the local clock where an offset was written", () => {
  assert.deepEqual(readDateTime("2026-02-03T09:12:00-05:00"), {
    ms: Date.UTC(2026, 1, 3, 14, 12),
    offsetMinutes: -300,
    local: "2026-02-03T09:12:00",
  });
  assert.deepEqual(readDateTime("2025-12-30T18:50:57.567Z"), {
    ms: Date.UTC(2025, 11, 30, 18, 50, 57, 567),
    offsetMinutes: null,
    local: "2025-12-30T18:50:57",
  });
  assert.equal(readDateTime("2026-03-01T10:00:00+0530")?.offsetMinutes, 330);
});

test("what names no instant is no date-time", () => {
  const wrong = [
    "2026-03-01T10:00:00",
    "2026-03-01",
    "2026-02-30T10:00:00Z",
    "2021 01 01 14:12:56",
    "",
    "now",
  ];
  for (const written of [
    ...wrong,
    "2026-03-01T25:00:00Z",
    "2026-03-01T10:00:00+23:00",
    "9999-01-01T00:00:00Z",
  ]) {
    assert.equal(readDateTime(written), null, written);
  }
});

const samples = sharedPath("samples/ocean/dcsa");
const skip = samples === null ? "DCSA's sample messages are not on this machine" : false;

for (const [file, used, skipped] of [
  ["tnt-220-response.json", 7, 0],
  ["tnt-220-response-wrong-date-times.json", 5, 2],
  ["tnt-220-response-wrong-attribute-values.json", 3, 0],
  ["tnt-220-response-wrong-event-ids.json", 7, 0],
  ["tnt-220-response-wrong-structure.json", 0, 2],
] as const) {
  test(`DCSA's sample ${file} is read as far as it can be`, { skip }, () => {
    const answer: unknown = JSON.parse(readFileSync(`${samples}/${file}`, "utf8"));
    const parsed = parseAnswer(answer, DCSA_SPELLING);
    assert.ok(parsed);
    assert.equal(parsed.events.length, used);
    assert.equal(parsed.skipped.length, skipped);
  });
}
