import assert from "node:assert/strict";
import { test } from "node:test";

import { cutOff, partner, stamp } from "./answers.ts";
import { NO_TIMES, onlyCall, placesOf, readAs, time } from "./reading-calls.ts";

const KIND = "cs-port-schedules";

const schedule = (fields: object = {}) => ({
  servicePartners: [partner("HRNL")],
  vessel: { vesselIMONumber: "9321483", name: "Grey Heron" },
  isDummyVessel: false,
  timestamps: [stamp("DEPA", "EST", "2026-12-01T06:00:00+01:00")],
  ...fields,
});

const port = (vesselSchedules: unknown, location: object = {}) => ({
  location: { locationName: "Rotterdam", UNLocationCode: "NLRTM", facilitySMDGCode: "dde", ...location },
  vesselSchedules,
});

test("a vessel at a terminal is a call there, on the carrier's own voyage", () => {
  const answer = [port([schedule({ cutOffTimes: [cutOff("PCO", "2026-11-30T12:00:00")] })])];
  assert.deepEqual(onlyCall(KIND, answer), {
    carrier: "HRNL",
    service: { code: "HRNL1", name: "HRNL Loop", universal: null },
    vessel: { imo: "9321483", name: "Grey Heron", isDummy: false },
    voyage: { import: "HRNL-IN", export: "HRNL-OUT" },
    port: "NLRTM",
    portName: "Rotterdam",
    terminal: "DDE",
    reference: null,
    status: null,
    arrival: NO_TIMES,
    departure: { ...NO_TIMES, estimated: time("2026-12-01T05:00:00Z", 60) },
    delayReason: null,
    remark: null,
    cutOffs: [{ code: "PCO", at: time("2026-11-30T11:00:00Z", 60) }],
  });
});

test("of a service's partners, the feed's carrier counts, by SCAC or SMDG code, else the first", () => {
  for (const [partners, code] of [
    [["TERN", "HRNL"], "HRNL1"],
    [["TRN", "HRN"], "HRN1"],
    [["TERN", "GULL"], "TERN1"],
  ] as const) {
    const servicePartners = partners.map((one) => partner(one));
    const call = onlyCall(KIND, [port([schedule({ servicePartners })])]);
    assert.deepEqual([call.carrier, call.service.code], ["HRNL", code]);
  }
  const alone = onlyCall(KIND, [port([schedule({ servicePartners: [] })])]);
  assert.deepEqual(alone.voyage, { import: null, export: null });
});

test("an unreadable port loses its vessels, and the others are read", () => {
  const read = readAs(KIND, [port([schedule()], { UNLocationCode: "R" }), port([schedule(), 5]), port(null)]);
  assert.equal(read.calls.length, 1);
  assert.equal(read.isComplete, false);
  assert.deepEqual(placesOf(read), ["$[0].location.UNLocationCode", "$[1].vesselSchedules[1]", "$[2]"]);
});
