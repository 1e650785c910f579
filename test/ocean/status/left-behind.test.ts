/** Vessels that leave without the box: it was taken off again, or is to be loaded on another one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march, plan } from "../event.ts";
import { departures, pollThrough, raisedIn, type Poll } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" };
const egret = { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9000003" }, voyage: "007W" };

const gateIn = event("GTIN", "CNTAO", march(1));

/** The status and the events of each poll, without its time. */
function lines(polls: readonly Poll[]): readonly string[] {
  return raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length));
}

function last(stated: readonly CarrierEvent[], atMs = march(28)): string {
  return lines(pollThrough([[atMs, stated]]))[0] as string;
}

const takenOff = [gateIn, event("LOAD", "CNTAO", march(2), heron), event("DISC", "CNTAO", march(4), heron)];
const heronLeaves = event("DEPA", "CNTAO", march(5), heron);

test("spec 6.3: vessel_departed: a box that is taken off again does not sail with the vessel, but with its next one", () => {
  const reloaded = [...takenOff, heronLeaves, event("LOAD", "CNTAO", march(9), egret)];
  const sailed = [...reloaded, event("DEPA", "CNTAO", march(10), egret)];
  const polls = pollThrough([
    [march(2), takenOff.slice(0, 2)],
    [march(4), takenOff],
    [march(5), [...takenOff, heronLeaves]],
    [march(9), reloaded],
    [march(10), sailed],
  ]);
  assert.deepEqual(
    polls.map(({ record }) => record.status),
    ["pre_departure", "pre_departure", "pre_departure", "pre_departure", "in_transit"],
  );
  assert.deepEqual(departures(polls), ["2026-03-10T12:00:00.000Z"]);
  assert.equal(polls.at(-1)?.record.boxes[0]?.vessel?.name, "EGRET BAY");
});

test("the vessel that the box was taken off comes to its ports without the box", () => {
  for (const onward of [[heronLeaves], []]) {
    assert.equal(last([...takenOff, ...onward, event("ARRI", "SGSIN", march(12), heron)]), "pre_departure");
  }
  const found = [...takenOff, heronLeaves, event("DISC", "SGSIN", march(14), egret)];
  assert.match(last(found), /^discharged/, "a discharge elsewhere tells that it has sailed after all");
});

test("a box that is loaded again on the vessel sails with it", () => {
  const again = event("LOAD", "CNTAO", march(5, 20), heron);
  assert.equal(last([...takenOff, again, event("DEPA", "CNTAO", march(6), heron)]), "in_transit");
  const planned = plan("LOAD", "CNTAO", march(5, 20), heron, march(4));
  const left = [...takenOff, planned, event("DEPA", "CNTAO", march(6), heron)];
  assert.equal(last(left), "in_transit", "by its plan");
});

test("a vessel leaves without a box that is to be loaded on another one or on its next voyage", () => {
  const next = { ...heron, voyage: "013E" };
  for (const more of [egret, next]) {
    const loading = [gateIn, plan("LOAD", "CNTAO", march(12), more, march(3))];
    assert.equal(last([...loading, heronLeaves]), "pre_departure", more.voyage);
    const calls = [
      gateIn,
      plan("DEPA", "CNTAO", march(5), heron),
      plan("DEPA", "CNTAO", march(12), more, march(3)),
    ];
    assert.equal(last([...calls, heronLeaves]), "pre_departure", `${more.voyage}, no loading stated`);
    const sails = [event("LOAD", "CNTAO", march(12), more), event("DEPA", "CNTAO", march(13), more)];
    const polls = pollThrough([
      [march(3), calls],
      [march(5), [...calls, heronLeaves]],
      [march(13), [...calls, heronLeaves, ...sails]],
    ]);
    assert.deepEqual(departures(polls).length, 1);
    assert.equal(polls.at(-1)?.record.boxes[0]?.voyage, more.voyage);
  }
  const loaded = [gateIn, event("LOAD", "CNTAO", march(4), heron), plan("LOAD", "CNTAO", march(12), egret)];
  assert.equal(last([...loaded, heronLeaves]), "in_transit", "loaded on it after all");
});

