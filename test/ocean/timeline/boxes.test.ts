/** One shipment, many boxes; and what is kept from look to look. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import {
  leastAdvancedBox,
  readRecord,
  nextRecordAt,
  nextRecord,
} from "../../../src/products/ocean/record/record.ts";
import type { IdentifierType } from "../../../src/freight/references/reference.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent, of } from "../event.ts";
import { statuses, UNARMED } from "../life.ts";

const FIRST = "CSQU3054383";
const SECOND = "HRNU4000017";
const NOW = march(22);
const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };

function record(
  events: readonly CarrierEvent[],
  previous: ShipmentRecord | null = null,
  polled: { readonly identifierType: IdentifierType; readonly reference?: string } = {
    identifierType: "bill_of_lading",
  },
): ShipmentRecord {
  return nextRecord({ carrier: "HRNL", ...polled, events, freeDays: [] }, previous, UNARMED, NOW);
}

const departure = event("DEPA", "CNTAO", march(3), heron);
const discharge = event("DISC", "NLRTM", march(20), heron);

test("every box has its own status, and the shipment that of the box that is least far", () => {
  const behind = [...of(SECOND, event("LOAD", "CNTAO", march(2), heron))];
  const ahead = of(FIRST, event("LOAD", "CNTAO", march(2), heron), discharge);
  const both = record([...ahead, ...behind, departure]);
  assert.deepEqual([both.status, ...statuses(both)], ["in_transit", "discharged", "in_transit"]);
  const out = record([...ahead, ...behind, departure, ...of(FIRST, event("GTOT", "NLRTM", march(21)))]);
  assert.deepEqual([out.status, ...statuses(out)], ["in_transit", "delivered", "in_transit"]);
});

test("a box that goes on by train is farther than one that waits in port", () => {
  const waiting = of(SECOND, event("LOAD", "CNTAO", march(2), heron), discharge);
  const onTrain = of(FIRST, event("LOAD", "CNTAO", march(2), heron), discharge);
  const loaded = of(FIRST, event("LOAD", "NLRTM", march(21), { mode: "rail" }));
  const both = record([...waiting, ...onTrain, ...loaded, departure]);
  assert.deepEqual([both.status, ...statuses(both)], ["discharged", "in_transit", "discharged"]);
});

test("of equally advanced boxes the one that arrives last gives the ETA", () => {
  const eta = (box: string, atMs: number) =>
    of(box, event("DISC", "NLRTM", atMs, { classifier: "estimated" }));
  const both = record([departure, ...eta(FIRST, march(25)), ...eta(SECOND, march(28))]);
  assert.equal(both.eta?.at.ms, march(28));
});

test("a box that is left behind does not sail with the others", () => {
  const loaded = of(FIRST, event("LOAD", "CNTAO", march(2), heron));
  const rolled = of(SECOND, event("LOAD", "CNTAO", march(9), { ...tern, classifier: "planned" }));
  assert.deepEqual(statuses(record([...loaded, ...rolled, departure])), ["in_transit", "pre_departure"]);
});

test("boxes that travel apart each get the calls of their own vessel", () => {
  const loads = [
    ...of(FIRST, event("LOAD", "CNTAO", march(2), heron)),
    ...of(SECOND, event("LOAD", "CNTAO", march(9), tern)),
  ];
  const onward = event("DEPA", "CNTAO", march(10), tern);
  const eta = event("ARRI", "NLRTM", march(27), { ...tern, classifier: "estimated" });
  const apart = record([...loads, departure, onward, event("ARRI", "NLRTM", march(20), heron), eta]);
  assert.deepEqual(statuses(apart), ["at_berth", "in_transit"]);
  assert.deepEqual(
    apart.boxes.map((box) => box.eta?.at.ms),
    [march(20), march(27)],
  );
  const stale = of(SECOND, event("LOAD", "CNTAO", march(2), { ...heron, classifier: "planned" }));
  assert.deepEqual(statuses(record([...loads, ...stale, departure])), ["in_transit", "pre_departure"]);
});

test("what was known before a container was named goes on as its own", () => {
  const booked = record([event("DEPA", "CNTAO", march(3), { ...heron, classifier: "planned" })]);
  assert.deepEqual(
    booked.boxes.map(({ equipment, status }) => [equipment, status]),
    [[null, "pre_departure"]],
  );
  const eta = event("ARRI", "NLRTM", march(25), { ...heron, classifier: "estimated" });
  const seen = record([eta], booked);
  const named = record([eta, ...of(FIRST, event("GTIN", "CNTAO", march(2)))], seen);
  assert.deepEqual(
    named.boxes.map(({ equipment }) => equipment),
    [FIRST],
  );
  assert.deepEqual(named.boxes[0]?.etaHistory, seen.boxes[0]?.etaHistory);
  const unnamed = record([eta], named);
  assert.deepEqual(
    unnamed.boxes.map(({ equipment }) => equipment),
    [FIRST],
    "left out of an answer it stays",
  );
});

test("of an answer for one container only that container counts", () => {
  const events = [departure, ...of(FIRST, discharge), ...of(SECOND, event("LOAD", "CNTAO", march(2), heron))];
  const polled = { identifierType: "container_id", reference: SECOND } as const;
  assert.deepEqual(
    record(events, null, polled).boxes.map(({ equipment }) => equipment),
    [SECOND],
  );
});

test("each ETA is kept once, with when it was first seen", () => {
  const eta = (atMs: number) => [
    departure,
    event("ARRI", "NLRTM", atMs, { ...heron, classifier: "estimated" }),
  ];
  let known: ShipmentRecord | null = null;
  for (const atMs of [march(25), march(25), march(27)]) known = record(eta(atMs), known);
  const history = known?.boxes[0]?.etaHistory.map(({ at, seenMs }) => [at.ms, seenMs]);
  assert.deepEqual(history, [
    [march(25), NOW],
    [march(27), NOW],
  ]);
});

test("a delivery that a later move disproves is taken back, and one that an answer leaves out at the second time", () => {
  const landed = [departure, ...of(FIRST, discharge)];
  const out = of(FIRST, event("GTOT", "NLRTM", march(21)));
  const delivered = record([...landed, ...out]);
  const inland = of(FIRST, event("GTIN", "DEMUC", march(22)));
  assert.equal(record([...landed, ...out, ...inland]).status, "available", "polled for the first time");
  const healed = record([...landed, ...out, ...inland], delivered);
  assert.deepEqual([delivered.status, healed.status], ["delivered", "available"]);
  const doubted = record(landed, delivered);
  assert.equal(doubted.status, "delivered");
  assert.equal(nextRecordAt(doubted, UNARMED, march(23)).status, "delivered");
  assert.equal(record([...landed, ...out], doubted).boxes[0]?.end?.doubted, undefined);
  assert.equal(record(landed, nextRecordAt(doubted, UNARMED, march(23))).status, "discharged");
  const empty = out.map((one) => ({ ...one, laden: false }));
  assert.equal(record([...landed, ...inland], delivered).status, "available", "explained by a later move");
  assert.equal(
    record([...landed, ...empty], delivered).status,
    record([...landed, ...empty]).status,
    "corrected",
  );
});

test("a record of the old shape is read as that of the one box it followed", () => {
  const now = record([departure, ...of(FIRST, event("LOAD", "CNTAO", march(2), heron), discharge)]);
  const [box] = now.boxes;
  assert.ok(box);
  const newer = [
    "etaHistory",
    "transshipments",
    "misrouting",
    "sailings",
    "freeTime",
    "told",
    "announced",
    "end",
  ];
  const old = Object.fromEntries(Object.entries(box).filter(([name]) => !newer.includes(name)));
  const read = readRecord(JSON.stringify({ carrier: "HRNL", identifierType: "container_id", ...old }));
  assert.deepEqual([read.status, read.boxes[0]?.equipment], ["discharged", FIRST]);
  assert.deepEqual(read.boxes[0]?.milestones, box.milestones);
  assert.equal(read.boxes[0]?.told.arrived, true);
  assert.deepEqual(readRecord(JSON.stringify(now)), now);
});

test("of boxes on different vessels the shipment shows the way and the ETA of the one that is least far", () => {
  const onward = event("DISC", "SGSIN", march(12));
  const eta = (box: string, more: Partial<CarrierEvent>, atMs: number) =>
    of(box, event("DISC", "NLRTM", atMs, { ...more, classifier: "estimated" }));
  const both = [FIRST, SECOND].flatMap((box) => [...of(box, event("LOAD", "CNTAO", march(2), heron))]);
  const changing = [
    ...of(SECOND, onward, event("LOAD", "SGSIN", march(14), tern)),
    event("DEPA", "SGSIN", march(15), tern),
    ...eta(SECOND, tern, march(25)),
  ];
  const apart = record([...both, departure, ...changing, ...eta(FIRST, heron, march(28))]);
  assert.deepEqual(statuses(apart), ["in_transit", "in_transit"]);
  assert.deepEqual(
    apart.boxes.map((box) => [box.vessel?.name, box.eta?.at.ms]),
    [
      ["HERON DAWN", march(28)],
      ["TERN SOLSTICE", march(25)],
    ],
  );
  assert.equal(leastAdvancedBox(apart).equipment, FIRST);
  const turned = record([...both, departure, ...changing, ...eta(FIRST, heron, march(22, 18))], null);
  assert.deepEqual([turned.eta?.at.ms, leastAdvancedBox(turned).equipment], [march(22, 18), FIRST]);
  const swapped = record(
    [...both, departure, ...changing, ...eta(FIRST, heron, march(28))].map((one) => ({
      ...one,
      equipment: one.equipment === null ? null : one.equipment === FIRST ? SECOND : FIRST,
    })),
  );
  assert.equal(leastAdvancedBox(swapped).equipment, SECOND, "not the first of its status");
});

test("a booking that was called off has no ETA, and has it again when it is taken up", () => {
  const plan = [
    event("DEPA", "CNTAO", march(25), { ...heron, classifier: "planned" }),
    event("ARRI", "NLRTM", march(40), { ...heron, classifier: "planned" }),
  ];
  const booked = [documentEvent("BKG", "CONF", march(1)), ...plan];
  const off = [...booked, documentEvent("BKG", "CANC", march(5))];
  const before = record(booked);
  assert.equal(before.eta?.at.ms, march(40));
  const cancelled = record(off, before);
  assert.deepEqual([cancelled.status, cancelled.eta, cancelled.boxes[0]?.eta], ["cancelled", null, null]);
  const again = record([...off, documentEvent("BKG", "CONF", march(6))], cancelled);
  assert.deepEqual([again.status, again.eta?.at.ms], ["pre_departure", march(40)]);
});
