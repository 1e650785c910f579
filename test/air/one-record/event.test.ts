import assert from "node:assert/strict";
import { test } from "node:test";

import { timelineOf } from "../../../src/products/air/timeline/timeline.ts";
import { readDateTime } from "../../../src/products/air/sources/one-record/values.ts";
import { logisticsEvent, only, read, RECEIVED } from "./logistics-event.ts";

test("an event is read alike in the compact form, the expanded one, and under a vocabulary", () => {
  const { statement } = read(logisticsEvent());
  assert.deepEqual(statement.events, [RECEIVED]);
  const cargo = (name: string) => `https://onerecord.iata.org/ns/cargo#${name}`;
  const expanded = {
    "@type": [cargo("LogisticsEvent")],
    [cargo("eventCode")]: [{ "@id": "https://onerecord.iata.org/ns/code-lists/StatusCode#RCS" }],
    [cargo("eventDate")]: [{ "@value": "2026-03-10T05:00:00Z" }],
    [cargo("eventLocation")]: [{ "@id": "_:b0" }],
    [cargo("eventTimeType")]: [{ "@id": cargo("ACTUAL") }],
  };
  const place = { "@id": "_:b0", [cargo("locationCodes")]: [{ [cargo("code")]: [{ "@value": "dxb" }] }] };
  assert.deepEqual(read([expanded, place]).statement.events, [RECEIVED]);
  const plain = {
    "@context": { "@vocab": "https://onerecord.iata.org/ns/cargo#" },
    type: "LogisticsEvent",
    eventCode: "RCS",
    eventDate: "2026-03-10T09:00:00",
    recordedAtLocation: { code: "DXB" },
    eventTimeType: "ACTUAL",
  };
  assert.deepEqual(read({ "@graph": [plain] }).statement.events, [RECEIVED]);
});

test("an event's code is text, a code list's entry or its IRI, and a discrepancy's has a code of its own", () => {
  const RCF = "https://onerecord.iata.org/ns/code-lists/StatusCode#RCF";
  for (const code of [
    "RCF",
    "cargo:RCF",
    "rcf",
    "https://onerecord.iata.org/ns/coreCodeLists#StatusCode_RCF",
    { "@id": " https://onerecord.iata.org/ns/coreCodeLists#StatusCode_RCF" },
    { "@id": RCF },
    { "cargo:code": "RCF", "@id": "internal:1" },
  ]) {
    assert.equal(only({ "cargo:eventCode": code }).code, "RCF");
  }
  for (const code of [
    "DIS_FDCA",
    "https://onerecord.iata.org/ns/code-lists/StatusCode#DIS_FDCA",
    "DIS-FDCA",
    "https://onerecord.iata.org/ns/coreCodeLists#StatusCode_DIS_FDCA",
  ]) {
    const { code: status, discrepancy } = only({ "cargo:eventCode": { "@id": code } });
    assert.deepEqual([status, discrepancy], ["DIS", "FDCA"]);
  }
  assert.equal(only({ "cargo:eventCode": "DIS" }).discrepancy, null);
});

test("the codes of the present list are read", () => {
  for (const code of ["FIW", "FOW", "DOC", "DPU"]) {
    const IRI = `https://onerecord.iata.org/ns/code-lists/StatusCode#${code}`;
    assert.equal(only({ "cargo:eventCode": { "@id": IRI } }).code, code);
  }
});

test("planned, expected and requested events differ from actual ones", () => {
  for (const [type, timeIs, planned] of [
    ["ACTUAL", "actual", undefined],
    ["ESTIMATED", "estimated", true],
    ["EXPECTED", "estimated", true],
    ["PLANNED", "scheduled", true],
    ["REQUESTED", "scheduled", true],
  ] as const) {
    const event = only({ "cargo:eventTimeType": `cargo:${type}` });
    assert.deepEqual([event.timeIs, event.planned], [timeIs, planned], type);
  }
  const { timeIs, planned } = only({ "cargo:eventTimeType": [] });
  assert.deepEqual([timeIs, planned], [null, undefined]);
});

