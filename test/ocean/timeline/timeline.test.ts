/** Which statements hold, and which of them are of the shipment's trip. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { withModes } from "../../../src/products/ocean/timeline/modes.ts";
import { timelineOf } from "../../../src/products/ocean/timeline/timeline.ts";
import { currentTrip } from "../../../src/products/ocean/timeline/trip.ts";
import { event, march } from "../event.ts";
import { inLines } from "../in-lines.ts";
import { pollThrough } from "../life.ts";

const { assertStatus, said } = inLines();

/** Of the statements those hold that are named, in that order. */
function assertHold(text: string, ...held: readonly number[]): void {
  const events = said(text);
  const wanted = held.map((index) => events[index]!);
  for (const order of [events, events.toReversed()]) assert.deepEqual(timelineOf(order), wanted, text);
}

test("of thousands of happenings the latest are kept", () => {
  const days = Array.from({ length: 3_000 }, (_, day) => event("DISC", "NLRTM", march(1 + 2 * day)));
  assert.deepEqual(timelineOf(days), days.slice(-1_000));
});

test("what happened beats what was estimated, and an estimate beats a plan, whenever they were written", () => {
  assertHold("ARRI~ NLRTM 9 (8); ARRI? NLRTM 10 (1)", 1);
  assertHold("ARRI~ NLRTM 9 (8); ARRI? NLRTM 10 (1); ARRI NLRTM 11 (2)", 2);
});

test("the statement created last supersedes, on whatever vessel it puts the box", () =>
  assertHold("DEPA? NLRTM 9 FEEDER (1); DEPA? NLRTM 16 (2)", 1));

test("a corrected time is the same happening, and a second visit or a second hold another", () => {
  assertHold("DISC NLRTM 9 (9); DISC NLRTM 9.7 (10); DISC NLRTM 19", 1, 2);
  assertHold("CUS:HOLD 9.8; CUS:RELS 9.10; CUS:HOLD 9.14", 0, 1, 2);
  assertHold("CUS:HOLD 9.8; CUS:HOLD 9.14", 1);
});

/** The trips that the parts of the text are, and the day from which the shipment is tracked: null if from none. */
function assertTrip(parts: readonly string[], fromDay: number | null, ...trip: readonly number[]): void {
  const all = parts.map((part) => said(part));
  const { events } = currentTrip(all.flat(), fromDay === null ? null : march(fromDay));
  assert.deepEqual(
    events,
    trip.flatMap((index) => all[index]!),
    parts.join(" | "),
  );
}

test("a shipment is the trip it was when it was first seen, though the box goes on to the next", () => {
  const ours = "GTOT CNTAO 1 empty; GTIN CNTAO 2; GTIN NLRTM 20 empty";
  const [train, next] = ["LOAD NLRTM 21 rail", "GTOT NLRTM 22 empty; GTIN NLRTM 23"];
  assertTrip([ours], null, 0);
  assertTrip([ours, train], 1, 0);
  assertTrip([ours, train], null, 1);
  assertTrip([ours, train, next], 1, 0);
  assertTrip([ours, train, next], null, 1, 2);
  assert.deepEqual(
    [ours, `${ours}; ${train}; ${next}`].map((text) => currentTrip(said(text), null).anchorMs),
    [march(1), march(21)],
  );
});

test("a box that sails laden after its empty return is on its next trip, though its pick-up was never reported", () => {
  const trips = ["GTIN CNTAO 2; GTIN NLRTM 20 empty", "LOAD NLRTM 25; DEPA NLRTM 26"];
  assertTrip(trips, null, 1);
  assertTrip(trips, 2, 0);
  assertTrip([...trips, "DISC USNYC 30; GTIN USNYC 31 empty"], 25, 1, 2);
});

test("an empty box that comes back before any cargo was in it, or laden by train to a depot, ends no trip", () => {
  assertTrip(["GTOT CNTAO 1 empty; GTIN CNTAO 1.15 empty; GTOT CNTAO 2 empty; GTIN CNTAO 3"], null, 0);
  assertTrip(["DISC NLRTM 20; GTIN DEMUC/DEPO 22 rail unsaid; GTOT DEMUC/DEPO 24"], null, 0);
});

test("a trip whose empty return nobody reported ends before the box goes out to the next shipper", () => {
  const ours = "LOAD CNTAO 3 unsaid; DISC NLRTM 20 unsaid; GTOT NLRTM 21";
  const [pickUp, next] = ["GTOT NLRTM/DEPO 24 empty", "GTIN NLRTM 26; LOAD NLRTM 27"];
  assertTrip([ours, pickUp, next], 3, 0, 1);
  assertTrip([ours, pickUp, next], null, 1, 2);
  assertTrip([ours, pickUp, "GTIN NLRTM 25 empty"], null, 0, 1, 2);
  const fromTerminal = "GTOT USLAX/POTE 20 empty; GTIN USLAX 22";
  assertTrip(["DISC USLAX 10; GTOT USLAX 12", fromTerminal], null, 1);
});

