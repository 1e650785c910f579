import assert from "node:assert/strict";
import { test } from "node:test";

import { at, cutOff, leg, partner } from "./answers.ts";
import { NO_TIMES, placesOf, readAs, time } from "./reading-calls.ts";
import { column } from "../../support/columns.ts";

const KIND = "cs-point-to-point";

const LOADED = at("CNSHA", "2026-12-01T08:00:00+08:00", {
  facility: { facilityCode: "SHENG", facilityCodeListProvider: "SMDG" },
});
const TRANSSHIPPED = at("SGSIN", "2026-12-08T08:00:00+08:00");
const RELOADED = at("SGSIN", "2026-12-10T08:00:00+08:00");
const DISCHARGED = at("NLRTM", "2026-12-30T08:00:00+01:00", {
  facility: { facilityCode: "NLRTMX", facilityCodeListProvider: "BIC" },
});

const route = (legs: unknown, fields: object = {}) => ({
  placeOfReceipt: LOADED,
  placeOfDelivery: DISCHARGED,
  legs,
  ...fields,
});

test("each leg by vessel is a departure where it loads and an arrival where it discharges", () => {
  const rail = leg(at("CNWUH", "2026-11-20T08:00:00+08:00"), LOADED, {
    transport: { modeOfTransport: "RAIL" },
  });
  const { calls, problems } = readAs(KIND, [
    route([rail, leg(LOADED, TRANSSHIPPED), leg(RELOADED, DISCHARGED)]),
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    calls.map(({ port, terminal, voyage, arrival, departure }) => [
      port,
      terminal,
      voyage,
      arrival.estimated,
      departure.estimated,
    ]),
    [
      ["CNSHA", "SHENG", { import: null, export: "HRNL-OUT" }, null, time("2026-12-01T00:00:00Z", 480)],
      ["SGSIN", null, { import: "HRNL-IN", export: null }, time("2026-12-08T00:00:00Z", 480), null],
      ["SGSIN", null, { import: null, export: "HRNL-OUT" }, null, time("2026-12-10T00:00:00Z", 480)],
      ["NLRTM", null, { import: "HRNL-IN", export: null }, time("2026-12-30T07:00:00Z", 60), null],
    ],
  );
});

test("the routing's cut-offs belong to its first departure by vessel, and a leg's own replace them", () => {
  const cutOffTimes = [
    cutOff("DCO", "2026-11-28T12:00:00+08:00"),
    cutOff("VCO", "2026-11-29T12:00:00+08:00"),
  ];
  const own = { cutOffTimes: [cutOff("VCO", "2026-11-27T12:00:00+08:00")] };
  const onward = { cutOffTimes: [cutOff("TCO", "2026-12-09T12:00:00+08:00")] };
  const { calls } = readAs(KIND, [
    route([leg(LOADED, TRANSSHIPPED, own), leg(RELOADED, DISCHARGED, onward)], { cutOffTimes }),
  ]);
  assert.deepEqual(column(calls, "cutOffs"), [
    [
      { code: "DCO", at: time("2026-11-28T04:00:00Z", 480) },
      { code: "VCO", at: time("2026-11-27T04:00:00Z", 480) },
    ],
    null,
    [{ code: "TCO", at: time("2026-12-09T04:00:00Z", 480) }],
    null,
  ]);
});

test("intermediate calls belong to the same voyage", () => {
  const between = {
    location: { UNLocationCode: "MYPKG" },
    arrivalDateTime: "2026-12-10T00:00:00Z",
    departureDateTime: "2026-12-11T00:00:00Z",
  };
  const { calls, problems } = readAs(KIND, [
    route([leg(LOADED, DISCHARGED, { intermediateCalls: [between] })]),
  ]);
  assert.deepEqual(problems, []);
  const { port, voyage, arrival, departure } = calls[1]!;
  assert.deepEqual([port, voyage], ["MYPKG", { import: "HRNL-IN", export: "HRNL-OUT" }]);
  assert.deepEqual(arrival, { ...NO_TIMES, estimated: time("2026-12-10T00:00:00Z", null) });
  assert.deepEqual(departure, { ...NO_TIMES, estimated: time("2026-12-11T00:00:00Z", null) });
});

test("a call's own reference replaces the transport's, which belongs to the departure", () => {
  const transport = {
    modeOfTransport: "VESSEL",
    transportCallReference: "OLD",
    servicePartners: [partner("HRNL")],
    vessel: { vesselIMONumber: "9321483" },
  };
  const references = (from: object) =>
    readAs(KIND, [route([leg(from, DISCHARGED, { transport })])]).calls.map(({ reference }) => reference);
  assert.deepEqual(references({ ...LOADED, transportCallReference: "NEW" }), ["NEW", null]);
  assert.deepEqual(references(LOADED), ["OLD", null]);
});

test("a problem names the path of an unreadable leg, and the others are read", () => {
  const read = readAs(KIND, [
    route([leg(at("CNSHA", "DEPARTURE_DATE"), TRANSSHIPPED), leg({}, DISCHARGED), 7]),
    route("none"),
  ]);
  assert.deepEqual(column(read.calls, "port"), ["SGSIN", "NLRTM"]);
  assert.deepEqual(placesOf(read), [
    "$[0].legs[0].departure.dateTime",
    "$[0].legs[0].departure",
    "$[0].legs[1].departure.location",
    "$[0].legs[2]",
    "$[1].legs",
  ]);
});

test("a way is published where each leg by vessel begins where the one before it ends, with two transshipments at most", () => {
  const rail = leg(DISCHARGED, at("DEDUI", "2026-12-31T08:00:00+01:00"), {
    transport: { modeOfTransport: "RAIL" },
  });
  const [first, second] = [leg(LOADED, TRANSSHIPPED), leg(RELOADED, DISCHARGED)];
  const elsewhere = leg(at("MYPKG", "2026-12-10T08:00:00+08:00"), DISCHARGED);
  const early = leg(at("SGSIN", "2026-12-07T08:00:00+08:00"), DISCHARGED);
  const unreadable = leg(at("Singapore", "2026-12-10T08:00:00+08:00"), DISCHARGED);
  const hops = ["LKCMB", "AEJEA", "EGPSD", "NLRTM"].map((port, nth) =>
    leg(
      at(["SGSIN", "LKCMB", "AEJEA", "EGPSD"][nth]!, `2026-12-1${nth}T08:00:00Z`),
      at(port, `2026-12-1${nth}T20:00:00Z`),
    ),
  );
  const waysOf = (...legs: readonly object[]) =>
    readAs(KIND, [route(legs)]).ways.map(({ carrier, legs: own }) => [
      carrier,
      ...own.map(({ from, to, service, voyage }) => `${from}-${to} ${service} ${voyage}`),
    ]);
  const way = ["HRNL", "CNSHA-SGSIN HRNL1 HRNL-OUT", "SGSIN-NLRTM HRNL1 HRNL-OUT"];
  assert.deepEqual(waysOf(first, second), [way]);
  assert.deepEqual(waysOf(first, second, rail), [way]);
  for (const legs of [[first], [first, elsewhere], [first, early], [first, unreadable], [first, ...hops]]) {
    assert.deepEqual(waysOf(...legs), []);
  }
  assert.equal(waysOf(...hops.slice(0, 3)).length, 1);
});
