/** A box whose latest trip had ended when tracking began: the shipment is its next trip. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { changesBetween } from "../../src/products/ocean/events/changes.ts";
import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { nextRecord, nextRecordAt } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord, Statements } from "../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent } from "./event.ts";
import { pollThrough, raisedIn, TRACKED, UNARMED, type Poll } from "./life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9321483" } };
const empty = { laden: false } as const;
const planned = { classifier: "planned" } as const;

const delivered = [
  event("GTOT", "CNTAO", march(-40), empty),
  event("GTIN", "CNTAO", march(-38)),
  event("LOAD", "CNTAO", march(-36), heron),
  event("DEPA", "CNTAO", march(-35), heron),
  event("ARRI", "NLRTM", march(-10), heron),
  event("DISC", "NLRTM", march(-9), heron),
  event("GTOT", "NLRTM", march(-6)),
];
const returned = [...delivered, event("GTIN", "NLRTM", march(-3), empty)];
const next = [
  event("GTOT", "NLRTM", march(10), empty),
  event("GTIN", "NLRTM", march(12)),
  event("LOAD", "NLRTM", march(14), tern),
  event("DEPA", "NLRTM", march(15), tern),
  event("ARRI", "USNYC", march(25), tern),
  event("DISC", "USNYC", march(26), tern),
  event("GTOT", "USNYC", march(27)),
  event("GTIN", "USNYC", march(29), empty),
];

/** Status and events, without the time. */
function lines(polls: readonly Poll[]): readonly string[] {
  return raisedIn(polls).map((line, index) => {
    const awaits = isAwaitingNextTrip(polls[index]!.record.boxes[0]!) ? " awaits" : "";
    return line.slice("2026-03-10T10:50 ".length) + awaits;
  });
}

test("the next trip begins with its first statement, and all that it brings is raised", () => {
  const polls = pollThrough([
    [march(1), returned],
    [march(5), returned],
    ...next.map((one, index) => [one.at.ms + 1, [...returned, ...next.slice(0, index + 1)]] as const),
    [march(35), [...returned, ...next, event("GTOT", "USNYC", march(34), empty)]],
  ]);
  assert.deepEqual(lines(polls), [
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
  ]);
  const last = polls.at(-1)!.record.boxes[0]!;
  assert.deepEqual([last.origin?.unlocode, last.destination?.unlocode], ["NLRTM", "USNYC"]);
  assert.ok(last.timeline.every(({ at }) => at.ms >= march(10)));
});

test("a next trip that is over before anyone looks is raised as a whole", () => {
  const [, whole] = pollThrough([
    [march(1), returned],
    [march(35), [...returned, ...next]],
  ]);
  assert.deepEqual(lines([whole!]), [
    "returned_empty vessel_departed container_delivered updated(eta,vessel,discharge)",
  ]);
});

test("any first statement begins the next trip, also where the old trip is no longer reported", () => {
  const booked = { documents: [{ type: "BKG", value: "NEXT1" }] };
  const ours = (one: CarrierEvent) => ({ ...one, documents: [{ type: "BKG", value: "OLD1" }] });
  const rail = { mode: "rail" } as const;
  const firsts: readonly (readonly [CarrierEvent, string])[] = [
    [event("GTOT", "NLRTM", march(10), empty), "pre_departure"],
    [event("GTIN", "NLRTM", march(10)), "pre_departure"],
    [event("STUF", "NLRTM", march(10), { laden: null }), "pre_departure"],
    [event("LOAD", "DEDUI", march(10), rail), "pre_departure"],
    [event("LOAD", "NLRTM", march(10), tern), "pre_departure"],
    [event("LOAD", "NLRTM", march(20), { ...tern, ...planned }), "pre_departure"],
    [event("DEPA", "NLRTM", march(20), { ...tern, ...planned }), "pre_departure"],
    [{ ...documentEvent("BKG", "CONF", march(10)), ...booked }, "pre_departure"],
  ];
  for (const old of [returned.map(ours), delivered.map(ours)]) {
    for (const [first, status] of firsts) {
      const isDelivered = old.length === delivered.length;
      // Of a box that was handed over, only another cargo or an empty pick-up tells.
      const own = isDelivered && first.classifier === "actual" ? { ...first, ...booked } : first;
      const [before, begun] = pollThrough([
        [march(1), old],
        [march(11), [...old, own]],
      ]);
      assert.ok(isAwaitingNextTrip(before!.record.boxes[0]!));
      assert.equal(begun!.record.status, status, `${first.code} ${first.classifier} ${old.length}`);
      assert.equal(begun!.record.boxes[0]!.timeline.length, 1);
      const forgotten = pollThrough([
        [march(1), old],
        [march(11), [own]],
      ]);
      assert.equal(forgotten[1]!.record.status, status, "the old trip forgotten");
    }
  }
});

