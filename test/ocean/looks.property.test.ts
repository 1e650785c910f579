/**
 * The record is a function of the statements that hold now and of the time: how often a carrier was polled before, and
 * in which order its answer states things, changes nothing of it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
import { answerAt } from "../../packages/simulator/src/replay/recording.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord, Statements } from "../../src/products/ocean/record/shipment-record.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { START_MS } from "./harbour-comparison.ts";
import { answersIn } from "./harbour-life.ts";
import { event, march } from "./event.ts";
import { UNARMED } from "./life.ts";

type Answers = readonly (readonly [atMs: number, Statements])[];

const SEED = 5;
const BOXES = 150;
/** Random ends and cuts of each journey of the harbour, and of the others. */
const CUTS = 6;
const CUTS_OF_OTHERS = 60;

function recordAfter(answers: Answers): ShipmentRecord | null {
  return answers.reduce<ShipmentRecord | null>(
    (before, [atMs, statements]) => nextRecord(statements, before, UNARMED, atMs),
    null,
  );
}

function shown(record: ShipmentRecord | null): object {
  const boxes = record?.boxes.map((box) => {
    const { equipment, status, eta, vessel, voyage, origin, discharge, destination, transshipments } = box;
    const { milestones, misrouting, arrivingFromMs } = box;
    const places = { origin, discharge, destination, transshipments };
    const awaits = isAwaitingNextTrip(box);
    return { equipment, status, eta, vessel, voyage, places, milestones, misrouting, arrivingFromMs, awaits };
  });
  return { status: record?.status, eta: record?.eta, boxes };
}

/** A journey up to a moment, polled at each change or only now and then, its first and last answer the same. */
function assertSameAtRandomLooks(answers: Answers, name: string, numRuns = CUTS_OF_OTHERS): void {
  if (answers.length < 3) return;
  const looks = fc
    .integer({ min: 2, max: answers.length })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.subarray(answers.slice(1, count - 1)),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      ),
    );
  fc.assert(
    fc.property(looks, ([count, between, chances]) => {
      const all = answers.slice(0, count);
      const [first, last] = [all[0]!, all.at(-1)!];
      const shuffled = ([atMs, statements]: Answers[number]) => {
        const keyed = statements.events.map((stated) => ({ stated, key: chances.next().value ?? 0 }));
        const events = keyed.toSorted((a, b) => a.key - b.key).map(({ stated }) => stated);
        return [atMs, { ...statements, events }] as const;
      };
      const seldom = [first, ...between, last].map(shuffled);
      const records = [recordAfter(seldom), recordAfter(all)];
      // An end that the last answer leaves out stands until the next one.
      if (records.some((record) => record?.boxes.some(({ end }) => end?.doubted === true))) return;
      const [one, other] = records.map(shown);
      assert.deepEqual(one, other, name);
    }),
    { numRuns, endOnFailure: true },
  );
}

test("however often a box of the harbour was polled, its record is the same", () => {
  const harbour = createHarbour({ seed: SEED, boxes: BOXES, startMs: START_MS });
  for (let index = 0; index < BOXES; index += 1) {
    const box = harbour.boxAt(index);
    // What its line prunes is known only from answers before.
    const prunedMs = Math.min(...harbour.lifeAt(index).facts.map((fact) => fact.prunedMs));
    const answers = answersIn(harbour, box, START_MS).filter(([atMs]) => atMs < prunedMs);
    assertSameAtRandomLooks(answers, `box ${index} of seed ${SEED}`, CUTS);
  }
});

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const empty = { laden: false } as const;
const facility = (unlocode: string, facilityType: string): Partial<CarrierEvent> => ({
  place: { unlocode, name: null, facility: null, facilityType },
});

const sailed = [
  event("GTOT", "CNTAO", march(1), empty),
  event("GTIN", "CNTAO", march(2)),
  event("LOAD", "CNTAO", march(3), heron),
  event("DEPA", "CNTAO", march(4), heron),
  event("DISC", "SGSIN", march(10), heron),
];
const home = [
  event("ARRI", "NLRTM", march(30), tern),
  event("DISC", "NLRTM", march(31), tern),
  event("GTOT", "NLRTM", march(33)),
  event("GTIN", "NLRTM", march(36), empty),
];

