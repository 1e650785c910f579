/** Track & Trace 2.2 as carriers write it, read into neutral events. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { spellingWith } from "../../../src/freight/dcsa/spelling.ts";
import { parseAnswer } from "../../../src/products/ocean/sources/dcsa/parse.ts";
import { broken, departed, eventsOf, parse, testSamples } from "./departed.ts";
import { forAll } from "../../support/runs.ts";

const departure = {
  eventID: "5f0c1a00-0000-4000-8000-000000000001",
  ...{ eventType: "TRANSPORT", transportEventTypeCode: "DEPA", eventClassifierCode: "ACT" },
  eventDateTime: "2026-03-10T19:24:00+09:00",
  eventCreatedDateTime: "2026-03-10T10:50:00Z",
  transportCall: {
    ...{ modeOfTransport: "VESSEL", UNLocationCode: "JPYOK", exportVoyageNumber: "014E" },
    ...{ facilityTypeCode: "POTE", facilityCode: "YOKMC" },
    vessel: { vesselName: "HERON DAWN", vesselIMONumber: "1200017" },
  },
  documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: "HRN0040001" }],
};
const { transportCall, ...rest } = departure;
const { UNLocationCode, ...call } = transportCall;
const loaded = {
  ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: "LOAD", eventClassifierCode: "ACT" },
  eventDateTime: "2026-03-10T18:24:00+09:00",
};
/** The first event, with something else in it. */
const read = (more: object) => parse([{ ...departure, ...more }])?.events[0];

test("an event in the standard's own spelling is read whole, and the spellings of other carriers mean the same", () => {
  assert.deepEqual(parse([departure]), { events: [departed()], freeDays: [], skipped: [] });
  const { eventID, ...unnamed } = rest;
  const unLocationCode = UNLocationCode.toLowerCase();
  const other = { ...unnamed, eventId: eventID, transportCall: { ...call, unLocationCode } };
  const onLocation = { ...rest, transportCall: { ...call, location: { UNLocationCode } } };
  const { modeOfTransport: _, ...unsaid } = transportCall;
  const byItsVessel = { ...departure, transportCall: unsaid };
  for (const answer of [[byItsVessel], [other], { events: [other] }, { data: [onLocation] }, onLocation])
    assert.deepEqual(eventsOf(answer), [departed()]);
});

test("without a mode, a call that has a voyage is a vessel's, and a move at a gate that names one is not", () => {
  const called = { UNLocationCode, carrierVoyageNumber: "031W" };
  const arrival = { transportEventTypeCode: "ARRI", eventClassifierCode: "EST", transportCall: called };
  assert.deepEqual([read(arrival)?.mode, read(arrival)?.vessel], ["vessel", null]);
  assert.equal(read({ ...arrival, transportCall: { UNLocationCode } })?.mode, null);
  assert.equal(read({ ...arrival, transportCall: { ...called, modeOfTransport: "RAIL" } })?.mode, "rail");
  const gate = { eventType: "EQUIPMENT", equipmentEventTypeCode: "GTIN", transportCall: called };
  assert.equal(read(gate)?.mode, null);
});

test("PLAN is PLN, and a vessel of nulls is none", () => {
  const planned = read({ eventClassifierCode: "PLAN" });
  assert.deepEqual([planned?.classifier, planned?.vessel?.name], ["planned", "HERON DAWN"]);
  const vessel = { vesselName: null, vesselIMONumber: null };
  assert.equal(read({ transportCall: { ...transportCall, vessel } })?.vessel, null);
});

test("a carrier's own spelling is data beside the common ones", () => {
  const own = spellingWith({
    envelopes: ["trackingEvents"],
    fields: { eventDateTime: ["happenedAt"] },
    classifiers: { DONE: "actual" },
  });
  const { eventDateTime, ...others } = departure;
  const written = { ...others, happenedAt: eventDateTime, eventClassifierCode: "DONE" };
  assert.deepEqual(eventsOf({ trackingEvents: [written] }, own), [departed()]);
});