test("times are local to the station, whatever their offset", () => {
  const at = (date: string, code: string) =>
    only({ "cargo:eventDate": date, "cargo:eventLocation": { "cargo:locationCodes": code } }).at;
  const [summer, winter] = [Date.UTC(2026, 6, 1, 10), Date.UTC(2026, 0, 1, 10)];
  const frankfurt = { timeZone: "Europe/Berlin" };
  const noon = { ms: summer, local: "2026-07-01T12:00:00", offsetMinutes: 120, ...frankfurt };
  for (const date of [
    "2026-07-01T10:00:00Z",
    "2026-07-01T10:00:00.000+0000",
    "2026-07-01T06:00-04:00",
    "2026-07-01T15:30:00+05:30",
    "2026-07-01 12:00:00",
  ]) {
    assert.deepEqual(at(date, "FRA"), noon, date);
  }
  assert.equal(at("2026-01-01T10:00:00Z", "FRA")?.local, "2026-01-01T11:00:00");
  const nowhere = { ms: winter, timeZone: null };
  assert.deepEqual(at("2026-01-01T10:00:00Z", "QQQ"), {
    ...nowhere,
    local: "2026-01-01T10:00:00",
    offsetMinutes: null,
  });
  assert.deepEqual(at("2026-01-01T12:00:00+02", "QQQ"), {
    ...nowhere,
    local: "2026-01-01T12:00:00",
    offsetMinutes: 120,
  });
  const day = { ms: Date.UTC(2026, 5, 30, 22), local: "2026-07-01T00:00:00", offsetMinutes: 120 };
  assert.deepEqual(at("2026-07-01", "FRA"), { ...day, timeZone: "Europe/Berlin" });
  assert.equal(only({ "cargo:eventDate": [] }).at, null);
});

test("a station is the IATA code among a location's codes, or where a link ends", () => {
  const station = (location: unknown) => only({ "cargo:eventLocation": location }).station;
  const code = (of: string) => ({ "@type": "cargo:CodeListElement", "cargo:code": of });
  assert.equal(station({ "cargo:locationCodes": [code("DEFRA"), code("FRA")] }), "FRA");
  assert.equal(station({ "cargo:locationCodes": { "@id": "https://vocabulary.example/IATA#JFK" } }), "JFK");
  assert.equal(station("FRA"), "FRA");
  assert.equal(station({ "@id": "https://1r.example.com/logistics-objects/FRA" }), "FRA");
  assert.equal(station({ "@id": "https://1r.example.com/logistics-objects/957e2622" }), null);
  assert.equal(station({ "cargo:locationName": "Frankfurt" }), null);
});

test("an event of some pieces, or marked as partial, is of a part", () => {
  const parts = (fields: object) => {
    const { pieces, shipmentPart, weightKg } = only(fields);
    return [pieces, shipmentPart, weightKg];
  };
  const piece = { "@type": "cargo:Piece", "@id": "https://1r.example.com/logistics-objects/p1" };
  const shipment = { "@type": "cargo:Shipment", "@id": "https://1r.example.com/logistics-objects/s1" };
  assert.deepEqual(parts({ "cargo:eventFor": [piece, { ...piece, "@id": "p2" }] }), [2, "part", null]);
  assert.deepEqual(parts({ "cargo:eventFor": [shipment, piece] }), [null, null, null]);
  assert.deepEqual(parts({ "cargo:partialEventIndicator": false }), [null, "total", null]);
  const weight = { "cargo:numericalValue": 100, "cargo:unit": { "@id": "cargo:LBR" } };
  assert.deepEqual(
    parts({
      "cargo:partialEventIndicator": { "@value": "true" },
      "cargo:recordedPieceCount": { "@value": "4" },
      "cargo:recordedWeight": weight,
    }),
    [4, "part", 45.359],
  );
});

test("a status update of a shipment is an event, with its quantity and its flight", () => {
  const place = (code: string) => ({ "cargo:locationCodes": [{ "cargo:code": code }] });
  const update = (names: readonly [string, string]) =>
    logisticsEvent({
      "@type": ["cargo:StatusUpdateEvent"],
      "cargo:eventCode": "RCF",
      "cargo:eventFor": { "@type": "cargo:Shipment", "@id": "https://1r.example.com/logistics-objects/s1" },
      "cargo:partialEventIndicator": true,
      [`cargo:${names[0]}`]: 4,
      [`cargo:${names[1]}`]: { "cargo:numericalValue": 99.5 },
      "cargo:transportMovementReference": {
        "@id": "https://1r.example.com/logistics-objects/m1",
        "cargo:transportIdentifier": "EK9903",
        "cargo:departureLocation": place("DWC"),
        "cargo:arrivalLocation": place("DXB"),
      },
    });
  for (const names of [
    ["recordedPieceCount", "recordedWeight"],
    ["partialPieceCount", "partialWeight"],
  ] as const) {
    const [event, ...more] = read(update(names)).statement.events;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [event?.code, event?.pieces, event?.weightKg, event?.shipmentPart],
      ["RCF", 4, 99.5, "part"],
    );
    assert.deepEqual([event?.flight?.number, event?.from, event?.to], ["9903", "DWC", "DXB"]);
  }
});