test("of two vessels that leave without a word of a loading, the box is aboard of the later one", () => {
  const both = [gateIn, heronLeaves, event("DEPA", "CNTAO", march(12), egret)];
  const sailedWith = (stated: readonly CarrierEvent[]) =>
    pollThrough([[march(20), stated]])[0]?.record.boxes[0]?.vessel?.name;
  assert.equal(sailedWith(both), "EGRET BAY");
  assert.equal(sailedWith([...both, event("ARRI", "SGSIN", march(18), egret)]), "EGRET BAY");
  assert.equal(
    sailedWith([...both, event("ARRI", "SGSIN", march(18), heron)]),
    "HERON DAWN",
    "she brings it",
  );
  assert.equal(sailedWith([...both, plan("ARRI", "SGSIN", march(22), heron)]), "HERON DAWN", "she is to");
  const between = event("ARRI", "HKHKG", march(8), heron);
  assert.equal(sailedWith([...both, between]), "HERON DAWN", "the box was elsewhere before");
  assert.equal(sailedWith([...both, event("LOAD", "CNTAO", march(4), heron)]), "HERON DAWN", "loaded on her");
  const backAgain = event("DEPA", "CNTAO", march(20), { ...heron, voyage: "014E" });
  const back = pollThrough([[march(21), [...both, backAgain, plan("ARRI", "SGSIN", march(30), heron)]]]);
  assert.equal(back[0]?.record.boxes[0]?.sailings.at(-1)?.departedMs, march(20), "she has come back");
  const polls = pollThrough([
    [march(3), [gateIn, plan("DEPA", "CNTAO", march(5), heron)]],
    [march(5), [gateIn, heronLeaves, plan("DEPA", "CNTAO", march(12), egret, march(4))]],
    [march(12), both],
  ]);
  assert.deepEqual(departures(polls), ["2026-03-12T12:00:00.000Z"]);
  const broughtOn = [
    ...atHub,
    event("DEPA", "SGSIN", march(9), tern),
    event("DEPA", "SGSIN", march(11), heron),
  ];
  assert.equal(sailedWith(broughtOn), "TERN SOLSTICE", "the vessel that brought it leaves later");
  const offTern = [
    ...atHub,
    event("LOAD", "SGSIN", march(9), tern),
    event("DISC", "SGSIN", march(9, 20), tern),
  ];
  const gone = [event("DEPA", "SGSIN", march(10), tern), event("DEPA", "SGSIN", march(14), egret)];
  const heronAgain = event("DEPA", "SGSIN", march(19), { ...heron, voyage: "014E" });
  const offLate = [event("LOAD", "SGSIN", march(16), tern), event("DISC", "SGSIN", march(17), tern)];
  assert.equal(
    sailedWith([...atHub, ...offLate, heronAgain]),
    "HERON DAWN",
    "so has the one that brought it",
  );
  const ternAgain = event("DEPA", "SGSIN", march(19), { ...tern, voyage: "009W" });
  assert.equal(sailedWith([...offTern, ...gone, ternAgain]), "TERN SOLSTICE", "she has come back");
  const sameDay = [
    ...atHub,
    event("DEPA", "SGSIN", march(9, 8), tern),
    event("DEPA", "SGSIN", march(9, 20), heron),
  ];
  assert.equal(sailedWith(sameDay), "TERN SOLSTICE", "two departures of one day are no correction");
});

test("a plan that names no vessel tells another sailing by its voyage", () => {
  const unnamed = (voyage: string) => ({ vessel: null, voyage });
  const next = (voyage: string, code: "LOAD" | "DEPA", day: number) =>
    last([gateIn, plan(code, "CNTAO", march(day), unnamed(voyage), march(4)), heronLeaves], march(6));
  for (const code of ["LOAD", "DEPA"] as const) {
    assert.equal(next("044E", code, 9), "pre_departure", code);
    assert.equal(next("044E", code, 6), "in_transit", "another number of one sailing");
    assert.equal(next("012E", code, 9), "in_transit", "left over");
  }
});

test("a vessel that comes back for the box under the same voyage number has left without it", () => {
  const again = [
    plan("LOAD", "CNTAO", march(18), heron, march(5)),
    plan("DEPA", "CNTAO", march(19), heron, march(5)),
  ];
  for (const next of [again, again.slice(0, 1), again.slice(1)]) {
    assert.equal(last([gateIn, heronLeaves, ...next], march(6)), "pre_departure");
  }
  const polls = pollThrough([
    [march(4), [gateIn, plan("DEPA", "CNTAO", march(5), heron)]],
    [march(6), [gateIn, heronLeaves, ...again]],
    [march(20), [gateIn, heronLeaves, event("DEPA", "CNTAO", march(19), heron)]],
  ]);
  assert.deepEqual(lines(polls), [
    "pre_departure",
    "pre_departure schedule_disruption",
    "in_transit vessel_departed",
  ]);
});

test("an old plan for another vessel, or a new voyage number, holds no box back", () => {
  const replaced = [
    gateIn,
    plan("DEPA", "CNTAO", march(12), egret, march(1)),
    plan("DEPA", "CNTAO", march(5), heron, march(3)),
    heronLeaves,
  ];
  assert.equal(last(replaced), "in_transit", "moved to an earlier vessel");
  const renumbered = [gateIn, plan("LOAD", "CNTAO", march(5, 20), { ...heron, voyage: "012W" }), heronLeaves];
  assert.equal(last(renumbered), "in_transit");
  const late = [gateIn, plan("DEPA", "CNTAO", march(5, 20), { ...heron, voyage: "013E" }), heronLeaves];
  assert.equal(last(late), "in_transit");
});

