/** Answers that the carrier has cut: what they leave out still holds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { answerAt } from "../../packages/simulator/src/replay/recording.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { nextRecordAt, readRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { march, event } from "./event.ts";
import { FIRST, inLines, SECOND } from "./in-lines.ts";
import { liveThrough, lookAt, UNARMED, raisedIn } from "./life.ts";
import { forAll, runs } from "../support/runs.ts";

const { polled, said } = inLines();
const CUT = { incomplete: true } as const;
const loaded = "GTIN CNTAO -38; LOAD CNTAO -36; DEPA CNTAO -35";
const whole = `${loaded}; ARRI NLRTM -10; DISC NLRTM -9`;

function shown({ status, eta, boxes }: ShipmentRecord): unknown {
  return {
    status,
    eta,
    boxes: boxes.map(({ equipment, timeline, milestones }) => ({
      equipment,
      timeline: timeline.map((one) => JSON.stringify(one)).toSorted(),
      milestones,
    })),
  };
}

test("any part of an answer, cut, changes no record of any journey and raises nothing", async () => {
  const recordings = await readRecordings(JOURNEYS_FOLDER);
  const lives = recordings.flatMap((recording) =>
    liveThrough(recording).map((poll) => ({
      ...poll,
      stated: parseAnswer(answerAt(recording, poll.atMs), DCSA_SPELLING)?.events ?? [],
    })),
  );
  assert.ok(lives.length > 20);
  forAll(
    { numRuns: runs(400), seed: 17 },
    fc.integer({ min: 0, max: lives.length - 1 }),
    fc.infiniteStream(fc.boolean()),
    (index, kept) => {
      const { atMs, record, stated } = lives[index]!;
      const part = stated.filter(() => kept.next().value);
      const cut = lookAt(part, record, atMs, CUT);
      assert.deepEqual(shown(cut.record), shown(record));
      assert.deepEqual(cut.raised, []);
      assert.equal(cut.record.incomplete, true);
    },
  );
});

test("what a complete answer leaves out is retracted, what a cut one leaves out is not, and what either adds counts", () => {
  const { record } = polled(`@-20 ${loaded} | @-8 ${whole}`).at(-1)!;
  assert.equal(record.status, "discharged");
  assert.equal(lookAt(said(loaded), record, march(-7)).record.status, "in_transit");
  assert.equal(lookAt(said(loaded), record, march(-7), CUT).record.status, "discharged");
  const out = "GTOT NLRTM -6";
  const cut = lookAt(said(out), record, march(-5), CUT).record;
  assert.equal(cut.status, "delivered");
  assert.equal(lookAt(said(`${whole}; ${out}`), cut, march(-4)).record.incomplete, undefined);
});

test("a new estimate in a cut answer replaces the known one, also without a creation time", () => {
  const { record } = lookAt(said(`${loaded}; ARRI? NLRTM 12 (-20)`), null, march(-20));
  const undated = said("ARRI? NLRTM 14").map((one) => ({ ...one, createdAtMs: null }));
  assert.equal(lookAt(undated, record, march(-19), CUT).record.eta?.at.ms, march(14));
});

test("a box that a cut answer does not name stays, and keeps the carrier's last free day", () => {
  const bill = { identifierType: "bill_of_lading" } as const;
  const freeDays = [{ equipment: SECOND, lastFreeDay: "2026-03-02" }];
  const both = said(`${whole}; ${whole.replaceAll(/;|$/g, " second$&")}`);
  const { record } = lookAt(both, null, march(-8), { ...bill, freeDays });
  const next = lookAt(said(loaded), record, march(-7), { ...bill, ...CUT }).record;
  assert.deepEqual(
    next.boxes.map(({ equipment, status, freeTime }) => [equipment, status, freeTime?.lastFreeDay]),
    [
      [FIRST, "discharged", undefined],
      [SECOND, "discharged", "2026-03-02"],
    ],
  );
});

test("a stored record says that it is incomplete, also after time alone, and one from before says nothing", () => {
  const { record } = lookAt(said(loaded), null, march(-20), CUT);
  const stored = readRecord(JSON.stringify(record));
  assert.equal(nextRecordAt(stored, UNARMED, march(-19)).incomplete, true);
  const { incomplete: _, ...older } = record;
  assert.equal(nextRecordAt(readRecord(JSON.stringify(older)), UNARMED, march(-19)).incomplete, undefined);
});

const landed = [
  event("LOAD", "CNTAO", march(2)),
  event("DEPA", "CNTAO", march(3)),
  event("DISC", "NLRTM", march(20), { movement: "import" }),
];
const out = event("GTOT", "NLRTM", march(21));

test("a withdrawn end is believed at once, one that is left out stands for another answer, and the true one is raised", () => {
  const delivered = lookAt([...landed, out], lookAt(landed, null, march(20, 18)).record, march(22));
  const leftOut = lookAt(landed, delivered.record, march(22, 18));
  const withdrawn = lookAt(landed, delivered.record, march(22, 18), { withdrawn: [out] });
  const again = lookAt([...landed, event("GTOT", "NLRTM", march(23))], withdrawn.record, march(24));
  assert.deepEqual(raisedIn([delivered, leftOut, withdrawn, again]), [
    "2026-03-22T12:00 delivered container_delivered",
    "2026-03-22T18:00 delivered",
    "2026-03-22T18:00 discharged updated(status)",
    "2026-03-24T12:00 delivered container_delivered",
  ]);
});

test("a cut answer takes back what it withdraws, and nothing else that it leaves out", () => {
  const before = lookAt([...landed, out], null, march(22));
  const { record } = lookAt([], before.record, march(23), { withdrawn: [out], incomplete: true });
  assert.equal(record.status, "discharged");
  const other = { ...out, equipment: "HRNU4000017" };
  assert.equal(
    lookAt([], before.record, march(23), { withdrawn: [other], incomplete: true }).record.status,
    "delivered",
  );
});

test("a retraction names what it takes back by its own fields, or by the version that it retracts", () => {
  const raw = {
    eventID: "1",
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "GTOT",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-21T12:00:00Z",
    equipmentReference: "CSQU3054383",
  };
  const bare = { eventID: "1", isRetracted: true };
  for (const answer of [[{ ...raw, isRetracted: true }], [raw, bare]]) {
    const parsed = parseAnswer(answer, DCSA_SPELLING);
    assert.deepEqual([parsed?.events, parsed?.withdrawn?.map(({ code }) => code)], [[], ["GTOT"]]);
  }
});
