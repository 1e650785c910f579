/** A box whose latest trip had ended when tracking began: the shipment is its next trip. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../src/products/ocean/events/changes.ts";
import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { nextRecordAt } from "../../src/products/ocean/record/record.ts";
import type { Statements } from "../../src/products/ocean/record/shipment-record.ts";
import { march } from "./event.ts";
import { inLines, looksOf } from "./in-lines.ts";
import { lookAt, TRACKED, UNARMED, type Poll } from "./life.ts";
import type { DocumentReference } from "../../src/products/ocean/sources/carrier-event.ts";

const { box, last, polled, said } = inLines();
const byBill = inLines({ about: { identifierType: "bill_of_lading", reference: "HRNLOLD1" } });

const loadedThen = "GTOT CNTAO -40 empty; GTIN CNTAO -38; LOAD CNTAO -36 HERON; DEPA CNTAO -35 HERON";
const landedThen = `${loadedThen}; ARRI NLRTM -10 HERON; DISC NLRTM -9 HERON`;
const delivered = `${landedThen}; GTOT NLRTM -6`;
const returned = `${delivered}; GTIN NLRTM -3 empty`;
const sails = "GTOT NLRTM 10 empty; GTIN NLRTM 12; LOAD NLRTM 14 TERN; DEPA NLRTM 15 TERN";
const lands = `${sails}; ARRI USNYC 25 TERN; DISC USNYC 26 TERN`;
const nextTrip = `${lands}; GTOT USNYC 27; GTIN USNYC 29 empty`;

/** Status and events. */
function lines(polls: readonly Poll[]): readonly string[] {
  const awaits = polls.map(({ record }) => (isAwaitingNextTrip(record.boxes[0]!) ? " awaits" : ""));
  return looksOf(polls).map((line, nth) => line + awaits[nth]);
}

function assertLines(line: string, ...shown: readonly string[]): void {
  assert.deepEqual(lines(polled(line)), shown, line);
}

test("the next trip begins with its first statement, and all that it brings is raised", () => {
  const steps = nextTrip.split("; ").map((one) => `@${/\d+/.exec(one)![0]}.13 + ${one}`);
  const line = `@1 ${returned} | @5 + | ${steps.join(" | ")} | @35 + GTOT USNYC 34 empty`;
  assertLines(
    line,
    "returned_empty awaits",
    "returned_empty awaits",
    "pre_departure updated(status)",
    "pre_departure",
    "pre_departure updated(vessel)",
    "in_transit vessel_departed",
    "at_berth updated(status,eta,discharge)",
    "discharged updated(status)",
    "delivered container_delivered",
    "returned_empty updated(status)",
    "returned_empty",
  );
  const { origin, destination, timeline } = box(line);
  assert.deepEqual([origin?.unlocode, destination?.unlocode], ["NLRTM", "USNYC"]);
  assert.ok(timeline.every(({ at }) => at.ms >= march(10)));
});

test("a next trip that is over before anyone looks is raised as a whole", () =>
  assertLines(
    `@1 ${returned} | @35 + ${nextTrip}`,
    "returned_empty awaits",
    "returned_empty vessel_departed container_delivered updated(eta,vessel,discharge)",
  ));

test("any first statement begins the next trip, also where the old trip is no longer reported", () => {
  for (const whole of [returned, delivered]) {
    const old = whole.replaceAll(/;|$/g, " BKG=OLD1$&");
    for (const first of [
      "GTOT NLRTM 10 empty",
      "GTIN NLRTM 10",
      "STUF NLRTM 10 unsaid",
      "LOAD DEDUI 10 rail",
      "LOAD NLRTM 10 TERN",
      "LOAD~ NLRTM 20 TERN",
      "DEPA~ NLRTM 20 TERN",
      "BKG:CONF 10 BKG=NEXT1",
    ]) {
      // Of a box that was handed over, only another cargo or an empty pick-up tells.
      const own = whole === delivered && !first.includes("~") ? `${first} BKG=NEXT1` : first;
      assert.ok(isAwaitingNextTrip(box(`@1 ${old}`)));
      const begun = last(`@1 ${old} | @11 + ${own}`).record;
      assert.deepEqual([begun.status, begun.boxes[0]!.timeline.length], ["pre_departure", 1], own);
      assert.equal(last(`@1 ${old} | @11 ${own}`).record.status, "pre_departure", "the old trip forgotten");
    }
  }
});