test("a vessel other than the one that the box was loaded on leaves without it", () => {
  const loaded = [gateIn, event("LOAD", "CNTAO", march(4), egret)];
  assert.equal(last([...loaded, heronLeaves]), "pre_departure");
  assert.equal(last([...loaded, heronLeaves, event("DEPA", "CNTAO", march(6), egret)]), "in_transit");
  const later = [gateIn, event("LOAD", "CNTAO", march(4), heron), heronLeaves];
  assert.equal(
    last([...later, event("LOAD", "CNTAO", march(9), egret)]),
    "pre_departure",
    "it had been taken off, and nobody said so",
  );
});

test("a vessel of the same number is the same, whatever its name", () => {
  const misspelt = { ...heron, vessel: { name: "HERRON DAWN", imo: "9000001" } };
  assert.equal(last([gateIn, event("LOAD", "CNTAO", march(4), misspelt), heronLeaves]), "in_transit");
  const noNumber = { vessel: { name: "HERRON DAWN", imo: null } };
  assert.equal(last([gateIn, event("LOAD", "CNTAO", march(4), noNumber), heronLeaves]), "in_transit");
});

const atHub = [
  gateIn,
  event("LOAD", "CNTAO", march(2), heron),
  event("DEPA", "CNTAO", march(3), heron),
  event("ARRI", "SGSIN", march(8), heron),
  event("DISC", "SGSIN", march(8, 20), heron),
];

test("at a hub the vessel leaves without a box that is to be loaded on a later one", () => {
  const ternLeaves = event("DEPA", "SGSIN", march(12), tern);
  const rolled = [...atHub, plan("LOAD", "SGSIN", march(18), egret, march(11)), ternLeaves];
  assert.equal(last(rolled), "at_transshipment");
  assert.equal(last([...rolled, event("ARRI", "LKCMB", march(16), tern)]), "at_transshipment");
  const sailed = [
    ...rolled,
    event("LOAD", "SGSIN", march(18), egret),
    event("DEPA", "SGSIN", march(19), egret),
  ];
  const polls = pollThrough([
    [march(11), rolled.slice(0, -1)],
    [march(12), rolled],
    [march(19), sailed],
  ]);
  assert.equal(departures(polls).length, 1);
});

test("a box that is taken off again at a hub still waits there, and sails with its next vessel", () => {
  const off = [
    ...atHub,
    event("LOAD", "SGSIN", march(11), tern),
    event("DISC", "SGSIN", march(12, 20), tern),
  ];
  assert.equal(last(off), "at_transshipment");
  const left = [...off, event("DEPA", "SGSIN", march(14), tern)];
  assert.equal(last(left), "at_transshipment");
  assert.equal(last([...off, event("DEPA", "SGSIN", march(9), heron)]), "at_transshipment");
  assert.equal(last([...left, event("DEPA", "SGSIN", march(19), egret)]), "in_transit");
  const byTruck = [...left, event("GTOT", "SGSIN", march(20))];
  assert.equal(last(byTruck), "delivered", "unless it leaves by land");
});

test("a box that is taken off a second vessel on the day of its discharge has been discharged twice", () => {
  const late = event("DISC", "SGSIN", march(8, 20), { ...heron, createdAtMs: march(10) });
  const off = [
    ...atHub.slice(0, -1),
    event("LOAD", "SGSIN", march(9, 2), tern),
    event("DISC", "SGSIN", march(9, 6), tern),
    event("DEPA", "SGSIN", march(9, 20), tern),
  ];
  assert.equal(last(off), "at_transshipment");
  assert.equal(last([...off, late]), "at_transshipment", "its discharge is reported late");
});

test("in dates, a vessel has its box aboard on the day of its departure", () => {
  const date = (day: number) => march(day, 0);
  const left = event("DEPA", "SGSIN", date(12), tern);
  const loaded = [...atHub, left, event("LOAD", "SGSIN", date(18), egret)];
  const eta = plan("ARRI", "NLRTM", date(20), egret, date(12));
  const polls = pollThrough([
    [march(12), [...atHub, left, plan("DEPA", "SGSIN", date(18), egret, date(12)), eta]],
    [march(18), [...loaded, plan("DEPA", "SGSIN", date(18), egret, date(12)), eta]],
    [march(18, 20), [...loaded, event("DEPA", "SGSIN", date(18), egret), eta]],
  ]);
  assert.deepEqual(lines(polls).slice(1), [
    "at_transshipment updated(vessel)",
    "arriving vessel_departed container_arrived",
  ]);
});

test("the vessel that is shown before the box sails is the one that is to take it", () => {
  const vessels = (...stated: readonly CarrierEvent[]) =>
    pollThrough([[march(6), stated]])[0]?.record.boxes[0]?.vessel?.name ?? null;
  assert.equal(vessels(...takenOff, heronLeaves), null);
  const next = plan("DEPA", "CNTAO", march(12), egret, march(6));
  assert.equal(vessels(...takenOff, next), "EGRET BAY");
  assert.equal(vessels(...takenOff, heronLeaves, next), "EGRET BAY");
  assert.equal(vessels(...takenOff, heronLeaves, plan("LOAD", "CNTAO", march(12), egret)), "EGRET BAY");
});
