/** Free days at a last port that the carrier names without a UN/LOCODE: by the clocks of that port. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { freeTimeOf, type DischargedBox } from "../../../src/products/ocean/demurrage/free-time.ts";
import type { Tariff } from "../../../src/products/ocean/demurrage/tariff.ts";
import type { CarrierEvent, Place } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { event, march } from "../event.ts";
import { UNARMED } from "../life.ts";
import { place, utc } from "../records.ts";
import { landed, tariff } from "./discharged-box.ts";

const NOWHERE = { unlocode: null, name: null, facility: null, facilityType: null };
const named = (name: string, more: Partial<Place> = {}): Place => ({ ...NOWHERE, name, ...more });
const facility = (code: string): Place => ({ ...NOWHERE, facility: code });
const zulu = (one: CarrierEvent): CarrierEvent => ({ ...one, at: utc(one.at.ms) });

/** The box of a carrier that writes UTC, ashore at `port`. */
function ashore(port: Place, discharged: string, more: Partial<DischargedBox> = {}): DischargedBox {
  const box = landed("NLRTM", discharged);
  const timeline = box.timeline.map((one) => ({ ...zulu(one), place: port }));
  return { ...box, timeline, discharge: port, destination: port, ...more };
}

function lastDay(box: DischargedBox, more: Partial<Tariff> = {}): string | undefined {
  const tariffs = [tariff({ freeDays: 1, ...more })];
  return freeTimeOf(box, "HRNL", tariffs, [], box.timeline[0]!.at.ms)?.lastFreeDay;
}

test("spec 6.3: demurrage_started: days at a port known by its name, or by coordinates, are the port's", () => {
  for (const port of [
    named("QINGDAO"),
    named("Qingdao, China"),
    named("New Harbour", { position: { latitude: 36.05, longitude: 120.3 } }),
    place("TWX9X"),
  ]) {
    assert.equal(lastDay(ashore(port, "2026-03-20T15:59:59Z")), "2026-03-21", JSON.stringify(port));
    assert.equal(lastDay(ashore(port, "2026-03-20T16:00:00Z")), "2026-03-22", JSON.stringify(port));
  }
  assert.equal(lastDay(ashore(named("Nowhere"), "2026-03-20T16:00:00Z")), "2026-03-21", "UTC at last");
});

test("days at a facility are those of the port where other statements put it, or of the announced one", () => {
  const port = facility("QQCT");
  const box = ashore(port, "2026-03-20T16:00:00Z");
  const planned = (where: Place) =>
    ({ ...event("ARRI", null, march(19)), place: where, classifier: "planned" }) as const;
  const known = (...places: readonly Place[]) => ({
    ...box,
    timeline: [...places.map(planned).map(zulu), ...box.timeline],
  });
  assert.equal(lastDay(box), "2026-03-21");
  assert.equal(lastDay(known(place("CNTAO", { facility: "QQCT" }))), "2026-03-22");
  assert.equal(lastDay(known(named("Qingdao", { facility: "QQCT" }))), "2026-03-22");
  const ambiguous = known(place("CNTAO", { facility: "QQCT" }), place("NLRTM", { facility: "QQCT" }));
  assert.equal(lastDay(ambiguous), "2026-03-21", "a code that two ports' terminals have");
  const announced = { port: place("CNTAO"), inland: null };
  assert.equal(lastDay({ ...box, announced }), "2026-03-22");
  assert.equal(lastDay({ ...ashore(place("NLRTM"), "2026-03-20T16:00:00Z"), announced }), "2026-03-21");
  const inland = {
    ...box,
    discharge: place("NLRTM"),
    timeline: box.timeline.map((one) => ({ ...one, code: "GTIN" })),
  };
  assert.equal(lastDay({ ...inland, announced }), "2026-03-21", "no last port of the vessel's");
  assert.equal(lastDay({ ...inland, announced: { port: null, inland: place("CNTAO") } }), "2026-03-22");
});

test("a last free day stated at the port in another of its forms is the port's", () => {
  const box = ashore(facility("QQCT"), "2026-03-20T12:00:00Z", {
    announced: { port: place("CNTAO"), inland: null },
  });
  const stated = (where: Place) => {
    const days = [{ equipment: null, lastFreeDay: "2026-03-27", of: { at: utc(march(19)), place: where } }];
    return freeTimeOf(box, "HRNL", [], days, march(21))?.lastFreeDay;
  };
  assert.equal(stated(place("CNTAO")), "2026-03-27");
  assert.equal(stated(named("Qingdao")), "2026-03-27");
  assert.equal(stated(place("NLRTM")), undefined);
});

test("the weekend and the tariffs of a port known by its name are the port's", () => {
  // 2026-03-18 is a Wednesday; Friday and Saturday are the weekend in Egypt.
  const box = ashore(named("Port Said"), "2026-03-18T10:00:00Z");
  assert.equal(lastDay(box, { freeDays: 2, days: "working" }), "2026-03-22");
  const own = (port: string, name: string) => {
    const tariffs = [tariff({ freeDays: 1 }), tariff({ freeDays: 4, port })];
    const there = ashore(named(name), "2026-03-18T10:00:00Z");
    return freeTimeOf(there, "HRNL", tariffs, [], there.timeline[0]!.at.ms)?.lastFreeDay;
  };
  assert.equal(own("NLRTM", "Rotterdam"), "2026-03-22");
  assert.equal(own("CNTAO", "QINGDAO"), "2026-03-22", "one of its codes");
  assert.equal(own("NLRTM", "Antwerp"), "2026-03-19");
});

test("a record knows the zone of a port by its name, and after the plan has left the answer by what was announced", () => {
  const heron = { vessel: { name: "HERON DAWN", imo: null } };
  const tariffs = [tariff({ carrier: "HRNL", freeDays: 1 })];
  const answer = (events: readonly CarrierEvent[]) =>
    ({ carrier: "HRNL", identifierType: null, events: events.map(zulu), freeDays: [] }) as const;
  const sailed = [event("LOAD", "NLRTM", march(2), heron), event("DEPA", "NLRTM", march(3), heron)];
  const plan = event("ARRI", "CNTAO", march(20), { ...heron, classifier: "planned" });
  const discharge = event("DISC", "X", Date.parse("2026-03-20T16:00:00Z"), heron);
  for (const port of [named("Qingdao"), facility("QQCT")]) {
    const first = nextRecord(answer([...sailed, plan]), null, { ...UNARMED, tariffs }, march(10));
    const next = nextRecord(
      answer([...sailed, { ...discharge, place: port }]),
      first,
      { ...UNARMED, tariffs },
      march(21),
    );
    assert.equal(next.boxes[0]?.freeTime?.lastFreeDay, "2026-03-22", JSON.stringify(port));
  }
});