test("a carrier's own lists are read together, and go before the common ones", () => {
  const own = spellingWith({ envelopes: ["result.moves", "result.calls"] });
  const codes = (answer: object) =>
    parse(answer, own)
      ?.events.map(({ code }) => code)
      .join() ?? null;
  const both = { result: { calls: [departure], moves: [loaded] }, events: [departure] };
  assert.equal(codes(both), "LOAD,DEPA");
  assert.equal(codes({ result: { calls: [departure] } }), "DEPA");
  assert.equal(codes({ result: { calls: {} }, events: [loaded] }), "LOAD");
  assert.equal(codes({ result: {} }), null);
});

test("what a move is part of is read from a carrier's own words where it has no field for it", () => {
  for (const [description, movement] of [
    ["Export Loaded on Vessel", "export"],
    ["Full Transshipment Discharged", "transshipment"],
    ["Full Transhipment Positioned Out", "transshipment"],
    ["Import to consignee", "import"],
    ["Important notice", undefined],
  ] as const)
    assert.equal(parse([{ ...loaded, description }])?.events[0]?.movement, movement, description);
});

test("the container of an event may be named among its references, and written as it is painted", () => {
  const named = (...boxes: readonly string[]) => ({
    references: [
      { referenceType: "PO", referenceValue: "ORDER 7" },
      ...boxes.map((box) => ({ referenceType: "EQ", referenceValue: box })),
    ],
  });
  for (const [more, box] of [
    [{ equipmentReference: "csqu 305438-3" }, "CSQU3054383"],
    [{ equipmentReference: "-" }, null],
    [named("CSQU3054383"), "CSQU3054383"],
    [{ equipmentReference: "HRNU4000017", ...named("CSQU3054383") }, "HRNU4000017"],
    // Several of them are as good as all.
    [named("CSQU3054383", "HRNU4000017"), null],
    [{ references: [null, "EQ", { referenceType: "EQ" }] }, null],
  ] as const)
    assert.equal(read(more)?.equipment, box, JSON.stringify(more));
});

test("a time without an offset is by the clocks of its place, and is none where these are not known", () => {
  const timeOf = (eventDateTime: string, unlocode: string | undefined) =>
    read({ eventDateTime, transportCall: { ...call, UNLocationCode: unlocode } })?.at ?? null;
  const there = departed().at;
  for (const written of [
    "2026-03-10T19:24:00",
    "2026-03-10 19:24",
    "2026-03-10t19:24:00.123",
    " 2026-03-10T19:24:00 ",
  ])
    assert.deepEqual(timeOf(written, "JPYOK"), there, written);
  const minutesIn = (written: string) => timeOf(written, "NLRTM")?.offsetMinutes;
  assert.deepEqual([minutesIn("2026-03-29T01:59:59"), minutesIn("2026-03-29T03:00:00")], [60, 120]);
  assert.equal(minutesIn("2026-10-25T02:30:00"), 120, "the earlier of both");
  assert.equal(timeOf("2026-03-29T02:30:00", "NLRTM")?.local, "2026-03-29T03:30:00", "no clock showed it");
  const byName = { ...call, location: { locationName: "YOKOHAMA" } };
  assert.deepEqual(read({ eventDateTime: "2026-03-10T19:24:00", transportCall: byName })?.at, there);
  for (const nowhere of ["XXABC", undefined]) assert.equal(timeOf("2026-03-10T19:24:00", nowhere), null);
  for (const none of ["2026-02-30T10:00:00", "2026-03-10T24:00:00", "1969-12-31T23:59:59", "2026-03-10"])
    assert.equal(timeOf(none, "JPYOK"), null, none);
});