test("a plan that is taken back leaves the box awaiting its next trip, and nothing old is raised", () => {
  const plan = "LOAD~ NLRTM 20 TERN";
  assertLines(
    `@1 ${returned}; ${plan} | @2 ${returned} | @3 + ${plan} | @4 ${returned} | @16 + ${sails}`,
    "pre_departure",
    "returned_empty updated(status,eta,vessel,discharge) awaits",
    "pre_departure updated(status,vessel)",
    "returned_empty updated(status,eta,vessel,discharge) awaits",
    "in_transit vessel_departed updated(vessel)",
  );
});

test("a late empty return of the old trip is shown, and an answer without it changes nothing", () =>
  assertLines(
    `@-5 ${delivered} | @-3 ${returned} | @1 BKG:CONF -37 | @2 ${returned}`,
    "delivered awaits",
    "returned_empty updated(status) awaits",
    "returned_empty awaits",
    "returned_empty awaits",
  ));

test("a trip that only seemed to have ended goes on", () =>
  assertLines(
    `@2.20 ${loadedThen}; DISC SGSIN 1 HERON; GTOT SGSIN 2 | @6 + GTIN SGSIN 3; LOAD SGSIN 4 TERN; DEPA SGSIN 5 TERN`,
    "delivered awaits",
    "in_transit vessel_departed updated(vessel)",
  ));

test("by bill of lading the trip of its cargo stays the trip, however long ago it ended", () => {
  assert.equal(isAwaitingNextTrip(byBill.box(`@1 ${returned}`)), false);
  const bill = (text: string, value: string): string => text.replaceAll(/;|$/g, ` TRD=${value}$&`);
  byBill.assertStatus(
    [`@1 ${returned} | @16 + ${nextTrip}`, "returned_empty"],
    [`@16 ${bill(returned, "OLD1")}; ${bill(sails, "NEW1")}`, "returned_empty"],
    [`@1 ${returned}; LOAD~ NLRTM 20 TERN`, "returned_empty"],
  );
});

test("once a box that was tracked before its end has ended, its next trip changes nothing", () => {
  const [, ...shown] = lines(polled(`@-30 ${loadedThen} | @1 ${returned} | @16 + ${sails} | @17 ${sails}`));
  assert.deepEqual(shown, [
    "returned_empty container_delivered updated(status,eta,discharge)",
    "returned_empty",
    "returned_empty",
  ]);
});

test("an end that an answer leaves out is not explained by a gate of an earlier trip", () => {
  const twoMonthsBefore = (text: string): string =>
    text.replaceAll(/ (-\d+)/g, (_, day: string) => ` ${Number(day) - 60}`);
  const earlier = twoMonthsBefore(returned);
  for (const [whole, without, status] of [
    [delivered, landedThen, "delivered"],
    [returned, delivered, "returned_empty"],
  ] as const) {
    const polls = polled(
      [
        `@-30 ${earlier}; ${loadedThen} | @1 ${earlier}; ${whole} | @2 ${earlier}; ${without}`,
        `@3 ${earlier}; ${whole} | @4 ${earlier}; ${without} | @5 +`,
      ].join(" | "),
    );
    const shown = polls.slice(1).map(({ record }) => record.status);
    assert.deepEqual(shown.slice(0, 4), [status, status, status, status]);
    assert.notEqual(shown[4], status, "left out twice");
    for (const { raised } of polls.slice(2, 5)) assert.deepEqual(raised, []);
  }
});

test("a box that was booked when tracking began is on that trip, however late it is polled again", () => {
  const late = last(`@5 LOAD~ NLRTM 14 TERN | @35 ${returned}; ${nextTrip}; LOAD USNYC 34 rail`).record;
  assert.deepEqual([late.status, late.boxes[0]!.origin?.unlocode], ["returned_empty", "NLRTM"]);
});

test("an ended box that one answer for a bill of lading leaves out is not gone", () => {
  const other = "GTIN CNTAO -38 second";
  const both = `@1 ${returned}; ${other}`;
  const statuses = (line: string) => byBill.last(line).record.boxes.map(({ status }) => status);
  assert.deepEqual(statuses(`${both} | @2 ${other}`), ["returned_empty", "pre_departure"]);
  assert.deepEqual(statuses(`${both} | @2 ${other} | @3 ${other}`), ["pre_departure"]);
  assert.equal(byBill.box(`${both} | @2 ${other} | ${both.replace("@1", "@3")}`).end?.doubted, undefined);
});

