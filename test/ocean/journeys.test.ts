/** Our own journeys, lived through look by look; the expectations are written from the journeys by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";

import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import type { Recording } from "../../packages/simulator/src/replay/recording.ts";
import { lines, liveThrough, raisedIn, type Expected } from "./life.ts";
import { sharedPath } from "../support/shared.ts";
import { shownBy } from "./in-lines.ts";

const journeys = await readRecordings(JOURNEYS_FOLDER);

function journeyText(name: string): Recording {
  const found = journeys.find((recording) => recording.name === name);
  assert.ok(found, `no journey ${name}`);
  return found;
}

const DIRECT: Expected = [
  ["2026-03-01T02:00 pre_departure", "first resolution: booked, vessel and calls planned; raises nothing"],
  ["2026-03-05T00:20 pre_departure", "empty box picked up by the shipper"],
  ["2026-03-08T05:40 pre_departure", "laden box in at the gate of the port of loading"],
  ["2026-03-10T02:30 pre_departure", "loaded on the planned vessel: the vessel has not changed"],
  ["2026-03-10T10:50 in_transit vessel_departed", "origin departure"],
  ["2026-03-14T03:00 in_transit eta_changed", "ETA moves from the 21st to the 23rd"],
  ["2026-03-21T03:00 arriving container_arrived", "48 hours before the ETA, by time alone"],
  ["2026-03-23T05:05 at_berth updated(status,eta)", "a bare arrival; its actual time takes the ETA's place"],
  ["2026-03-23T15:40 discharged updated(status)", "off the vessel at the last port; not available yet"],
  ["2026-03-24T17:30 available container_available", "discharged, and the shipment release message is there"],
  ["2026-03-26T18:00 delivered container_delivered", "laden out of the gate by truck where the journey ends"],
  ["2026-03-29T22:30 returned_empty updated(status)", "empty in at the depot; no status event names it"],
];

const TRANSSHIPMENT: Expected = [
  ["2026-02-20T04:00 pre_departure", "first resolution: an ETA at Rotterdam is all that is known"],
  ["2026-03-02T01:00 pre_departure", "empty pick-up"],
  ["2026-03-04T14:15 pre_departure", "laden gate-in"],
  ["2026-03-05T20:20 pre_departure updated(vessel)", "loaded: the feeder is named for the first time"],
  ["2026-03-06T02:00 in_transit vessel_departed", "origin departure"],
  ["2026-03-08T09:45 at_berth updated(status)", "the feeder arrives at Singapore, the box still aboard"],
  ["2026-03-08T14:30 at_transshipment updated(status)", "discharged, with an ETA at another port to come"],
  ["2026-03-15T05:00 at_transshipment updated(vessel)", "loaded on the ocean vessel"],
  ["2026-03-15T17:10 in_transit vessel_departed", "onward leg after transshipment"],
  ["2026-04-02T07:00 in_transit eta_changed", "a newer estimate supersedes the first"],
  ["2026-04-14T18:00 arriving container_arrived", "48 hours before the newer ETA, not before the older one"],
  ["2026-04-16T19:35 at_berth updated(status,eta)", "arrival at Rotterdam"],
  ["2026-04-17T02:18 discharged updated(status)", "nothing more is planned by sea"],
  ["2026-04-17T08:00 customs_hold customs_hold", "a hold with a customs document"],
  ["2026-04-19T09:30 discharged updated(status)", "customs releases; the carrier has not yet"],
  ["2026-04-19T12:00 available container_available", "the shipment release message"],
  ["2026-04-20T08:05 delivered container_delivered", "laden out of the gate by truck"],
  ["2026-04-22T14:40 returned_empty updated(status)", "empty return"],
];

const RAIL: Expected = [
  ["2026-03-02T10:11 pre_departure", "first resolution: by Felixstowe and Savannah to Atlanta"],
  ["2026-03-09T06:41 pre_departure", "empty pick-up"],
  ["2026-03-12T14:20 pre_departure", "laden gate-in"],
  ["2026-03-14T21:25 pre_departure updated(vessel)", "loaded: the feeder is named for the first time"],
  ["2026-03-15T05:31 in_transit vessel_departed", "origin departure"],
  [
    "2026-03-19T01:31 at_transshipment updated(status)",
    "discharged at London Gateway, not Felixstowe: re-routed",
  ],
  ["2026-03-19T04:00 at_transshipment", "the arrival is reported after the discharge, and changes nothing"],
  ["2026-03-23T11:12 at_transshipment", "loaded on an unnamed vessel: no change of vessel"],
  ["2026-03-24T00:05 in_transit vessel_departed", "onward leg from London Gateway"],
  ["2026-03-25T08:00 in_transit eta_changed", "new estimate for Savannah"],
  ["2026-04-02T13:00 arriving container_arrived", "48 hours before the vessel's ETA at the destination port"],
  ["2026-04-04T16:00 at_berth updated(status,eta,vessel)", "arrival at Savannah names the ocean vessel"],
  ["2026-04-05T04:10 discharged updated(status)", "the sea voyage ends; Felixstowe's plan is spent"],
  ["2026-04-06T13:40 in_transit updated(status)", "loaded on the train to Atlanta: on-carriage"],
  ["2026-04-06T17:20 in_transit", "out of the port by rail is not delivery"],
  ["2026-04-07T09:58 available container_available", "in at the inland terminal where the journey ends"],
  ["2026-04-08T12:31 delivered container_delivered", "laden out of the gate by truck at Atlanta"],
  ["2026-04-09T18:22 returned_empty updated(status)", "empty return"],
  ["2026-04-11T07:44 returned_empty", "a laden train load after the return is the box's next trip"],
];

const COASTAL: Expected = [
  ["2026-03-20T09:00 pre_departure", "first resolution: booked, ETA at Piraeus"],
  ["2026-03-22T09:15 pre_departure", "empty pick-up"],
  ["2026-03-24T11:20 pre_departure", "laden gate-in"],
  ["2026-03-26T04:30 pre_departure updated(vessel)", "loaded: the vessel is named for the first time"],
  ["2026-03-26T15:40 in_transit vessel_departed", "origin departure"],
  ["2026-03-27T08:30 at_berth updated(status)", "the vessel calls at Algeciras, the box stays aboard"],
  ["2026-03-27T22:30 in_transit updated(status)", "it leaves again mid-voyage: no sailing leg begins"],
  ["2026-03-31T04:00 arriving container_arrived", "48 hours before the ETA"],
  ["2026-04-02T05:40 at_berth updated(status,eta)", "arrival at Piraeus"],
  ["2026-04-02T09:00 at_berth", "released while aboard: not available before it is discharged"],
  ["2026-04-02T11:30 available container_available", "discharged, the release already there"],
  ["2026-04-04T06:45 delivered container_delivered", "laden out of the gate"],
  ["2026-04-06T08:20 returned_empty updated(status)", "empty return"],
];

for (const [name, expected] of [
  ["direct-jpyok-usoak", DIRECT],
  ["transshipment-vnsgn-nlrtm", TRANSSHIPMENT],
  ["rail-segot-usatl", RAIL],
  ["coastal-macas-grpir", COASTAL],
] as const) {
  test(`the journey ${name} has the statuses and events of its life, each once`, () =>
    assert.deepEqual(raisedIn(liveThrough(journeyText(name))), lines(expected)));
}

test("no journey raises anything when it is first resolved, however far it has come", () => {
  for (const recording of journeys) {
    for (const { appearsMs } of recording.events) {
      assert.deepEqual(liveThrough(recording, appearsMs)[0]?.raised, [], recording.name);
    }
  }
});

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

const TABLE = readFileSync(new URL("journeys.txt", import.meta.url), "utf8");

/** A journey begins a line, and what its polls show follows it, indented. */
const JOURNEYS = TABLE.split(/\n(?=@)/)
  .map((entry) => entry.trimEnd().split("\n"))
  .map(([journey = "", ...shows]) => ({ journey, shows: shows.map((show) => show.trim()) }));

test("every journey of the table gives the listed result", () => {
  assert.ok(JOURNEYS.length > 100, `${JOURNEYS.length} journeys`);
  const others = JOURNEYS.map(({ journey }) => ({ journey, shows: shownBy(journey) }));
  assert.deepEqual(others, JOURNEYS);
});