test("coordinates are read where no known code says where a place is", () => {
  const at = (location: object) => read({ transportCall: { modeOfTransport: "VESSEL", location } })?.place;
  const point = { latitude: "36.05", longitude: 120.3 };
  const gate = { unlocode: null, name: "Gate 7", facility: null, facilityType: null };
  const position = { latitude: 36.05, longitude: 120.3 };
  assert.deepEqual(at({ locationName: "Gate 7", ...point }), { ...gate, position });
  assert.equal(at({ UNLocationCode: "CNTAO", ...point })?.position, undefined);
  assert.equal(at(point), null, "coordinates alone name no place");
  for (const [latitude, longitude] of [
    [0, 0],
    ["north", 1],
    [91, 1],
  ])
    assert.equal(at({ locationName: "Gate 7", latitude, longitude })?.position, undefined);
});

test("an event that cannot be used is skipped with its reason, and the others are used", () => {
  const noTime = "eventDateTime is no date-time with an offset, nor one at a place of a known zone";
  const wrong = [
    [null, "not an object"],
    [{ ...departure, eventType: "WEATHER" }, "eventType WEATHER"],
    [{ ...departure, transportEventTypeCode: undefined }, "transportEventTypeCode missing"],
    [{ ...departure, eventClassifierCode: "MAYBE" }, "eventClassifierCode missing or unknown"],
    [{ ...departure, eventDateTime: "2026/03/10 19:24" }, noTime],
    [{ ...departure, eventDateTime: null }, "eventDateTime missing"],
  ] as const;
  const answer = parse([...wrong.map(([raw]) => raw), departure]);
  assert.deepEqual(answer?.events, [departed()]);
  assert.deepEqual(
    answer?.skipped,
    wrong.map(([, reason], index) => ({ index, reason })),
  );
});

test("whatever JSON a carrier answers with, parsing it does not throw", () =>
  forAll(100, fc.oneof(fc.jsonValue(), fc.array(broken(departure))), (answer) => {
    const parsed = parse(answer);
    if (Array.isArray(answer))
      assert.equal(parsed && parsed.events.length + parsed.skipped.length, answer.length);
  }));

testSamples({
  "tnt-220-response": [7, 0],
  "tnt-220-response-wrong-date-times": [5, 2],
  "tnt-220-response-wrong-attribute-values": [3, 0],
  "tnt-220-response-wrong-event-ids": [7, 0],
  "tnt-220-response-wrong-structure": [0, 2],
});

test("events have the vessel and voyage of their leg, if an answer lists the vessels beside them", () => {
  const portCall = (id: string, port: string, voyage: string, vesselName: string) => ({
    ...{ transportCallId: id, UNLocationCode: port, facilityCode: `${port}T1`, exportVoyageNumber: voyage },
    vessel: { vesselName },
  });
  const move = (code: string, port: string, modeOfTransport = "Vessel") => ({
    ...{ eventType: "Equipment", equipmentEventTypeCode: code, eventClassifierCode: "ACT" },
    eventDateTime: "2026-03-10T10:00:00Z",
    transportCall: { UNLocationCode: port, modeOfTransport },
  });
  const parsed = parseAnswer(
    {
      transport: [
        { loadTransportCallId: "1", dischargeTransportCallId: "2", transportName: "HERON DAWN" },
        { loadTransportCallId: "3", dischargeTransportCallId: "4", transportName: "EGRET BAY" },
      ],
      transportCall: [
        portCall("1", "KRPUS", "080E", "HERON DAWN"),
        portCall("2", "SGSIN", "081W", "HERON DAWN"),
        portCall("3", "SGSIN", "012W", "EGRET BAY"),
        portCall("4", "NLRTM", "013E", "EGRET BAY"),
      ],
      equipmentEvent: [
        move("GTIN", "KRPUS", "Truck"),
        ...[move("LOAD", "KRPUS"), move("DISC", "SGSIN"), move("LOAD", "SGSIN"), move("DISC", "NLRTM")],
      ],
    },
    spellingWith({ envelopes: ["equipmentEvent"] }),
  );
  assert.deepEqual(
    parsed?.events.map(({ vessel, voyage, place }) => [vessel?.name, voyage, place?.facility]),
    [
      [undefined, null, null],
      ["HERON DAWN", "080E", null],
      ["HERON DAWN", "080E", null],
      ["EGRET BAY", "012W", null],
      ["EGRET BAY", "012W", null],
    ],
  );
});