test("a last free day that is stated of an earlier trip, or of another port, is none of the box's", () => {
  const stated = (text: string, index: number, lastFreeDay: string): Statements["freeDays"][0] => {
    const { at, place } = said(text)[index]!;
    return { equipment: "CSQU3054383", lastFreeDay, of: { at, place } };
  };
  const freeTimeOf = (...freeDays: Statements["freeDays"]) => {
    const awaits = lookAt(said(returned), null, march(1), { freeDays }).record;
    const landed = lookAt(said(`${returned}; ${lands}`), awaits, march(27), { freeDays }).record;
    return landed.boxes[0]?.freeTime?.lastFreeDay;
  };
  const [own, old] = [stated(nextTrip, 5, "2026-03-30"), stated(returned, 5, "2026-02-24")];
  assert.equal(freeTimeOf(own), "2026-03-30");
  assert.equal(freeTimeOf(own, old), "2026-03-30");
  assert.equal(freeTimeOf(old), undefined);
  assert.equal(freeTimeOf(stated(nextTrip, 2, "2026-03-29")), undefined, "of the port of loading");
});

test("the events of the next trip have keys of their own", () => {
  const [, later] = polled(`@1 ${returned} | @31 + ${nextTrip}`);
  const keys = later!.raised.flatMap(({ dedupKey }) => dedupKey ?? []);
  assert.ok(keys.length >= 2 && keys.every((key) => key.includes(":trip_1:")), keys.join());
  const again = nextRecordAt(later!.record, UNARMED, march(32));
  assert.deepEqual(changesBetween(TRACKED, later!.record, again, UNARMED, march(32)).events, []);
});

const atSea = said("LOAD CNTAO 1 HERON; DEPA CNTAO 2 HERON; ARRI~ NLRTM 25 HERON");
/** From a port that the box was not to call at. */
const elsewhere = said("LOAD USNYC 10 TERN; DEPA USNYC 11 TERN; ARRI~ BRSSZ 25 TERN");

/** `BKG=A1 TRD=X1`. */
const documentsIn = (text: string): readonly DocumentReference[] =>
  text.split(" ").map((one) => ({ type: one.slice(0, 3), value: one.slice(4) }));

test("an answer concerns the shipment if it names a document of it, or the tracked reference", () => {
  for (const [first, then, reference, vessel, why] of [
    ["BKG=A1", "BKG=B1", undefined, "HERON", "only another booking: it changes nothing"],
    ["BKG=A1 TRD=X1", "BKG=B1 TRD=X1", undefined, "TERN", "one bill makes them one cargo"],
    ["BKG=A1 TRD=X1", "BKG=B1 TRD=X2", undefined, "HERON", "another bill"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "X234567", "TERN", "the tracked reference"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "TESTX234567", "TERN", "also without the SCAC of a bill"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "X999999", "HERON", "another reference"],
  ] as const) {
    const about = { identifierType: "bill_of_lading", ...(reference && { reference }) } as const;
    const [known, next] = [
      atSea.map((one) => ({ ...one, documents: documentsIn(first) })),
      elsewhere.map((one) => ({ ...one, documents: documentsIn(then) })),
    ];
    const before = lookAt(known, null, march(3), about).record;
    assert.equal(lookAt(next, before, march(12), about).record.boxes[0]?.vessel?.name, vessel, why);
  }
});

test("the next vessel of a box that was handed over begins its awaited trip, also after an import", () => {
  const old =
    "LOAD CNTAO -30 HERON BKG=A1; DISC NLRTM -9 HERON import BKG=A1; STRP NLRTM -6 modeless import BKG=A1";
  const polls = polled(`@1 ${old} | @2 + DEPA~ NLRTM 10 TERN BKG=B1; ARRI~ USNYC 25 TERN BKG=B1`);
  assert.deepEqual(
    polls.map(({ record }) => [record.status, record.boxes[0]?.discharge?.unlocode]),
    [
      ["delivered", "NLRTM"],
      ["pre_departure", "USNYC"],
    ],
  );
});
