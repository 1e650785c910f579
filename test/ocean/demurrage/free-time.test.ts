/** Free time on the calendar of a port, from the discharge to the gate. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { freeTimeOf, type DischargedBox } from "../../../src/products/ocean/demurrage/free-time.ts";
import type { FreeDay } from "../../../src/products/ocean/sources/carrier-event.ts";
import type { Tariff } from "../../../src/products/ocean/demurrage/tariff.ts";
import { event } from "../event.ts";
import { landed, tariff } from "./discharged-box.ts";

function freeTime(box: DischargedBox, more: Partial<Tariff>, now: string, stated: readonly FreeDay[] = []) {
  return freeTimeOf(box, "HRNL", [tariff(more)], stated, Date.parse(now));
}

const lastDay = (unlocode: string, discharged: string, more: Partial<Tariff>) =>
  freeTime(landed(unlocode, discharged), more, discharged)?.lastFreeDay;

type Row = readonly [port: string, discharged: string, more: Partial<Tariff>, last: string, why?: string];

function assertLastDays(...rows: readonly Row[]): void {
  for (const [port, discharged, more, last, why] of rows)
    assert.equal(lastDay(port, discharged, more), last, why ?? JSON.stringify([port, discharged, more]));
}

test("free days begin with the day after the discharge, or with the day of it, by the port's calendar", () => {
  const friday = "2026-03-20T12:00:00Z";
  assertLastDays(
    ["NLRTM", friday, { freeDays: 5 }, "2026-03-25"],
    ["NLRTM", friday, { freeDays: 5, dischargeDayCounts: true }, "2026-03-24"],
    ["NLRTM", friday, { freeDays: 0 }, "2026-03-20"],
    ["NLRTM", friday, { freeDays: 0, dischargeDayCounts: true }, "2026-03-19"],
    ["CNTAO", "2026-03-20T15:59:59Z", { freeDays: 1 }, "2026-03-21"],
    ["CNTAO", "2026-03-20T16:00:00Z", { freeDays: 1 }, "2026-03-22"],
    ["USLAX", "2026-03-20T06:59:59Z", { freeDays: 1 }, "2026-03-20"],
    // At an unknown port by the offset that the carrier reports: `event` reports UTC+1.
    ["XXAAA", "2026-03-20T22:59:59Z", { freeDays: 1 }, "2026-03-21"],
    ["XXAAA", "2026-03-20T23:00:00Z", { freeDays: 1 }, "2026-03-22"],
  );
});

test("a stated last free day that had passed when the box was discharged is of an old plan", () => {
  const box = landed("NLRTM", "2026-03-20T12:00:00Z");
  const of = (lastFreeDay: string, equipment: string | null = null): FreeDay => ({ equipment, lastFreeDay });
  for (const [stated, ...found] of [
    [[of("2026-03-15")], "2026-03-25", "tariff"],
    [[of("2026-03-18")], "2026-03-25", "tariff"],
    [[of("2026-03-18", "CSQU3054383"), of("2026-03-24")], "2026-03-24", "carrier"],
    [[of("2026-03-19")], "2026-03-19", "carrier"],
    [[of("2026-03-20")], "2026-03-20", "carrier"],
  ] as const) {
    const { lastFreeDay, source } = freeTime(box, { freeDays: 5 }, "2026-03-21T12:00:00Z", stated)!;
    assert.deepEqual([lastFreeDay, source], found, JSON.stringify(stated));
  }
});

test("working days leave out the weekend of the port's country, and the holidays of the tariff", () => {
  const working = { freeDays: 2, days: "working" } as const;
  const on = (day: number): string => `2026-03-${day}T10:00:00Z`;
  const [wednesday, thursday, saturday] = [on(18), on(19), on(21)];
  const holidays = ["2026-03-20", "2026-03-23", "2026-03-21"];
  assertLastDays(
    ["NLRTM", thursday, working, "2026-03-23", "Friday and Monday"],
    ["AEJEA", thursday, working, "2026-03-23", "Saturday and Sunday since 2022"],
    ["SAJED", thursday, working, "2026-03-23", "Sunday and Monday"],
    ["EGPSD", wednesday, working, "2026-03-22", "Thursday and Sunday"],
    ["NLRTM", thursday, { ...working, holidays }, "2026-03-25", "a holiday at the weekend takes no day away"],
    ["NLRTM", saturday, { ...working, dischargeDayCounts: true }, "2026-03-24", "discharged on a Saturday"],
  );
});

test("free time ends with its last day at the port, also where the clocks change on it", () => {
  const box = landed("NLRTM", "2026-03-28T10:00:00Z");
  const ends = (now: string) => freeTime(box, { freeDays: 1 }, now);
  // 2026-03-29: Rotterdam goes from UTC+1 to UTC+2.
  assert.equal(ends("2026-03-28T10:00:00Z")?.endsMs, Date.parse("2026-03-29T22:00:00Z"));
  for (const [now, overdue] of [
    ["2026-03-29T21:59:59Z", 0],
    ["2026-03-29T22:00:00Z", 1],
    ["2026-03-30T21:59:59Z", 1],
    ["2026-03-30T22:00:00Z", 2],
  ] as const)
    assert.equal(ends(now)?.daysOverdue, overdue, now);
});

test("charged days are calendar days, and stop at the gate", () => {
  const terms = { freeDays: 2, days: "working", rates: [{ fromDay: 1, centsUsd: 10_010 }] } as const;
  const stays = landed("NLRTM", "2026-03-18T10:00:00Z");
  // Free on Thursday the 19th and Friday the 20th, charged from Saturday on.
  const over = freeTime(stays, terms, "2026-03-24T12:00:00Z");
  assert.deepEqual([over?.lastFreeDay, over?.daysOverdue, over?.accruedUsd], ["2026-03-20", 4, 400.4]);
  const left = { left: "2026-03-22T12:00:00Z", status: "delivered" } as const;
  const gone = freeTime(landed("NLRTM", "2026-03-18T10:00:00Z", left), terms, "2026-05-01T12:00:00Z");
  assert.deepEqual([gone?.daysOverdue, gone?.accruedUsd], [2, 200.2]);
});

test("the last free day that the carrier states comes first, the box's own before that of all boxes", () => {
  const box = landed("NLRTM", "2026-03-20T12:00:00Z");
  const rates = [{ fromDay: 1, centsUsd: 5_000 }];
  const ofAll = { equipment: null, lastFreeDay: "2026-03-30" };
  const own = { equipment: "CSQU3054383", lastFreeDay: "2026-03-29" };
  const others = { equipment: "HRNU4000017", lastFreeDay: "2026-03-28" };
  const raised = (stated: readonly FreeDay[]) =>
    freeTime(box, { freeDays: 5, rates }, "2026-03-31T12:00:00Z", stated);
  assert.deepEqual(raised([ofAll, own, others]), {
    lastFreeDay: "2026-03-29",
    source: "carrier",
    endsMs: Date.parse("2026-03-29T22:00:00Z"),
    // Before the clocks change: the 26th at the port.
    warnsMs: Date.parse("2026-03-25T23:00:00Z"),
    daysOverdue: 2,
    accruedUsd: 100,
    rates,
  });
  assert.equal(raised([ofAll, others])?.lastFreeDay, "2026-03-30");
  assert.equal(raised([others])?.source, "tariff");
  const unpriced = freeTimeOf(box, "OTHR", [tariff({})], [own], Date.parse("2026-03-31T12:00:00Z"));
  assert.deepEqual([unpriced?.daysOverdue, unpriced?.accruedUsd], [2, null]);
});

test("there is no free time before the box is ashore where its journey ends, nor where nobody says", () => {
  const now = "2026-03-21T12:00:00Z";
  const at = (status: DischargedBox["status"]) => freeTime(landed("NLRTM", now, { status }), {}, now);
  for (const status of ["at_berth", "at_transshipment", "in_transit", "arriving", "cancelled"] as const) {
    assert.equal(at(status), null);
  }
  for (const status of ["discharged", "customs_hold", "available", "delivered"] as const) {
    assert.notEqual(at(status), null);
  }
  assert.equal(freeTimeOf(landed("NLRTM", now), "HRNL", [], [], Date.parse(now)), null);
  const assumed = { ...landed("NLRTM", now), isEndShown: false };
  assert.equal(freeTime(assumed, {}, now), null, "a tariff says nothing of an end that nobody showed");
  const own = [{ equipment: null, lastFreeDay: "2026-03-24" }];
  assert.equal(freeTimeOf(assumed, "HRNL", [], own, Date.parse(now))?.lastFreeDay, "2026-03-24");
  // Ashore at the port, and the journey ends inland.
  const inland = { ...landed("USLAX", now), destination: event("GTIN", "USCHI", 0).place };
  assert.equal(freeTime(inland, {}, now), null);
});

test("free time at an inland destination begins when the box comes in there", () => {
  const box = landed("USLAX", "2026-03-10T12:00:00Z", { status: "available" });
  const inGate = event("GTIN", "USCHI", Date.parse("2026-03-16T12:00:00Z"));
  const inland = { ...box, destination: inGate.place, timeline: [...box.timeline, inGate] };
  assert.equal(freeTime(inland, { freeDays: 3 }, "2026-03-16T13:00:00Z")?.lastFreeDay, "2026-03-19");
});

test("the box's size picks its tariff", () => {
  const box = landed("NLRTM", "2026-03-20T12:00:00Z", { isoCode: "45R1" });
  const tariffs = [tariff({ freeDays: 7 }), tariff({ freeDays: 2, equipment: "45R" })];
  assert.equal(freeTimeOf(box, "HRNL", tariffs, [], 0)?.lastFreeDay, "2026-03-22");
});

test("spec 6.3: demurrage_warning, demurrage_started: none without a reported discharge where the journey ends, whatever day is stated", () => {
  const stated = [{ equipment: null, lastFreeDay: "2026-03-22" }];
  const now = "2026-03-24T12:00:00Z";
  const box = landed("NLRTM", "2026-03-20T12:00:00Z");
  const last = (more: Partial<DischargedBox>): string | undefined =>
    freeTime({ ...box, ...more }, {}, now, stated)?.lastFreeDay;
  assert.equal(last({}), "2026-03-22");
  assert.equal(last({ timeline: [event("GTIN", "NLRTM", Date.parse(now))] }), undefined, "implied only");
  const inland = event("GTIN", "DEDUI", Date.parse("2026-03-22T12:00:00Z"));
  assert.equal(last({ destination: inland.place }), undefined, "still at the port");
  assert.equal(last({ destination: inland.place, timeline: [...box.timeline, inland] }), "2026-03-22");
  const { at, place } = box.timeline[0]!;
  assert.ok(place !== null);
  assert.equal(last({ misrouting: { at, discharge: place, expected: place } }), undefined);
  for (const status of ["at_transshipment", "in_transit"] as const) assert.equal(last({ status }), undefined);
});

test("a box that is back at the terminal has not left: its days go on", () => {
  const box = landed("NLRTM", "2026-03-18T10:00:00Z", { left: "2026-03-21T12:00:00Z" });
  assert.equal(freeTime(box, { freeDays: 2 }, "2026-03-24T12:00:00Z")?.daysOverdue, 4);
});
