/** Recorded answers of real carriers, lived through look by look; expectations derived from them by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { sharedPath } from "../support/shared.ts";
import { lines, liveThrough, raisedIn, type Expected } from "./life.ts";

const folder = sharedPath("samples/ocean/recorded");
const skip = folder === null ? "the recorded answers are not on this machine" : false;

const HAPAG_LLOYD: Expected = [
  ["2025-12-18T12:18 pre_departure", "the plan: DEHAM, then by rail to USCHI; raises nothing"],
  ["2025-12-30T18:50 pre_departure", "GTIN LADEN at PLGDY"],
  ["2026-01-02T09:09 pre_departure updated(vessel)", "LOAD names vessel 12"],
  ["2026-01-02T17:45 in_transit vessel_departed", "DEPA PLGDY"],
  [
    "2026-01-12T21:57 at_transshipment updated(status)",
    "DISC at DEWVN instead of DEHAM: re-routed, a sailing outstanding",
  ],
  ["2026-01-13T00:45 at_transshipment", "ARRI DEWVN, created after the discharge it preceded"],
  ["2026-01-14T18:09 at_transshipment", "LOAD DEWVN, the vessel is null"],
  ["2026-01-15T03:15 in_transit vessel_departed", "DEPA DEWVN: onward leg"],
  [
    "2026-02-03T14:46 at_berth updated(status,eta,vessel,discharge)",
    "ARRI USORF takes the inland plan's place",
  ],
  ["2026-02-04T07:36 discharged updated(status)", "DISC USORF: nothing more by sea"],
  ["2026-02-05T17:35 in_transit updated(status)", "LOAD RAIL USORF: on-carriage to USCHI"],
  ["2026-02-06T06:35 in_transit", "GTOT RAIL: out of the port by train is not delivery"],
  ["2026-02-12T09:22 available container_available", "GTIN RAIL at USCHI, the destination on land"],
  ["2026-02-13T14:35 delivered container_delivered", "GTOT LADEN by truck at USCHI"],
  ["2026-02-13T17:08 returned_empty updated(status)", "GTIN EMPTY"],
  ["2026-02-15T10:17 returned_empty", "LOAD RAIL LADEN afterwards: the box's next trip"],
];

const MAERSK: Expected = [
  ["2025-12-30T00:51 pre_departure", "GTOT EMPTY from the depot; estimates of later legs are known"],
  ["2025-12-31T01:52 pre_departure", "shipping instruction received"],
  ["2025-12-31T01:53 pre_departure", "transport document drafted"],
  ["2025-12-31T22:03 pre_departure", "GTIN LADEN CNTXG"],
  ["2026-01-02T20:24 pre_departure", "transport document issued"],
  ["2026-01-02T21:18 pre_departure updated(vessel)", "LOAD names vessel 10"],
  ["2026-01-03T23:53 in_transit vessel_departed", "DEPA CNTXG; its created time is not believed"],
  ["2026-01-12T11:48 at_berth updated(status)", "ARRI MYTPP"],
  ["2026-01-12T17:01 at_transshipment updated(status)", "DISC MYTPP, with DEWVN and PLGDN to come"],
  ["2026-01-24T04:06 at_transshipment updated(vessel)", "LOAD on vessel 09"],
  ["2026-01-24T22:02 in_transit vessel_departed", "DEPA MYTPP: a further leg is to come"],
];

const MSC: Expected = [
  ["2026-01-05T00:04 pre_departure", "GTOT EMPTY; the ETA at PLGDN is known"],
  ["2026-01-09T13:02 pre_departure", "GTIN LADEN CNTAO"],
  ["2026-01-11T06:12 pre_departure updated(vessel)", "LOAD names vessel 03"],
  ["2026-01-11T10:06 in_transit vessel_departed", "DEPA CNTAO"],
  ["2026-01-17T15:54 at_berth updated(status)", "ARRI CNNGB, the import voyage spelled otherwise"],
  ["2026-01-18T01:00 at_transshipment updated(status)", "DISC CNNGB, with PLGDN to come"],
  ["2026-01-25T03:00 at_transshipment updated(vessel)", "LOAD on vessel 04"],
  ["2026-01-25T06:06 in_transit vessel_departed", "DEPA CNNGB: onward leg"],
  ["2026-03-11T07:15 arriving container_arrived", "48 hours before the ETA at PLGDN"],
];

for (const [name, expected] of [
  ["hapag-lloyd-transship-container", HAPAG_LLOYD],
  ["maersk-transship-intransit", MAERSK],
  ["msc-transship", MSC],
] as const) {
  test(`the recording ${name} has the statuses and events derived from it by hand`, { skip }, async () => {
    const recording = (await readRecordings(folder ?? "")).find((one) => one.name === name);
    assert.ok(recording);
    assert.deepEqual(raisedIn(liveThrough(recording)), lines(expected));
  });
}
