/** One shipment, many boxes; and what is kept from poll to poll. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { leastAdvancedBox, readRecord, nextRecordAt } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { FIRST, inLines, SECOND } from "../in-lines.ts";
import { lookAt, statuses, UNARMED } from "../life.ts";
import { column } from "../../support/columns.ts";

const BILL = { identifierType: "bill_of_lading" } as const;
const { assertStatus, last, said } = inLines({ today: 22, about: BILL });

const record = (line: string): ShipmentRecord => last(line).record;
const after = (text: string, before: ShipmentRecord): ShipmentRecord =>
  lookAt(said(text), before, march(22), BILL).record;

const departure = "DEPA CNTAO 3 HERON";
const [loaded, loadedToo] = ["LOAD CNTAO 2 HERON", "LOAD CNTAO 2 HERON second"];
const discharge = "DISC NLRTM 20 HERON";

test("every box has its own status, and the shipment that of the box that is least far", () => {
  for (const [line, ...shown] of [
    [`${loaded}; ${discharge}; ${loadedToo}; ${departure}`, "in_transit", "discharged", "in_transit"],
    [
      `${loaded}; ${discharge}; ${loadedToo}; ${departure}; GTOT NLRTM 21`,
      "in_transit",
      "delivered",
      "in_transit",
    ],
    [
      `${loaded}; ${discharge}; ${loadedToo}; ${discharge} second; ${departure}; LOAD NLRTM 21 rail`,
      "discharged",
      "in_transit",
      "discharged",
    ],
    [`${loaded}; LOAD~ CNTAO 9 TERN second; ${departure}`, "pre_departure", "in_transit", "pre_departure"],
    [
      `${loaded}; LOAD CNTAO 9 TERN second; LOAD~ CNTAO 2 HERON second; ${departure}`,
      "pre_departure",
      "in_transit",
      "pre_departure",
    ],
  ] as const)
    assert.deepEqual([record(line).status, ...statuses(record(line))], shown, line);
});

test("of equally advanced boxes the one that arrives last gives the ETA", () => {
  const both = record(`${departure}; DISC? NLRTM 25; DISC? NLRTM 28 second`);
  assert.equal(both.eta?.at.ms, march(28));
});

test("boxes that travel apart each get the calls of their own vessel", () => {
  const apart = record(
    `${loaded}; LOAD CNTAO 9 TERN second; ${departure}; DEPA CNTAO 10 TERN; ARRI NLRTM 20 HERON; ARRI? NLRTM 27 TERN`,
  );
  assert.deepEqual(statuses(apart), ["at_berth", "in_transit"]);
  assert.deepEqual(
    apart.boxes.map((box) => box.eta?.at.ms),
    [march(20), march(27)],
  );
});

test("what was known before a container was named goes on as its own, also when an answer leaves it out", () => {
  const seen = record("DEPA~ CNTAO 3 HERON | ARRI? NLRTM 25 HERON");
  const named = after("ARRI? NLRTM 25 HERON; GTIN CNTAO 2", seen);
  const unnamed = after("ARRI? NLRTM 25 HERON", named);
  assert.deepEqual(
    [seen, named, unnamed].map(({ boxes }) => boxes.map(({ equipment }) => equipment)),
    [[null], [FIRST], [FIRST]],
  );
  assert.deepEqual(named.boxes[0]?.etaHistory, seen.boxes[0]?.etaHistory);
});

test("of an answer for one container only that container counts", () => {
  const events = said(`${departure}; ${discharge}; ${loadedToo}`);
  const { boxes } = lookAt(events, null, march(22), { reference: SECOND }).record;
  assert.deepEqual(column(boxes, "equipment"), [SECOND]);
});

test("each ETA is kept once, with when it was first seen", () => {
  const line = [25, 25, 27].map((day) => `${departure}; ARRI? NLRTM ${day} HERON`).join(" | ");
  assert.deepEqual(
    record(line).boxes[0]?.etaHistory.map(({ at, seenMs }) => [at.ms, seenMs]),
    [
      [march(25), march(22)],
      [march(27), march(22)],
    ],
  );
});

test("a delivery that a later move disproves is taken back, and one that an answer leaves out at the second time", () => {
  const landed = `${departure}; ${discharge}`;
  const [out, inland, empty] = ["GTOT NLRTM 21", "GTIN DEMUC 22", "GTOT NLRTM 21 empty"];
  assertStatus(
    [`${landed}; ${out}; ${inland}`, "available", "polled for the first time"],
    [`${landed}; ${out} | + ${inland}`, "available"],
    [`${landed}; ${out} | ${landed}`, "delivered"],
    [`${landed}; ${out} | ${landed} | ${landed}`, "discharged"],
    [`${landed}; ${out} | ${landed}; ${inland}`, "available", "explained by a later move"],
    [`${landed}; ${out} | ${landed}; ${empty}`, record(`${landed}; ${empty}`).status, "corrected"],
  );
  const waited = nextRecordAt(record(`${landed}; ${out} | ${landed}`), UNARMED, march(23));
  assert.equal(waited.status, "delivered", "time alone is no second answer");
  assert.equal(after(landed, waited).status, "discharged");
  assert.equal(record(`${landed}; ${out} | ${landed} | ${landed}; ${out}`).boxes[0]?.end?.doubted, undefined);
});

test("a record of the old shape is read as that of the one box it followed", () => {
  const now = record(`${departure}; ${loaded}; ${discharge}`);
  const [box] = now.boxes;
  const newer = ["etaHistory", "transshipments", "misrouting", "sailings", "freeTime"];
  const old = Object.entries(box!).filter(([name]) => ![...newer, "told", "announced", "end"].includes(name));
  const read = readRecord(
    JSON.stringify({ carrier: "HRNL", identifierType: "container_id", ...Object.fromEntries(old) }),
  );
  assert.deepEqual([read.status, read.boxes[0]?.equipment], ["discharged", FIRST]);
  assert.deepEqual(read.boxes[0]?.milestones, box!.milestones);
  assert.equal(read.boxes[0]?.told.arrived, true);
  assert.deepEqual(readRecord(JSON.stringify(now)), now);
});

test("of boxes on different vessels the shipment shows the way and the ETA of the one that is least far", () => {
  const line = (eta: string): string =>
    `${loaded}; ${loadedToo}; ${departure}; DISC SGSIN 12 second; LOAD SGSIN 14 TERN second; DEPA SGSIN 15 TERN; DISC? NLRTM 25 TERN second; DISC? NLRTM ${eta} HERON`;
  const apart = record(line("28"));
  assert.deepEqual(statuses(apart), ["in_transit", "in_transit"]);
  assert.deepEqual(
    apart.boxes.map((box) => [box.vessel?.name, box.eta?.at.ms]),
    [
      ["HERON", march(28)],
      ["TERN", march(25)],
    ],
  );
  assert.equal(leastAdvancedBox(apart).equipment, FIRST);
  const turned = record(line("22.18"));
  assert.deepEqual([turned.eta?.at.ms, leastAdvancedBox(turned).equipment], [march(22, 18), FIRST]);
  const others = line("28")
    .split("; ")
    .map((one) => (one.endsWith(" second") ? one.replace(" second", "") : `${one} second`));
  const swapped = record(others.join("; ").replaceAll(/(DEPA [^;]*) second/g, "$1"));
  assert.equal(leastAdvancedBox(swapped).equipment, SECOND, "not the first of its status");
});

test("a booking that was called off has no ETA, and has it again when it is taken up", () => {
  const booked = "BKG:CONF 1; DEPA~ CNTAO 25 HERON; ARRI~ NLRTM 40 HERON";
  assert.equal(record(booked).eta?.at.ms, march(40));
  const off = record(`${booked} | + BKG:CANC 5`);
  assert.deepEqual([off.status, off.eta, off.boxes[0]?.eta], ["cancelled", null, null]);
  const again = record(`${booked} | + BKG:CANC 5 | + BKG:CONF 6`);
  assert.deepEqual([again.status, again.eta?.at.ms], ["pre_departure", march(40)]);
});