test("a plan that is taken back leaves the box awaiting its next trip, and nothing old is raised", () => {
  const plan = event("LOAD", "NLRTM", march(20), { ...tern, ...planned });
  const polls = pollThrough([
    [march(1), [...returned, plan]],
    [march(2), returned],
    [march(3), [...returned, plan]],
    [march(4), returned],
    [march(16), [...returned, ...next.slice(0, 4)]],
  ]);
  assert.deepEqual(lines(polls), [
    "pre_departure",
    "returned_empty updated(status,eta,vessel,discharge) awaits",
    "pre_departure updated(status,vessel)",
    "returned_empty updated(status,eta,vessel,discharge) awaits",
    "in_transit vessel_departed updated(vessel)",
  ]);
});

test("a late empty return of the old trip is shown, and an answer without it changes nothing", () => {
  const polls = pollThrough([
    [march(-5), delivered],
    [march(-3), returned],
    [march(1), [documentEvent("BKG", "CONF", march(-37))]],
    [march(2), returned],
  ]);
  assert.deepEqual(lines(polls), [
    "delivered awaits",
    "returned_empty updated(status) awaits",
    "returned_empty awaits",
    "returned_empty awaits",
  ]);
});

test("a trip that only seemed to have ended goes on", () => {
  const sailed = delivered.slice(0, 4);
  const between = [...sailed, event("DISC", "SGSIN", march(1), heron), event("GTOT", "SGSIN", march(2))];
  const onward = [
    ...between,
    event("GTIN", "SGSIN", march(3)),
    event("LOAD", "SGSIN", march(4), tern),
    event("DEPA", "SGSIN", march(5), tern),
  ];
  const polls = pollThrough([
    [march(2, 20), between],
    [march(6), onward],
  ]);
  assert.deepEqual(lines(polls), ["delivered awaits", "in_transit vessel_departed updated(vessel)"]);
});

function byDocument(events: readonly CarrierEvent[], previous: ShipmentRecord | null, nowMs: number) {
  const statements: Statements = {
    carrier: "HRNL",
    identifierType: "bill_of_lading",
    reference: "HRNLOLD1",
    events,
    freeDays: [],
  };
  return nextRecord(statements, previous, UNARMED, nowMs);
}

test("by bill of lading the trip of its cargo stays the trip, however long ago it ended", () => {
  const bill = (value: string) => (one: CarrierEvent) => ({ ...one, documents: [{ type: "TRD", value }] });
  const first = byDocument(returned, null, march(1));
  assert.equal(isAwaitingNextTrip(first.boxes[0]!), false);
  assert.equal(byDocument([...returned, ...next], first, march(16)).status, "returned_empty");
  const both = [...returned.map(bill("OLD1")), ...next.slice(0, 4).map(bill("NEW1"))];
  assert.equal(byDocument(both, null, march(16)).status, "returned_empty");
  const plan = event("LOAD", "NLRTM", march(20), { ...tern, ...planned });
  assert.equal(byDocument([...returned, plan], null, march(1)).status, "returned_empty");
});

test("once a box that was tracked before its end has ended, its next trip changes nothing", () => {
  const polls = pollThrough([
    [march(-30), returned.slice(0, 4)],
    [march(1), returned],
    [march(16), [...returned, ...next.slice(0, 4)]],
    [march(17), next.slice(0, 4)],
  ]);
  assert.deepEqual(lines(polls).slice(1), [
    "returned_empty container_delivered updated(status,eta,discharge)",
    "returned_empty",
    "returned_empty",
  ]);
});

