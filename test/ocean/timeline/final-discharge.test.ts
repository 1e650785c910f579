/** Which discharge ends the sea voyage, and which ramp the way over land. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecordAt, nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent } from "../event.ts";
import { UNARMED } from "../life.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = march(23);

function record(
  events: readonly CarrierEvent[],
  previous: ShipmentRecord | null = null,
  nowMs = NOW,
): ShipmentRecord {
  return nextRecord(
    { carrier: "HRNL", identifierType: null, events, freeDays: [] },
    previous,
    UNARMED,
    nowMs,
  );
}

function statusOf(events: readonly CarrierEvent[], nowMs = NOW): string {
  return record(events, null, nowMs).status;
}

function planned(
  code: string,
  unlocode: string,
  atMs: number,
  more: Partial<CarrierEvent> = {},
): CarrierEvent {
  return event(code, unlocode, atMs, { classifier: "planned", createdAtMs: march(1), ...more });
}

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const rail = { mode: "rail" } as const;
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const landed = [
  ...sailed,
  event("ARRI", "NLRTM", march(20), heron),
  event("DISC", "NLRTM", march(21), heron),
];

/** By Singapore, where the box was to change vessels and did not. */
const bySingapore = [
  planned("DISC", "SGSIN", march(9), heron),
  planned("LOAD", "SGSIN", march(11), tern),
  planned("DEPA", "SGSIN", march(12), tern),
];
/** By Hamburg, hardly a day's way from where it was discharged. */
const byHamburg = [planned("DISC", "DEHAM", march(15), heron), planned("LOAD", "DEHAM", march(17), tern)];

test("a transshipment planned on another coast that the box has passed by is not waited for", () => {
  assert.equal(statusOf([...landed, ...bySingapore]), "discharged");
});

test("a re-route to a port of the same coast leaves the box waiting for its vessel", () => {
  assert.equal(statusOf([...landed, ...byHamburg]), "at_transshipment");
});

test("what shows that no vessel was to come ends the wait for it", () => {
  const waiting = [...landed, ...byHamburg];
  const shows: readonly [string, CarrierEvent][] = [
    ["delivered", event("GTOT", "NLRTM", march(22))],
    ["available", documentEvent("SRM", "RELS", march(22))],
    ["available", event("AVPU", "NLRTM", march(22), { mode: null })],
    ["delivered", event("STRP", "NLRTM", march(22), { mode: null })],
    ["returned_empty", event("GTIN", "NLRTM", march(22), { laden: false })],
    ["in_transit", event("LOAD", "NLRTM", march(22), rail)],
  ];
  for (const [status, shown] of shows) {
    assert.equal(statusOf([...waiting, shown]), status, shown.code);
  }
});

test("nobody waits for ever for a vessel that does not come", () => {
  const events = [...landed, ...byHamburg];
  const before = record(events);
  assert.equal(before.changesAtMs, march(15) + 30 * DAY_MS + 1);
  assert.equal(nextRecordAt(before, UNARMED, march(21) + 30 * DAY_MS).status, "at_transshipment");
  assert.equal(nextRecordAt(before, UNARMED, march(21) + 30 * DAY_MS + 1).status, "discharged");
});

test("a plan that is late and not moved, and overdue by weeks, is no vessel to wait for either", () => {
  const late = [...landed, planned("LOAD", "NLRTM", march(22), tern)];
  assert.equal(statusOf(late), "at_transshipment");
  assert.equal(statusOf(late, march(22) + 30 * DAY_MS + 1), "discharged");
});

test("between the terminals of a port a box is not handed over", () => {
  const moved = [
    ...landed,
    ...byHamburg,
    event("GTOT", "NLRTM", march(22)),
    event("GTIN", "NLRTM", march(22, 18)),
  ];
  assert.equal(statusOf(moved), "at_transshipment");
});

test("the carrier's own word for a move outweighs what its plans leave open", () => {
  const [load, departure, arrival, discharge] = landed as [
    CarrierEvent,
    CarrierEvent,
    CarrierEvent,
    CarrierEvent,
  ];
  const raised = (movement: "import" | "transshipment", more: readonly CarrierEvent[] = []): string =>
    statusOf([load, departure, arrival, { ...discharge, movement }, ...more]);
  assert.equal(raised("transshipment"), "at_transshipment");
  assert.equal(raised("import", byHamburg), "discharged");
  const shifted = event("GTOT", "NLRTM", march(22), { movement: "transshipment" });
  assert.equal(raised("transshipment", [shifted]), "at_transshipment");
});