/** Each in the order of the reports. */
const JOURNEYS: Readonly<Record<string, readonly CarrierEvent[]>> = {
  "between two terminals of a port": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "SGSIN", march(11, 20)),
    event("LOAD", "SGSIN", march(13), tern),
    event("DEPA", "SGSIN", march(14), tern),
    ...home,
  ],
  "by truck to another port": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "MYPKG", march(12)),
    event("LOAD", "MYPKG", march(13), tern),
    event("DEPA", "MYPKG", march(14), tern),
    ...home,
  ],
  "a gate that is reported after the vessel's departure": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("DEPA", "SGSIN", march(14), tern),
    event("LOAD", "SGSIN", march(13), tern),
    event("GTIN", "SGSIN", march(11, 20)),
    ...home,
  ],
  "out of the gate twice": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "SGSIN", march(12)),
    event("GTOT", "SGSIN", march(13)),
    event("GTIN", "SGSIN", march(15), empty),
  ],
  "by truck to an inland terminal that no plan names": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "MYIPH", march(12), facility("MYIPH", "INTE")),
    event("GTOT", "MYIPH", march(14), facility("MYIPH", "INTE")),
    event("GTIN", "SGSIN", march(16), empty),
  ],
  "a plan to go on inland, made when the box was out": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "MYIPH", march(15), { classifier: "planned", mode: "rail" }),
    event("GTIN", "MYIPH", march(14), { mode: "rail" }),
    event("GTOT", "MYIPH", march(16)),
  ],
  "another cargo, weeks after the handover, that no document tells from the first": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTIN", "SGSIN", march(27)),
    event("LOAD", "SGSIN", march(28), tern),
    event("DEPA", "SGSIN", march(29), tern),
    ...home,
  ],
  "the next shipper's pick-up from a depot, the return never reported": [
    ...sailed,
    event("GTOT", "SGSIN", march(11)),
    event("GTOT", "SGSIN", march(20), { ...empty, ...facility("SGSIN", "DEPO") }),
    event("GTIN", "SGSIN", march(22)),
    event("LOAD", "SGSIN", march(23), tern),
    ...home,
  ],
};

test("between which reports of a journey the carrier was polled changes nothing", () => {
  for (const [name, events] of Object.entries(JOURNEYS)) {
    const answers = events.map((_, index) => {
      const stated = events.slice(0, index + 1);
      const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
      return [march(40) + index, { ...about, events: stated }] as const;
    });
    for (let count = 1; count <= answers.length; count += 1) {
      for (let one = 0; one < count - 1; one += 1) {
        const seldom = [answers[0]!, answers[one]!, answers[count - 1]!];
        assert.deepEqual(shown(recordAfter(seldom)), shown(recordAfter(answers.slice(0, count))), name);
      }
    }
    assertSameAtRandomLooks(answers, name);
  }
});

test("however often a replayed journey was polled, its record is the same", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER)) {
    const moments = [...new Set(recording.events.map(({ appearsMs }) => appearsMs))].toSorted(
      (a, b) => a - b,
    );
    const answers = moments.map((atMs) => {
      const events = parseAnswer(answerAt(recording, atMs), DCSA_SPELLING)?.events ?? [];
      const about = { carrier: "TEST", identifierType: "container_id", freeDays: [] } as const;
      return [atMs, { ...about, events }] as const;
    });
    assertSameAtRandomLooks(answers, recording.name);
  }
});

/** The plan before the discharge is removed once it has come true, and that of the voyage on once it has begun. */
test("a box sent on from its announced port may have been polled while that was planned, or not", () => {
  const planned = (at: Partial<CarrierEvent>) => ({ ...at, classifier: "planned" }) as const;
  const out = [
    event("GTIN", "CNTAO", march(2)),
    event("LOAD", "CNTAO", march(3), heron),
    event("DEPA", "CNTAO", march(4), heron),
  ];
  const landed = [...out, event("ARRI", "NLRTM", march(10), heron), event("DISC", "NLRTM", march(11), heron)];
  const released = [...landed, event("GTOT", "NLRTM", march(12)), event("GTIN", "NLRTM", march(15))];
  const loaded = [...released, event("LOAD", "NLRTM", march(18), tern)];
  const onwards = [...loaded, event("DEPA", "NLRTM", march(19), tern)];
  const arrived = [...onwards, event("ARRI", "SEGOT", march(22), tern)];
  const to = (port: string, day: number, vessel: object) => [
    event("ARRI", port, march(day), planned(vessel)),
    event("DISC", port, march(day + 1), planned(vessel)),
  ];
  const sentOn = [event("DEPA", "NLRTM", march(19), planned(tern)), ...to("SEGOT", 22, tern)];
  for (const last of [
    arrived,
    [...arrived, event("DISC", "SEGOT", march(23), tern)],
    // The vessel's next call.
    [...arrived, event("DISC", "SEGOT", march(23), tern), event("ARRI", "PLGDN", march(25), planned(tern))],
  ]) {
    const answers = [[...out, ...to("NLRTM", 10, heron)], landed, [...released, ...sentOn], last].map(
      (stated, index) => {
        const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
        return [march(10) + index * 86_400_000 * 5, { ...about, events: stated }] as const;
      },
    );
    const [first, , , end] = answers;
    assert.deepEqual(shown(recordAfter([first!, end!])), shown(recordAfter(answers)));
  }
});
