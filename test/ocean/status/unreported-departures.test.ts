/** Ships that leave with the box, which nobody reports. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { documentEvent, event, march } from "../event.ts";
import { pollThrough, raisedIn, type Poll } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const egret = { vessel: { name: "EGRET BAY", imo: null } };

const loaded = [event("GTIN", "CNTAO", march(1)), event("LOAD", "CNTAO", march(2), heron)];
const departed = event("DEPA", "CNTAO", march(3), heron);
const arrived = event("ARRI", "DEHAM", march(20), heron);
const discharged = event("DISC", "DEHAM", march(21), heron);

function estimate(unlocode: string, atMs: number, more: Partial<CarrierEvent> = heron): CarrierEvent {
  return event("ARRI", unlocode, atMs, { ...more, classifier: "estimated", createdAtMs: march(1) });
}

/** The status and the events of each look, without its time. */
function lines(polls: readonly Poll[]): readonly string[] {
  return raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length));
}

function departures(polls: readonly Poll[]): readonly Readonly<Record<string, unknown>>[] {
  return polls
    .flatMap(({ raised }) => raised)
    .filter(({ type }) => type === "vessel_departed")
    .map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

test("a vessel that has come to another port had left, and when is not made up", () => {
  const eta = estimate("DEHAM", march(20));
  const polls = pollThrough([
    [march(3), [...loaded, eta]],
    [march(20), [...loaded, arrived]],
    [march(21), [...loaded, arrived, discharged]],
  ]);
  assert.deepEqual(lines(polls), [
    "pre_departure",
    "at_berth vessel_departed updated(status)",
    "discharged updated(status)",
  ]);
  const [departure] = departures(polls);
  assert.deepEqual(
    [departure?.["previous_status"], departure?.["new_status"], departure?.["event_date_time"]],
    ["pre_departure", "in_transit", undefined],
  );
});

test("a discharge or a gate elsewhere implies the departure", () => {
  for (const last of [discharged, event("GTOT", "DEHAM", march(22))]) {
    const polls = pollThrough([
      [march(3), loaded],
      [march(22), [...loaded, last]],
    ]);
    assert.equal(departures(polls).length, 1, last.code);
  }
});

test("a departure that is reported late is not raised twice, whatever place it names", () => {
  for (const late of [departed, event("DEPA", "CNQIN", march(3), heron)]) {
    const polls = pollThrough([
      [march(3), loaded],
      [march(20), [...loaded, arrived]],
      [march(21), [...loaded, arrived, late]],
      [march(22), [...loaded, arrived, late, discharged]],
      [march(23), [...loaded, arrived, discharged]],
    ]);
    assert.equal(departures(polls).length, 1, JSON.stringify(late.place));
  }
});

test("the order of statements does not matter", () => {
  const orders = [
    [loaded, [arrived], [discharged]],
    [[discharged], [arrived], loaded],
    [[arrived], loaded, [discharged]],
  ];
  for (const order of orders) {
    const known = order.map((_, index) => order.slice(0, index + 1).flat());
    const polls = pollThrough([
      [march(1), [event("GTOT", "CNTAO", march(1, 1), { laden: false })]],
      ...known.map((stated, index): [number, readonly CarrierEvent[]] => [march(22 + index), stated]),
    ]);
    assert.equal(polls.at(-1)?.record.status, "discharged");
    assert.equal(departures(polls).length, 1, JSON.stringify(lines(polls)));
  }
});

test("a box goes on from where it changed vessels, and comes near its destination, without a word of its sailing", () => {
  const toHub = [
    ...loaded,
    departed,
    event("ARRI", "SGSIN", march(8), heron),
    event("DISC", "SGSIN", march(8, 20), heron),
  ];
  const eta = estimate("DEHAM", march(25), egret);
  const onward = event("LOAD", "SGSIN", march(10), egret);
  const call = [event("ARRI", "LKCMB", march(14)), event("DEPA", "LKCMB", march(15))];
  const polls = pollThrough([
    [march(9), [...toHub, eta]],
    [march(10), [...toHub, onward, eta]],
    [march(16), [...toHub, onward, ...call, eta]],
    [march(24), [...toHub, onward, ...call, { ...eta, createdAtMs: march(24) }]],
  ]);
  assert.deepEqual(lines(polls), [
    "at_transshipment",
    "at_transshipment updated(vessel)",
    "in_transit vessel_departed",
    "arriving container_arrived",
  ]);
  assert.equal(
    departures(polls)[0]?.["event_date_time"],
    undefined,
    "the port of call is not where it set out",
  );
});

test("a box that is loaded on its last vessel comes near its destination, though its departure is not even planned", () => {
  const toHub = [...loaded, departed, event("DISC", "SGSIN", march(8), heron)];
  const known = [...toHub, event("LOAD", "SGSIN", march(10), egret), estimate("DEHAM", march(25), egret)];
  const sails = event("DEPA", "SGSIN", march(11), { ...egret, classifier: "planned" });
  const polls = pollThrough([
    [march(10), known],
    [march(22), known],
    [march(24), known],
    [march(25), [...known, event("ARRI", "DEHAM", march(25), egret)]],
  ]);
  assert.deepEqual(lines(polls), [
    "at_transshipment",
    "at_transshipment",
    "arriving container_arrived",
    "at_berth vessel_departed updated(status)",
  ]);
  const planned = pollThrough([
    [march(10), [...known, sails]],
    [march(24), [...known, sails]],
  ]);
  assert.ok(
    !lines(planned)[1]?.includes("container_arrived"),
    "its ship has not left by its carrier's own plan",
  );
});

test("a box that was to be loaded, and is seen elsewhere, was", () => {
  const gateIn = event("GTIN", "CNTAO", march(1));
  const planned = event("DEPA", "CNTAO", march(3), { ...heron, classifier: "planned" });
  const polls = pollThrough([
    [march(2), [gateIn, planned]],
    [march(21), [gateIn, planned, discharged]],
    [march(22), [gateIn, departed, discharged]],
  ]);
  assert.equal(departures(polls).length, 1);
  const depot = event("GTIN", "CNTNA", march(1));
  const byTruck = pollThrough([
    [march(2), [depot]],
    [march(21), [depot, discharged]],
    [march(22), [depot, departed, discharged]],
  ]);
  assert.equal(departures(byTruck).length, 1, "when its port becomes known");
});

test("spec 6.3: vessel_departed: the next port that the vessel of a gated-in box comes to implies it, though the plan left the answer", () => {
  const gateIn = event("GTIN", "NLRTM", march(1));
  const departure = event("DEPA", "NLRTM", march(3), { ...heron, classifier: "planned" });
  const plan = [departure, estimate("SEGOT", march(6))];
  const gone = event("DEPA", "NLRTM", march(3), heron);
  for (const unnamed of [false, true]) {
    const by = (events: readonly CarrierEvent[]) =>
      unnamed ? events.map((one) => ({ ...one, vessel: null })) : events;
    for (const seen of [
      [event("ARRI", "SEGOT", march(6), heron)],
      [event("DISC", "SEGOT", march(6), heron)],
      // A call on the way, and the last port still to come.
      [event("ARRI", "DEBRV", march(5), heron), estimate("SEGOT", march(7))],
    ]) {
      const polls = pollThrough([
        [march(2), by([gateIn, ...plan])],
        [march(4), by([gateIn, estimate("SEGOT", march(6))])],
        [march(6), by([gateIn, ...seen])],
        [march(6, 13), by([gateIn, ...seen])],
        [march(7), by([gateIn, gone, ...seen])],
      ]);
      assert.equal(departures(polls).length, 1, JSON.stringify([unnamed, seen]));
      const [implied] = departures(polls);
      assert.deepEqual(
        [implied?.["previous_status"], implied?.["new_status"], implied?.["event_date_time"]],
        ["pre_departure", "in_transit", undefined],
      );
    }
  }
  const others = pollThrough([
    [march(2), [gateIn, ...plan]],
    [march(6), [gateIn, event("ARRI", "SEGOT", march(6), egret)]],
  ]);
  assert.deepEqual(departures(others), [], "another vessel's arrival");
  const inland = pollThrough([
    [march(2), [event("GTIN", "DEDUI", march(1)), ...plan]],
    [march(6), [event("GTIN", "DEDUI", march(1)), event("ARRI", "SEGOT", march(6), heron)]],
  ]);
  assert.deepEqual(departures(inland), [], "no vessel was to leave from where it was");
});

test("the vessel that brought the box to a hub goes on without it", () => {
  const toHub = [...loaded, departed, event("DISC", "SGSIN", march(8), heron)];
  const eta = estimate("DEHAM", march(25), egret);
  const polls = pollThrough([
    [march(9), [...toHub, eta]],
    [march(12), [...toHub, event("ARRI", "LKCMB", march(12), heron), eta]],
  ]);
  assert.equal(departures(polls).length, 0);
});

test("spec 6.3: customs_hold: a hold near the arrival of a box whose departure nobody reports is one at its destination", () => {
  const held = (hold: CarrierEvent) =>
    lines(
      pollThrough([
        [march(3), [...loaded, hold]],
        [march(20), [...loaded, arrived, hold]],
        [march(21), [...loaded, arrived, discharged, hold]],
      ]),
    ).at(-1);
  assert.equal(held(documentEvent("CUS", "HOLD", march(3))), "discharged updated(status)", "at the origin");
  assert.equal(held(documentEvent("CUS", "HOLD", march(18))), "customs_hold customs_hold");
  const placed = (unlocode: string, day: number) =>
    event("CUSI", unlocode, march(day), { kind: "equipment", mode: null });
  assert.equal(held(placed("CNTAO", 18)), "discharged updated(status)");
  assert.equal(held(placed("DEHAM", 3)), "customs_hold customs_hold");
});