test("the departure of the vessel that brought the box is no sailing to wait for", () => {
  const leaves = planned("DEPA", "NLRTM", march(22), heron);
  assert.equal(statusOf([...landed, leaves]), "discharged");
  const inspected = event("INSP", "NLRTM", march(22, 18), { mode: null });
  assert.equal(statusOf([...landed, leaves, inspected]), "discharged", "also once it is overtaken");
  const arriving = [
    ...sailed,
    planned("ARRI", "NLRTM", march(20), heron),
    planned("DEPA", "NLRTM", march(22), heron),
  ];
  assert.equal(statusOf(arriving, march(19)), "arriving", "nor does it keep the box from arriving");
});

test("a discharge across an ocean from the destination is a transshipment", () => {
  const inland = planned("DISC", "USCHI", march(30), rail);
  assert.equal(statusOf([...landed, inland]), "at_transshipment");
});

test("a ramp on the way is not where the journey ends, with nothing left of the plan", () => {
  const onTrain = [...landed, event("LOAD", "NLRTM", march(22), rail)];
  const atRamp = [
    ...onTrain,
    event("DISC", "DEDUI", march(23), rail),
    event("GTIN", "DEDUI", march(23, 14), rail),
  ];
  assert.equal(statusOf(atRamp), "in_transit");
  const further = [
    ...atRamp,
    event("LOAD", "DEDUI", march(23, 18), rail),
    event("GTIN", "DEMUC", march(24), rail),
  ];
  assert.equal(statusOf(further), "in_transit");
  assert.equal(statusOf([...further, event("GTOT", "DEMUC", march(25))], march(25)), "delivered");
});

test("the inland end of a plan is remembered once it has come true and left the carrier's answers", () => {
  const onTrain = [...landed, event("LOAD", "NLRTM", march(22), rail)];
  const arrival = event("DISC", "DEMUC", march(24), rail);
  const before = record([...onTrain, { ...arrival, classifier: "planned" }]);
  const after = record([...onTrain, arrival], before, march(24));
  assert.deepEqual([before.status, after.status], ["in_transit", "discharged"]);
  assert.equal(after.boxes[0]?.destination?.unlocode, "DEMUC");
  const halfway = planned("ARRI", "DEDUI", march(23), rail);
  assert.equal(
    record([...onTrain, halfway, arrival], before, march(24)).status,
    "discharged",
    "ramps left over do not count",
  );
});

test("a truck between two vessels changes no destination", () => {
  const onward = [planned("LOAD", "NLRTM", march(28), tern), planned("DISC", "GBFXT", march(30), tern)];
  const moved = [event("GTOT", "NLRTM", march(22)), event("GTIN", "NLRTM", march(22, 15))];
  const { status, boxes } = record([...landed, ...onward, ...moved]);
  assert.deepEqual([status, boxes[0]?.destination?.unlocode], ["at_transshipment", "GBFXT"]);
});

test("the port that was announced ends the voyage, whatever transshipment is left in the plan", () => {
  const eta = planned("ARRI", "NLRTM", march(20), tern);
  const before = record([...sailed, ...byHamburg, eta], null, march(10));
  const after = record([...landed, ...byHamburg], before);
  assert.deepEqual([before.boxes[0]?.discharge?.unlocode, after.status], ["NLRTM", "discharged"]);
});

test("time alone ends no wait against the carrier's word, an announced last port elsewhere, or a destination overseas", () => {
  const discharge = landed.at(-1) as CarrierEvent;
  const late = march(21) + 90 * DAY_MS;
  const transshipped = [...landed.slice(0, -1), { ...discharge, movement: "transshipment" as const }];
  assert.equal(statusOf(transshipped, late), "at_transshipment");
  const onward = planned("ARRI", "GBFXT", march(26), tern);
  const before = record([...sailed, onward], null, march(10));
  assert.equal(record(landed, before, march(22)).status, "at_transshipment");
  assert.equal(record(landed, before, late).status, "at_transshipment", "its plan has left the answer");
  assert.equal(statusOf([...landed, onward], late), "at_transshipment", "or is overdue");
  assert.equal(statusOf([...landed, planned("DISC", "USCHI", march(30), rail)], late), "at_transshipment");
});

