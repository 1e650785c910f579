import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { documentEvent, event, march } from "../event.ts";
import { pollThrough, UNARMED } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const atAntwerp = event("DISC", "BEANR", march(19), heron);

function expected(code: string, unlocode: string, atMs: number, more: Partial<CarrierEvent> = heron) {
  return event(code, unlocode, atMs, { classifier: "estimated", createdAtMs: march(3), ...more });
}

/** After an answer with this plan, which leaves the next one together with the discharge. */
function misroutedFrom(plan: readonly CarrierEvent[], events: readonly CarrierEvent[]): string | null {
  const read = (
    stated: readonly CarrierEvent[],
    before: ShipmentRecord | null,
    nowMs: number,
  ): ShipmentRecord =>
    nextRecord(
      { carrier: "HRNL", identifierType: null, events: stated, freeDays: [] },
      before,
      UNARMED,
      nowMs,
    );
  const announced = read([...sailed, ...plan], null, march(10));
  return read(events, announced, march(20)).boxes[0]?.misrouting?.expected.unlocode ?? null;
}

function misroutingOf(events: readonly CarrierEvent[]): readonly (string | null)[] | null {
  const statements = { carrier: "HRNL", identifierType: null, events, freeDays: [] };
  const misrouting = nextRecord(statements, null, UNARMED, march(20)).boxes[0]?.misrouting ?? null;
  return misrouting && [misrouting.discharge.unlocode, misrouting.expected.unlocode];
}

test("spec 6.3: container_misrouted: a discharge off the route, before the vessel's port and after it", () => {
  assert.deepEqual(misroutingOf([...sailed, expected("ARRI", "NLRTM", march(21)), atAntwerp]), [
    "BEANR",
    "NLRTM",
  ]);
  assert.deepEqual(misroutingOf([...sailed, expected("ARRI", "NLRTM", march(18)), atAntwerp]), [
    "BEANR",
    "NLRTM",
  ]);
  const unnamed = { vessel: null };
  assert.deepEqual(
    misroutingOf([...sailed, expected("ARRI", "NLRTM", march(21), unnamed), { ...atAntwerp, ...unnamed }]),
    ["BEANR", "NLRTM"],
  );
});

test("a discharge before the vessel has come to the port of transshipment is one too", () => {
  const plan = [
    expected("ARRI", "DEHAM", march(22)),
    expected("DEPA", "DEHAM", march(24), tern),
    expected("ARRI", "PLGDN", march(26), tern),
  ];
  assert.deepEqual(misroutingOf([...sailed, ...plan, atAntwerp]), ["BEANR", "PLGDN"]);
});

test("at its destination, or where it is planned to change vessels, a box is on its route", () => {
  assert.equal(misroutingOf([...sailed, expected("ARRI", "BEANR", march(18)), atAntwerp]), null);
  const onward = [expected("LOAD", "BEANR", march(22), tern), expected("ARRI", "NLRTM", march(23), tern)];
  assert.equal(misroutingOf([...sailed, ...onward, atAntwerp]), null);
});

test("a transshipment that was never announced shows by the other vessel that is to arrive", () => {
  assert.equal(misroutingOf([...sailed, expected("ARRI", "NLRTM", march(26), tern), atAntwerp]), null);
  const raised = { ...atAntwerp, movement: "transshipment" as const };
  assert.equal(misroutingOf([...sailed, expected("ARRI", "NLRTM", march(21)), raised]), null);
});

test("a re-route that leaves the old transshipment behind is none", () => {
  const leftOver = [
    expected("DISC", "NLRTM", march(12)),
    expected("LOAD", "NLRTM", march(24), tern),
    expected("ARRI", "PLGDN", march(26), tern),
  ];
  assert.equal(misroutingOf([...sailed, ...leftOver, atAntwerp]), null);
});

test("a box that nobody expects anywhere, or that is empty, is not misrouted", () => {
  assert.equal(misroutingOf([...sailed, atAntwerp]), null);
  const empty = { ...atAntwerp, laden: false };
  assert.equal(misroutingOf([...sailed, expected("ARRI", "NLRTM", march(21)), empty]), null);
});

