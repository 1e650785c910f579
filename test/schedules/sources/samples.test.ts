/** DCSA's own samples, if they are present. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { type FeedKind, FEED_KINDS } from "../../../src/products/schedules/sources/feed-schema.ts";
import { sharedPath } from "../../support/shared.ts";
import { placesOf, readAs, NO_TIMES, onlyCall, time } from "./reading-calls.ts";
import { createProblemLog } from "../../../src/products/schedules/sources/feed-poller.ts";
import { manualClock } from "../../support/clock.ts";
import { recordingLog } from "../../support/log.ts";
import { cutOff, partner, stamp } from "./answers.ts";
import { column, columns } from "../../support/columns.ts";

const samples = sharedPath("samples/schedules/dcsa");
const skip = samples === null ? "DCSA's samples of schedules are not beside the project" : false;

/** The samples leave their dates to be filled in. */
function sample(name: string): unknown {
  const text = readFileSync(join(samples ?? "", name), "utf8")
    .replaceAll(/"(?:DEPARTURE_)?DATE"/g, '"2026-03-01T10:00:00"')
    .replaceAll('"ARRIVAL_DATE"', '"2026-03-21T10:00:00"');
  return JSON.parse(text);
}

test(
  "each sample that is right is read whole, but for a vessel's number with a wrong check digit",
  { skip },
  () => {
    const cases: readonly (readonly [string, FeedKind, number, ...string[]])[] = [
      ["commercialschedules-api-1.0.0-vs.json", "cs-vessel-schedules", 1],
      ["commercialschedules-api-1.0.0-vsnextpage.json", "cs-vessel-schedules", 5],
      ["commercialschedules-api-1.0.0-ps.json", "cs-port-schedules", 1],
      ["commercialschedules-api-1.0.0-psnextpage.json", "cs-port-schedules", 5],
      ["commercialschedules-api-1.0.0-ptp.json", "cs-point-to-point", 2],
      ["commercialschedules-api-1.0.0-ptpnextpage.json", "cs-point-to-point", 12],
      ["ovs-300-response.json", "ovs-service-schedules", 5, "$[1].vesselSchedules[0].vesselIMONumber"],
    ];
    for (const [name, kind, calls, ...problems] of cases) {
      const read = readAs(kind, sample(name));
      assert.deepEqual(
        [name, read.calls.length, placesOf(read), read.isComplete],
        [name, calls, problems, true],
      );
    }
  },
);

test("wrong values are problems, and right ones beside them are read", { skip }, () => {
  const read = readAs("ovs-service-schedules", sample("ovs-300-response-wrong-attribute-values.json"));
  assert.deepEqual(columns(read.calls, "port", "status"), [["SGSIN", null]]);
  assert.deepEqual(placesOf(read), [
    "$[0].universalServiceReference",
    "$[0].vesselSchedules[0].transportCalls[0].location.UNLocationCode",
    "$[1].universalServiceReference",
    "$[1].vesselSchedules[0].vesselIMONumber",
    "$[1].vesselSchedules[0].transportCalls[0].statusCode",
    "$[2].vesselSchedules[0].transportCalls[0].location.UNLocationCode",
  ]);
});

test("the structure that the standard calls wrong is still read", { skip }, () => {
  const read = readAs("ovs-service-schedules", sample("ovs-300-response-wrong-structure.json"));
  assert.deepEqual(columns(read.calls, "port", "status"), [
    ["NLAMS", "OMIT"],
    ["SGSIN", null],
    ["USNYC", null],
  ]);
});

const GUIDE = readFileSync(new URL("../../../docs/schedules.md", import.meta.url), "utf8");

for (const kind of FEED_KINDS) {
  test(`the guide's answer of ${kind} is read without a problem`, () => {
    const section = GUIDE.split(`### \`${kind}\`\n`)[1] ?? "";
    const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(section) ?? [];
    const { calls, problems } = readAs(kind, JSON.parse(example));
    assert.deepEqual(problems, []);
    assert.deepEqual(column(calls, "port"), kind === "cs-point-to-point" ? ["JPYOK", "USOAK"] : ["JPYOK"]);
    const [{ vessel, service, voyage, departure }] = calls as [(typeof calls)[0] & {}];
    assert.deepEqual([vessel.imo, vessel.name], ["9321483", "HERON DAWN"]);
    assert.deepEqual([service.code, voyage.export], ["HE1", "014E"]);
    assert.equal(departure.estimated?.ms, Date.parse("2026-12-03T12:00:00Z"));
  });
}

const HOUR_MS = 3_600_000;

test("a cause of unreadable parts is logged once for each feed, and then how often they came, every six hours", async () => {
  const clock = manualClock();
  const log = recordingLog();
  const say = createProblemLog(clock, log);
  const problem = (at: number, message = `"N${at}" is no place`) => ({ path: `$[${at}].port`, message });
  for (let at = 0; at < 57; at += 1) say("heron", [problem(at), problem(at + 1)]);
  assert.deepEqual(column(log.lines, "fields"), [{ feed: "heron", problems: [problem(0)] }]);
  say("gull", [problem(0)]);
  say("heron", [problem(0, "must be a time")]);
  assert.equal(log.lines.length, 3);
  say("heron", []);
  await clock.advance(6 * HOUR_MS);
  say("heron", [problem(3)]);
  say("heron", [problem(4)]);
  assert.deepEqual(column(log.lines.slice(3), "fields"), [{ feed: "heron", times: 114 }]);
});

test("causes without bound do not fill the memory, nor the log", () => {
  const log = recordingLog();
  const say = createProblemLog(manualClock(), log);
  for (let at = 0; at < 1_000; at += 1) say("heron", [{ path: "$", message: "x".repeat(at) }]);
  assert.equal(log.lines.length, 100);
});

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