test("where a carrier says no mode its moves are a vessel's, inland places aside", () => {
  const modes = (text: string) => withModes(said(text)).map(({ mode }) => mode);
  const voyage = "LOAD CNTAO 2 modeless; DEPA CNTAO 3 modeless";
  assert.deepEqual(modes(`${voyage}; DISC DEMUC/RAMP 9 modeless`), ["vessel", "vessel", null]);
  assert.deepEqual(modes(`ARRI CNTAO 1; ${voyage}; LOAD NLRTM 9 modeless`), [
    "vessel",
    "vessel",
    "vessel",
    null,
  ]);
});

test("two trips differ by their bookings, though no end of the first was ever reported", () => {
  const ours = "GTIN CNTAO 1 BKG=HRN-1; LOAD CNTAO 3 BKG=HRN1; DISC NLRTM 20";
  for (const first of ["GTOT NLRTM/POTE 25 empty", "GTIN NLRTM 25", "LOAD DEHAM 25"]) {
    const trips = [ours, `${first} BKG=HRN2; LOAD DEHAM 27 BKG=HRN2`];
    assertTrip(trips, 1, 0);
    assertTrip(trips, null, 1);
  }
  const byBill = "GTIN CNTAO 1 TRD=BILL1; LOAD CNTAO 3 TRD=BILL1; DISC NLRTM 20 TRD=BILL1";
  assertTrip([byBill, "GTIN NLRTM 25 TRD=BILL2"], null, 1);
});

test("a cargo that changes vessels under a booking that is renewed, or that only some statements name, is one trip", () => {
  const feeder = "LOAD CNTAO 3 BKG=HRN1; DISC SGSIN 10 BKG=HRN1";
  for (const onward of [
    "LOAD SGSIN 14 BKG=HRN2",
    "GTOT SGSIN/POTE 11 empty; GTIN SGSIN 12; LOAD SGSIN 14",
    // A bill says nothing against a booking.
    "GTIN SGSIN 12 TRD=BILL1",
  ])
    assertTrip([feeder, onward], null, 0, 1);
});

test("an answer that has dropped the trip and names another booking changes nothing", () => {
  const ours = "LOAD CNTAO 3 BKG=HRN1; DEPA CNTAO 4; DISC NLRTM 20 BKG=HRN1";
  const next = "GTIN NLRTM 25 BKG=HRN2; LOAD NLRTM 26 BKG=HRN2; DEPA NLRTM 27";
  assertStatus([`@21 ${ours}`, "discharged"], [`@21 ${ours} | @28 ${next}`, "discharged"]);
});

const { answers, last, polled } = inLines({ madeOn: 1 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const out = "DISC :EUROGATE 21 HERON";
const unnamed = (line: string): string => line.replaceAll(/ (HERON|EGRET)/g, "");

/** Both of an answer alone, and after that of the plan; of a terminal and of a port by another name. */
function assertShown(status: string, plan: string, answer = `${sailed}; ${plan}; ${out}`): void {
  const after = `@10 ${sailed}; ${plan} | @22 ${answer}`;
  for (const line of [`@22 ${answer}`, after]) {
    assert.equal(last(line).record.status, status, line);
    const named = answers(line).map(([atMs, stated]) => {
      const place = { unlocode: null, name: "Waltershof", facility: null, facilityType: null };
      return [atMs, stated.map((one) => (one.place?.unlocode === null ? { ...one, place } : one))] as const;
    });
    assert.equal(pollThrough(named).at(-1)?.record.status, status, `${line}, named`);
  }
}

test("a box that left its vessel where only a terminal is named is at its last port, though the plan stays", () => {
  const [arrival, discharge] = ["ARRI~ DEHAM 24 HERON", "DISC~ DEHAM 25 HERON"];
  for (const plan of [
    arrival,
    `ARRI~ DEHAM 20 HERON; ${discharge}`,
    `DEPA~ CNTAO 4 HERON; ${arrival}; ${discharge}`,
  ]) {
    assertShown("discharged", plan);
    assertShown("discharged", unnamed(plan), unnamed(`${sailed}; ${plan}; ${out}`));
  }
  assertShown("discharged", `${arrival}; ${discharge}; DEPA~ DEHAM 26 HERON; ARRI~ SEGOT 28 HERON`);
});

test("a box that left its vessel at a terminal is at a transshipment if another vessel is to bring it to the last port", () => {
  const onward = "ARRI~ DEHAM 28 EGRET";
  const hub = "ARRI~ SGSIN 20 HERON; DISC~ SGSIN 20.18 HERON";
  for (const plan of [
    onward,
    `${hub}; ${onward}`,
    `${hub}; LOAD~ SGSIN 24 EGRET; DEPA~ SGSIN 24 EGRET; ${onward}`,
  ])
    assertShown("at_transshipment", plan);
  const twice = unnamed(`${hub}; DEPA~ SGSIN 24; ARRI~ DEHAM 28`);
  assertShown("at_transshipment", twice, unnamed(`${sailed}; ${twice}; ${out}`));
});

test("spec 6.3: container_misrouted: a terminal in another form is no other port, and a code is", () => {
  const plan = `${sailed}; ARRI~ DEHAM 24 HERON`;
  for (const [where, misrouted] of [
    [out, false],
    ["DISC BEANR 21 HERON", true],
  ] as const) {
    const raised = polled(`@10 ${plan} | @22 + ${where}`)
      .at(-1)!
      .raised.map(({ type }) => type);
    assert.equal(raised.includes("container_misrouted"), misrouted, where);
  }
});