test("a misrouting is found though the departure before it is not reported yet", () => {
  const loaded = [event("LOAD", "CNTAO", march(2), heron)];
  const plan = [expected("DEPA", "CNTAO", march(3)), expected("ARRI", "NLRTM", march(21))];
  assert.deepEqual(misroutingOf([...loaded, ...plan, atAntwerp]), ["BEANR", "NLRTM"]);
});

test("spec 6.3: container_misrouted: the announced destination counts when the plan leaves with the discharge", () => {
  const toRotterdam = expected("ARRI", "NLRTM", march(21));
  const wrong = [...sailed, atAntwerp];
  assert.equal(misroutedFrom([toRotterdam], wrong), "NLRTM");
  const unnamed = { ...toRotterdam, vessel: null };
  assert.equal(misroutedFrom([unnamed], wrong), "NLRTM");
  const called = (movement: "import" | "transshipment") => [...sailed, { ...atAntwerp, movement }];
  assert.equal(misroutedFrom([toRotterdam], called("import")), null);
  assert.equal(misroutedFrom([toRotterdam], called("transshipment")), null);
});

test("another vessel for the last leg makes it an unannounced transshipment, named or not", () => {
  const wrong = [...sailed, atAntwerp];
  const onward = (vessel: object): readonly CarrierEvent[] => [
    expected("ARRI", "DEHAM", march(21)),
    expected("LOAD", "DEHAM", march(23), vessel),
    expected("ARRI", "PLGDN", march(26), vessel),
  ];
  assert.equal(misroutedFrom(onward(tern), wrong), null);
  assert.equal(misroutedFrom(onward({ vessel: null }), wrong), null);
  assert.equal(misroutedFrom([expected("ARRI", "NLRTM", march(21), tern)], wrong), null);
});

test("a port of the announced route, an inland destination, and a port where the box is handed over are none", () => {
  const calls = [expected("ARRI", "BEANR", march(18)), expected("ARRI", "NLRTM", march(21))];
  assert.equal(misroutedFrom(calls, [...sailed, atAntwerp]), null);
  const inland = expected("DISC", "BEANR", march(24), { mode: "rail", vessel: null });
  assert.equal(misroutedFrom([expected("ARRI", "NLRTM", march(21)), inland], [...sailed, atAntwerp]), null);
  for (const shown of [event("GTOT", "BEANR", march(20)), documentEvent("SRM", "RELS", march(20))]) {
    assert.equal(misroutedFrom([expected("ARRI", "NLRTM", march(21))], [...sailed, atAntwerp, shown]), null);
  }
});

test("a last port that was announced call by call, or has been called at, is behind the box", () => {
  const byWay = [...sailed, event("ARRI", "LKCMB", march(10), heron), atAntwerp];
  assert.equal(misroutedFrom([expected("ARRI", "LKCMB", march(10))], byWay), null);
});

test("a box that is taken off again where it was loaded is not misrouted", () => {
  const late = event("LOAD", "CNTAO", march(4), heron);
  const plan = [
    expected("LOAD", "CNTAO", march(2)),
    expected("DEPA", "CNTAO", march(3)),
    expected("ARRI", "NLRTM", march(21)),
  ];
  assert.equal(misroutingOf([...plan, late, event("DISC", "CNTAO", march(4, 16), heron)]), null);
});

test("a box that landed where it was announced to, and is sent on later, was not misrouted", () => {
  const toAntwerp = expected("ARRI", "BEANR", march(18));
  for (const vessel of [null, heron.vessel, tern.vessel]) {
    const onward = expected("ARRI", "NLRTM", march(26), { vessel });
    assert.equal(misroutedFrom([toAntwerp], [...sailed, atAntwerp, onward]), null);
  }
  const released = [...sailed, atAntwerp, documentEvent("SRM", "RELS", march(19, 20))];
  const onward = expected("ARRI", "NLRTM", march(26), { vessel: null, createdAtMs: march(21) });
  const polls = pollThrough([
    [march(20), released],
    [march(21), [...sailed, atAntwerp, onward]],
  ]);
  assert.deepEqual(
    polls.map(({ record }) => record.boxes[0]?.misrouting),
    [null, null],
    "where its voyage had ended",
  );
});
