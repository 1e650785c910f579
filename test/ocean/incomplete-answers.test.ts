/** Answers that the carrier has cut: what they leave out still holds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { answerAt } from "../../packages/simulator/src/replay/recording.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { nextRecord, nextRecordAt, readRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { event, march, of } from "./event.ts";
import { liveThrough, lookAt, pollThrough, UNARMED } from "./life.ts";
import { runs } from "../support/runs.ts";

const loaded = [
  event("GTIN", "CNTAO", march(-38)),
  event("LOAD", "CNTAO", march(-36)),
  event("DEPA", "CNTAO", march(-35)),
];
const arrived = [event("ARRI", "NLRTM", march(-10)), event("DISC", "NLRTM", march(-9))];

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
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: lives.length - 1 }),
      fc.infiniteStream(fc.boolean()),
      (index, kept) => {
        const { atMs, record, stated } = lives[index]!;
        const part = stated.filter(() => kept.next().value);
        const cut = lookAt(part, record, atMs, true);
        assert.deepEqual(shown(cut.record), shown(record));
        assert.deepEqual(cut.raised, []);
        assert.equal(cut.record.incomplete, true);
      },
    ),
    { numRuns: runs(400), seed: 17 },
  );
});

test("what a complete answer leaves out is retracted, what a cut one leaves out is not, and what either adds counts", () => {
  const polls = pollThrough([
    [march(-20), loaded],
    [march(-8), [...loaded, ...arrived]],
  ]);
  const { record } = polls.at(-1)!;
  assert.equal(record.status, "discharged");
  assert.equal(lookAt(loaded, record, march(-7)).record.status, "in_transit");
  assert.equal(lookAt(loaded, record, march(-7), true).record.status, "discharged");
  const out = event("GTOT", "NLRTM", march(-6));
  const cut = lookAt([out], record, march(-5), true);
  assert.equal(cut.record.status, "delivered");
  assert.equal(lookAt([...loaded, ...arrived, out], cut.record, march(-4)).record.incomplete, undefined);
});

test("a new estimate in a cut answer replaces the known one, also without a creation time", () => {
  const eta = (day: number, createdAtMs: number | null) =>
    event("ARRI", "NLRTM", march(day), { classifier: "estimated", createdAtMs });
  const { record } = lookAt([...loaded, eta(12, march(-20))], null, march(-20));
  const cut = lookAt([eta(14, null)], record, march(-19), true);
  assert.equal(cut.record.eta?.at.ms, march(14));
});

test("a box that a cut answer does not name stays, and keeps the carrier's last free day", () => {
  const [one, other] = ["CSQU3054383", "MSCU1234566"];
  const bill = { carrier: "TEST", identifierType: "bill_of_lading", freeDays: [] } as const;
  const events = [...of(one, ...loaded, ...arrived), ...of(other, ...loaded, ...arrived)];
  const freeDays = [{ equipment: other, lastFreeDay: "2026-03-02" }];
  const whole = nextRecord({ ...bill, events, freeDays }, null, UNARMED, march(-8));
  const cut = { ...bill, events: of(one, ...loaded), incomplete: true } as const;
  const next = nextRecord(cut, whole, UNARMED, march(-7));
  assert.deepEqual(
    next.boxes.map(({ equipment, status, freeTime }) => [equipment, status, freeTime?.lastFreeDay]),
    [
      [one, "discharged", undefined],
      [other, "discharged", "2026-03-02"],
    ],
  );
});

test("a stored record says that it is incomplete, also after time alone, and one from before says nothing", () => {
  const { record } = lookAt(loaded, null, march(-20), true);
  const stored = readRecord(JSON.stringify(record));
  assert.equal(nextRecordAt(stored, UNARMED, march(-19)).incomplete, true);
  const { incomplete, ...older } = record;
  assert.equal(incomplete, true);
  assert.equal(nextRecordAt(readRecord(JSON.stringify(older)), UNARMED, march(-19)).incomplete, undefined);
});