test("the weight that an event of the whole waybill gives is the waybill's", () => {
  const weighed = (partial: boolean) =>
    read(
      logisticsEvent({
        "cargo:partialEventIndicator": partial,
        "cargo:recordedPieceCount": 10,
        "cargo:recordedWeight": { "cargo:numericalValue": 250.5 },
      }),
    ).statement.weightKg;
  assert.deepEqual([weighed(false), weighed(true)], [250.5, null]);
});

test("a location of a city is its code", () => {
  const station = (id: string) => only({ "cargo:eventLocation": { "@id": id } }).station;
  assert.equal(station("https://1r.example.com/logistics-objects/NYC"), "NYC");
});

test("an event of a transport movement has its flight, its leg and its times", () => {
  const time = (direction: string, type: string, at: string) => ({
    "cargo:direction": { "@id": `cargo:${direction}` },
    "cargo:movementTimeType": { "@id": `cargo:${type}` },
    "cargo:movementTimestamp": at,
  });
  const place = (code: string) => ({ "cargo:locationCodes": [{ "cargo:code": code }] });
  const event = only({
    "cargo:eventCode": "DEP",
    "cargo:eventFor": [
      {
        "@type": "cargo:TransportMovement",
        "cargo:transportIdentifier": "EK0009",
        "cargo:departureLocation": place("DXB"),
        "cargo:arrivalLocation": place("LGW"),
        "cargo:movementTimes": [
          time("OUTBOUND", "SCHEDULED", "2026-03-10T20:30:00Z"),
          time("OUTBOUND", "ACTUAL", "2026-03-10T20:50:00Z"),
          {
            "cargo:movementMilestone": {
              "@id": "https://onerecord.iata.org/ns/code-lists/MovementIndicator#EA",
            },
            "cargo:movementTimestamp": "2026-03-11T04:00:00Z",
          },
        ],
      },
    ],
  });
  const { flight, from, to, departure, departureIs, arrival, arrivalIs } = event;
  assert.deepEqual(flight, { carrier: "EK", number: "009", date: "2026-03-11" });
  assert.deepEqual([from, to, departureIs, arrivalIs], ["DXB", "LGW", "actual", "estimated"]);
  assert.deepEqual([departure?.local, arrival?.local], ["2026-03-11T00:50:00", "2026-03-11T04:00:00"]);
});

test("spec 2.6: a departure whose movement has no times is of a flight of its own day, and the next day's is another", () => {
  const place = (code: string) => ({ "cargo:locationCodes": [{ "cargo:code": code }] });
  const departed = (day: number, pieces: number) =>
    only({
      "cargo:eventCode": "DEP",
      "cargo:eventDate": `2026-03-${day}`,
      "cargo:recordedPieceCount": pieces,
      "cargo:partialEventIndicator": pieces < 20,
      "cargo:eventFor": {
        "@type": "cargo:TransportMovement",
        "cargo:transportIdentifier": "EK0009",
        "cargo:departureLocation": place("DXB"),
        "cargo:arrivalLocation": place("LGW"),
      },
    });
  const [whole, part] = [departed(10, 20), departed(11, 14)];
  assert.deepEqual([whole.flight?.date, part.flight?.date], ["2026-03-10", "2026-03-11"]);
  // Off the flight again on the day before.
  assert.deepEqual(timelineOf([whole, part], 20), [whole, part]);
});

test("a time has its members in the order of stored records, which are compared as text", () => {
  for (const station of ["FRA", null]) {
    const time = readDateTime("2026-11-20T10:00:00+01:00", station);
    assert.deepEqual(Object.keys(time!), ["ms", "local", "offsetMinutes", "timeZone"]);
  }
});