test("evidence ends the wait for an announced port, and a port that the box has called at is none to wait for", () => {
  const before = record([...sailed, planned("ARRI", "GBFXT", march(26), tern)], null, march(10));
  for (const [status, shown] of [
    ["delivered", event("GTOT", "NLRTM", march(22))],
    ["available", event("AVPU", "NLRTM", march(22), { mode: null })],
    ["available", documentEvent("SRM", "RELS", march(22))],
  ] as const) {
    assert.equal(record([...landed, shown], before).status, status);
  }
  const toHub = record([...sailed, planned("ARRI", "SGSIN", march(8), heron)], null, march(5));
  const byHub = [...landed, event("ARRI", "SGSIN", march(8), heron)];
  assert.equal(record(byHub, toHub).status, "discharged", "announced call by call");
});

test("spec 6.3: container_available: a release at sea, or for elsewhere, is none before the final discharge", () => {
  const readyAtSea = event("AVPU", "NLRTM", march(18), { mode: null });
  assert.equal(statusOf([...sailed, readyAtSea], march(18)), "in_transit");
  assert.equal(
    statusOf([...landed.slice(0, -1), event("AVPU", "DEMUC", march(21), { mode: null })]),
    "at_berth",
  );
  for (const release of [readyAtSea, documentEvent("SRM", "RELS", march(18))]) {
    const [milestone, ...more] = record([...landed, release]).boxes[0]!.milestones.filter(
      ({ type }) => type === "container_available",
    );
    assert.deepEqual([milestone?.at.ms, more], [march(21), []]);
  }
  const hub = [...sailed, event("DISC", "SGSIN", march(9), { ...heron, movement: "transshipment" })];
  for (const release of [
    event("AVPU", "NLRTM", march(10), { mode: null }),
    documentEvent("SRM", "RELS", march(10)),
  ]) {
    assert.equal(statusOf([...hub, release]), "at_transshipment");
    const arrived = [
      ...hub,
      release,
      event("LOAD", "SGSIN", march(12), tern),
      event("DISC", "NLRTM", march(21), tern),
    ];
    assert.equal(statusOf(arrived), "available", "and holds where the box arrives");
  }
});

test("a plan left over for a port that the box has sailed from announces no last port", () => {
  const leftOver = planned("ARRI", "SGSIN", march(8), heron);
  const moved = [
    ...sailed,
    leftOver,
    event("DISC", "SGSIN", march(9), heron),
    event("LOAD", "SGSIN", march(12), tern),
  ];
  const before = record([...moved, planned("ARRI", "NLRTM", march(20), tern)], null, march(13));
  const arrived = record([...moved, event("ARRI", "NLRTM", march(20), tern)], before);
  assert.equal(arrived.boxes[0]?.announced?.port?.unlocode, "NLRTM");
});

test("ready for pick-up at the berth implies the discharge, unless it is to come", () => {
  const atBerth = [...landed.slice(0, -1), event("AVPU", "NLRTM", march(21), { mode: null })];
  assert.equal(statusOf(atBerth), "available");
  assert.equal(statusOf([...atBerth, planned("DISC", "NLRTM", march(22), heron)]), "at_berth");
});

test("transshipments are those made and those to come, in the order of the route", () => {
  const onward = [planned("LOAD", "NLRTM", march(24), tern), planned("ARRI", "GBFXT", march(26), tern)];
  const feeder = [planned("LOAD", "GBFXT", march(27), heron), planned("ARRI", "IEDUB", march(29), heron)];
  const names = (events: readonly CarrierEvent[]) =>
    record(events).boxes[0]?.transshipments.map(({ unlocode }) => unlocode);
  assert.deepEqual(names([...landed, ...onward, ...feeder]), ["NLRTM", "GBFXT"]);
  assert.deepEqual(names([...landed, ...bySingapore]), [], "a plan left over is none");
});
