/** CS 1.0 `vessel-schedules` and OVS 3.0 `service-schedules`, which share a reader. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { csService, cutOff, ovsService, stamp, transportCall } from "./answers.ts";
import { NO_TIMES, onlyCall, placesOf, readAs, time } from "./reading-calls.ts";
import { columns } from "../../support/columns.ts";

const OVS = "ovs-service-schedules";
const CS = "cs-vessel-schedules";

test("every field of an OVS 3.0 call is read", () => {
  const call = transportCall("NLRTM", {
    location: { locationType: "FACS", UNLocationCode: "NLRTM", facilitySMDGCode: "APM" },
    statusCode: "OMIT",
    timestamps: [
      stamp("ARRI", "PLN", "2026-12-01T06:00:00+01:00"),
      stamp("ARRI", "EST", "2026-12-01T09:00:00+01:00", {
        delayReasonCode: "WEA",
        changeRemark: "Bad weather",
      }),
      stamp("DEPA", "ACT", "2026-12-02T20:30:00Z"),
    ],
  });
  assert.deepEqual(onlyCall(OVS, [ovsService("FE1", [call])]), {
    carrier: "HRNL",
    service: { code: "FE1", name: "Heron FE1", universal: "SR12345A" },
    vessel: { imo: "9321483", name: "Grey Heron", isDummy: false },
    voyage: { import: "612W", export: "613E" },
    port: "NLRTM",
    portName: null,
    terminal: "APM",
    reference: "HRN-NLRTM-1",
    status: "OMIT",
    arrival: {
      planned: time("2026-12-01T05:00:00Z", 60),
      estimated: time("2026-12-01T08:00:00Z", 60),
      actual: null,
    },
    departure: { ...NO_TIMES, actual: time("2026-12-02T20:30:00Z", null) },
    delayReason: "WEA",
    remark: "Bad weather",
    cutOffs: null,
  });
});

test("a call of CS 1.0 has its vessel and its cut-offs", () => {
  const call = transportCall("CNSHA", {
    location: { locationName: "Shanghai", UNLocationCode: "CNSHA", facilitySMDGCode: "SHENG" },
    cutOffTimes: [cutOff("DCO", "2026-11-28T12:00:00+08:00"), cutOff("vco", "2026-11-29T12:00:00+08:00")],
  });
  const read = onlyCall(CS, [csService("FE1", [call])]);
  assert.deepEqual(read.vessel, { imo: "9321483", name: "Grey Heron", isDummy: false });
  assert.deepEqual([read.portName, read.terminal], ["Shanghai", "SHENG"]);
  assert.deepEqual(read.cutOffs, [
    { code: "DCO", at: time("2026-11-28T04:00:00Z", 480) },
    { code: "VCO", at: time("2026-11-29T04:00:00Z", 480) },
  ]);
});

test("a feed of one standard may answer in the other", () => {
  const cancelled = transportCall("NLRTM", {
    statusCode: "OMIT",
    cutOffTimes: [cutOff("DCO", "2026-11-28T12:00:00Z")],
  });
  for (const body of [[ovsService("FE1", [cancelled])], [csService("FE1", [cancelled])]]) {
    assert.deepEqual(onlyCall(CS, body), onlyCall(OVS, body));
    assert.equal(onlyCall(CS, body).vessel.imo, "9321483");
  }
});

test("an answer without a list of cut-offs differs from an empty list", () => {
  const call = (fields: object) => [csService("FE1", [transportCall("CNSHA", fields)])];
  assert.equal(onlyCall(CS, call({})).cutOffs, null);
  assert.deepEqual(onlyCall(CS, call({ cutOffTimes: [] })).cutOffs, []);
});

test("a time without an offset is the port's, in summer and in winter", () => {
  const planned = (port: string, at: string) =>
    onlyCall(OVS, [ovsService("FE1", [transportCall(port, { timestamps: [stamp("ARRI", "PLN", at)] })])])
      .arrival.planned;
  assert.deepEqual(planned("NLRTM", "2026-12-01T06:00:00"), time("2026-12-01T05:00:00Z", 60));
  assert.deepEqual(planned("NLRTM", "2026-07-01T06:00"), time("2026-07-01T04:00:00Z", 120));
  assert.deepEqual(planned("CNSHA", "2026-12-01 06:00:00"), time("2026-11-30T22:00:00Z", 480));
  assert.deepEqual(planned("XXZZZ", "2026-12-01T06:00:00"), time("2026-12-01T06:00:00Z", null));
});

test("lists of status codes and delay reasons replace the older single ones", () => {
  const call = transportCall("NLRTM", {
    statusCode: "ADHO",
    statusCodes: ["phot", "OMIT", "DRYD"],
    timestamps: [
      stamp("ARRI", "EST", "2026-12-01T06:00:00Z", {
        delayReasonCode: "OLD",
        delayReasonCodes: ["WEA", "TRF"],
      }),
    ],
  });
  const { status, delayReason } = onlyCall(OVS, [ovsService("FE1", [call])]);
  assert.deepEqual([status, delayReason], ["OMIT", "WEA,TRF"]);
});

test("codes that cancel nothing are kept", () => {
  for (const code of ["DRYD", "BUNK", "OOSV"]) {
    const call = transportCall("NLRTM", { statusCodes: [code] });
    assert.equal(onlyCall(OVS, [ovsService("FE1", [call])]).status, code);
  }
});

test("a time at the berth outweighs one at the pilot boarding place, in any order", () => {
  const pilot = stamp("ARRI", "EST", "2026-12-01T03:00:00Z", { facilityTypeCode: "PBPL" });
  const berth = stamp("ARRI", "EST", "2026-12-01T06:00:00Z", { facilityTypeCode: "BRTH" });
  for (const [timestamps, expected] of [
    [[pilot, berth], "2026-12-01T06:00:00Z"],
    [[berth, pilot], "2026-12-01T06:00:00Z"],
    [[pilot], "2026-12-01T03:00:00Z"],
  ] as const) {
    const call = onlyCall(OVS, [ovsService("FE1", [transportCall("NLRTM", { timestamps })])]);
    assert.deepEqual(call.arrival.estimated, time(expected, null));
  }
});

test("9999R is no voyage number", () => {
  const call = transportCall("NLRTM", { carrierImportVoyageNumber: "9999R" });
  assert.deepEqual(onlyCall(OVS, [ovsService("FE1", [call])]).voyage, { import: null, export: "613E" });
});

test("a blanked or omitted call needs no time, nor does one without a list of times", () => {
  for (const fields of [
    { statusCode: "BLNK", timestamps: [] },
    { statusCode: "OMIT", timestamps: undefined },
    { statusCode: "OMIT", timestamps: [stamp("ARRI", "PLN", "DATE")] },
    { timestamps: [] },
  ]) {
    const { calls, isComplete } = readAs(OVS, [ovsService("FE1", [transportCall("NLRTM", fields)])]);
    assert.deepEqual([calls[0]?.arrival, calls[0]?.departure, isComplete], [NO_TIMES, NO_TIMES, true]);
  }
});

test("a problem names the path of a wrong part, and the rest is read", () => {
  const { calls, problems, isComplete } = readAs(OVS, [
    "a service",
    ovsService("FE1", [
      transportCall("ROTTERDAM"),
      transportCall("NLRTM", { statusCode: "LATE" }),
      transportCall("DEHAM", { location: { locationType: "ADDR", address: { name: "Quay 3" } } }),
      transportCall("BEANR", {
        timestamps: [stamp("ARRI", "PLN", "soon"), stamp("DEPA", "PLN", "2026-12-03T00:00:00Z")],
      }),
      transportCall("GBFXT", { timestamps: [stamp("ARRI", "PLN", "DATE")] }),
      null,
    ]),
    { ...ovsService("FE2", []), vesselSchedules: "none" },
    { carrierServiceCode: "FE3", carrierServiceName: "Heron FE3" },
  ]);
  assert.deepEqual(columns(calls, "port", "status"), [
    ["NLRTM", null],
    ["BEANR", null],
  ]);
  assert.equal(isComplete, false);
  const inCalls = "$[1].vesselSchedules[0].transportCalls";
  assert.deepEqual(
    problems.map(({ path, message }) => `${path} ${message}`),
    [
      "$[0] is no object",
      `${inCalls}[0].location.UNLocationCode "ROTTERDAM" is no UN/LOCODE, such as NLRTM`,
      `${inCalls}[1].statusCode "LATE" is none of OMIT, BLNK, ADHO, PHOT, PHIN, ROTC, SLID, CUTR, DRYD, BUNK, OOSV`,
      `${inCalls}[2].location lacks UNLocationCode`,
      `${inCalls}[3].timestamps[0] eventDateTime "soon" is no date-time`,
      `${inCalls}[4].timestamps[0] eventDateTime "DATE" is no date-time`,
      `${inCalls}[4] none of its timestamps can be read`,
      `${inCalls}[5] is no object`,
      "$[2].vesselSchedules is no list",
      "$[3] lacks vesselSchedules",
    ],
  );
});

test("a problem that loses no call leaves the answer complete", () => {
  const call = transportCall("NLRTM", { statusCode: "LATE", cutOffTimes: [cutOff("DCO", "soon"), "VCO"] });
  const service = {
    ...ovsService("FE1", [call], { vesselIMONumber: "93" }),
    universalServiceReference: "SR1",
  };
  const read = readAs(CS, [service]);
  assert.deepEqual(read.calls[0]?.vessel, { imo: null, name: "Grey Heron", isDummy: false });
  assert.deepEqual([read.calls[0]?.cutOffs, read.isComplete], [[], true]);
  assert.deepEqual(placesOf(read), [
    "$[0].universalServiceReference",
    "$[0].vesselSchedules[0].vesselIMONumber",
    "$[0].vesselSchedules[0].transportCalls[0].statusCode",
    "$[0].vesselSchedules[0].transportCalls[0].cutOffTimes[0]",
    "$[0].vesselSchedules[0].transportCalls[0].cutOffTimes[1]",
  ]);
});

test("a vessel's number with a wrong check digit is a problem, and its call is read without the number", () => {
  const read = readAs(OVS, [ovsService("FE1", [transportCall("NLRTM")], { vesselIMONumber: "9321484" })]);
  assert.deepEqual(read.calls[0]?.vessel, { imo: null, name: "Grey Heron", isDummy: false });
  assert.deepEqual(read.problems, [
    {
      path: "$[0].vesselSchedules[0].vesselIMONumber",
      message: '"9321484" must be an IMO number: the check digit of 932148 is 3, not 4',
    },
  ]);
});

test("older names of fields are read, and problems name them", () => {
  const { vesselSchedules: vessels, ...service } = ovsService("FE1", [transportCall("NLRTM")]);
  assert.equal(readAs(OVS, [{ ...service, vessels }]).calls.length, 1);
  const call = {
    ...transportCall("NLRTM"),
    portCallStatusCode: "SLID",
    carrierExportVoyageNumber: undefined,
  };
  const older = onlyCall(OVS, [ovsService("FE1", [{ ...call, carrierVoyageNumber: "700N" }])]);
  assert.deepEqual([older.status, older.voyage.export], ["SLID", "700N"]);
  assert.deepEqual(placesOf(readAs(OVS, [{ ...service, vessels: [7] }])), ["$[0].vessels[0]"]);
});

test("a list in an object, and a single service without a list, are read alike", () => {
  const service = ovsService("FE1", [transportCall("NLRTM")]);
  for (const answer of [[service], service, { data: [service] }, { serviceSchedules: [service] }]) {
    assert.equal(onlyCall(OVS, answer).service.code, "FE1");
  }
});
