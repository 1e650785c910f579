/** Calls of two vessels at one port within a day, which are no correction of each other. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { event, march, plan } from "../event.ts";
import { departures, pollThrough } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" };
const egret = { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" };
const gateIn = event("GTIN", "CNTAO", march(1));
const heronLeaves = event("DEPA", "CNTAO", march(5), heron);

test("a vessel leaves without a box whose plan has it leave on another one some hours later", () => {
  const unnumbered = (ship: typeof heron) => ({ ...ship, vessel: { ...ship.vessel, imo: null } });
  for (const [one, other] of [
    [heron, egret],
    [unnumbered(heron), unnumbered(egret)],
  ] as const) {
    const booked = [gateIn, plan("DEPA", "CNTAO", march(5, 8), one)];
    const left = [...booked, event("DEPA", "CNTAO", march(5), one)];
    const next = plan("DEPA", "CNTAO", march(5, 20), other, march(4));
    const sailed = [
      ...left,
      event("LOAD", "CNTAO", march(5, 16), other),
      event("DEPA", "CNTAO", march(5, 21), other),
    ];
    const waiting = pollThrough([
      [march(2), booked],
      [march(5), [...left, next]],
      [march(6), [...sailed, next]],
    ]);
    assert.equal(waiting[1]?.record.status, "pre_departure");
    assert.deepEqual(departures(waiting), ["2026-03-05T21:00:00.000Z"]);
    const believed = pollThrough([
      [march(2), booked],
      [march(5), left],
      [march(6), sailed],
    ]);
    const both = ["2026-03-05T12:00:00.000Z", "2026-03-05T21:00:00.000Z"];
    assert.deepEqual(departures(believed), both, "the true one is raised though another one was");
    assert.deepEqual(
      departures(
        pollThrough([
          [march(2), booked],
          [march(6), sailed],
        ]),
      ),
      both.slice(1),
    );
  }
});

test("a corrected name or time of a departure is no other departure", () => {
  const noNumber = { ...heron, vessel: { name: "HERON DAWN", imo: null } };
  for (const again of [heron, noNumber, { ...noNumber, vessel: { name: "Heron-Dawn", imo: null } }]) {
    const corrected = event("DEPA", "CNTAO", march(5, 15), again);
    const polls = pollThrough([
      [march(2), [gateIn]],
      [march(5), [gateIn, heronLeaves]],
      [march(6), [gateIn, heronLeaves, corrected]],
      [march(7), [gateIn, corrected]],
    ]);
    assert.equal(departures(polls).length, 1);
  }
});

test("two vessels that call at a port on one day call twice", () => {
  const feeder = event("ARRI", "SGSIN", march(8), heron);
  const mother = event("ARRI", "SGSIN", march(8, 20), egret);
  const sailed = [gateIn, event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
  const polls = pollThrough([[march(9), [...sailed, feeder, mother]]]);
  assert.equal(polls[0]?.record.boxes[0]?.timeline.filter(({ code }) => code === "ARRI").length, 2);
  assert.equal(polls[0]?.record.boxes[0]?.vessel?.name, "HERON DAWN", "the box is aboard still");
});