test("an end that an answer leaves out is not explained by a gate of an earlier trip", () => {
  const days = (count: number) => count * 86_400_000;
  const earlier = returned.map((one) => ({ ...one, at: { ...one.at, ms: one.at.ms - days(60) } }));
  const until = (count: number): readonly CarrierEvent[] => [...earlier, ...returned.slice(0, count)];
  for (const [whole, status] of [
    [7, "delivered"],
    [8, "returned_empty"],
  ] as const) {
    const polls = pollThrough([
      [march(-30), until(4)],
      [march(1), until(whole)],
      [march(2), until(whole - 1)],
      [march(3), until(whole)],
      [march(4), until(whole - 1)],
      [march(5), until(whole - 1)],
    ]);
    const shown = polls.slice(1).map(({ record }) => record.status);
    assert.deepEqual(shown.slice(0, 4), [status, status, status, status]);
    assert.notEqual(shown[4], status, "left out twice");
    assert.deepEqual(
      polls.slice(2, 5).flatMap(({ raised }) => raised),
      [],
    );
  }
});

test("a box that was booked when tracking began is on that trip, however late it is polled again", () => {
  const [, late] = pollThrough([
    [march(5), [event("LOAD", "NLRTM", march(14), { ...tern, ...planned })]],
    [march(35), [...returned, ...next, event("LOAD", "USNYC", march(34), { mode: "rail" })]],
  ]);
  assert.equal(late!.record.status, "returned_empty");
  assert.equal(late!.record.boxes[0]!.origin?.unlocode, "NLRTM");
});

test("an ended box that one answer for a bill of lading leaves out is not gone", () => {
  const other = { equipment: "HRNU4000017" };
  const statements = [...returned, event("GTIN", "CNTAO", march(-38), other)];
  const first = byDocument(statements, null, march(1));
  const without = byDocument(statements.slice(-1), first, march(2));
  assert.deepEqual(
    without.boxes.map(({ status }) => status),
    ["returned_empty", "pre_departure"],
  );
  assert.deepEqual(byDocument(statements.slice(-1), without, march(3)).boxes.length, 1);
  assert.equal(byDocument(statements, without, march(3)).boxes[0]!.end?.doubted, undefined);
});

test("a last free day that is stated of an earlier trip, or of another port, is none of the box's", () => {
  const landed = [...returned, ...next.slice(0, 6)];
  const stated = (events: readonly CarrierEvent[], index: number, lastFreeDay: string) => {
    const { at, place } = events[index]!;
    return { equipment: "CSQU3054383", lastFreeDay, of: { at, place } };
  };
  const freeTimeOf = (freeDays: Statements["freeDays"]) => {
    const about = { carrier: "HRNL", identifierType: "container_id" } as const;
    const awaits = nextRecord({ ...about, events: returned, freeDays }, null, UNARMED, march(1));
    return nextRecord({ ...about, events: landed, freeDays }, awaits, UNARMED, march(27)).boxes[0]?.freeTime;
  };
  const own = stated(next, 5, "2026-03-30");
  assert.equal(freeTimeOf([own])?.lastFreeDay, "2026-03-30");
  assert.equal(freeTimeOf([own, stated(returned, 5, "2026-02-24")])?.lastFreeDay, "2026-03-30");
  assert.equal(freeTimeOf([stated(returned, 5, "2026-02-24")]), null);
  assert.equal(freeTimeOf([stated(next, 2, "2026-03-29")]), null, "of the port of loading");
});

test("the events of the next trip have keys of their own", () => {
  const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
  const again = [
    ...returned,
    ...returned.map((one) =>
      event(one.code, one.place!.unlocode, one.at.ms + 60 * 86_400_000, {
        ...one,
        at: event("LOAD", "X", one.at.ms + 60 * 86_400_000).at,
      }),
    ),
  ];
  const old = nextRecord({ ...about, events: returned }, null, UNARMED, march(1));
  const seen = changesBetween(TRACKED, null, old, UNARMED, march(1)).record;
  const later = nextRecord({ ...about, events: again }, seen, UNARMED, march(90));
  const { events, record } = changesBetween(TRACKED, seen, later, UNARMED, march(90));
  const keys = events.flatMap(({ dedupKey }) => dedupKey ?? []);
  assert.ok(keys.length >= 2 && keys.every((key) => key.includes(":trip_1:")), keys.join());
  assert.deepEqual(
    changesBetween(TRACKED, record, nextRecordAt(record, UNARMED, march(91)), UNARMED, march(91)).events,
    [],
  );
});
