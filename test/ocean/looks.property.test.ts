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
import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord, Statements } from "../../src/products/ocean/record/shipment-record.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { START_MS } from "./harbour-comparison.ts";
import { answersIn } from "./harbour-life.ts";
import { march } from "./event.ts";
import { inLines } from "./in-lines.ts";
import { UNARMED } from "./life.ts";
import { runs } from "../support/runs.ts";

type Answers = readonly (readonly [atMs: number, Statements])[];

const SEED = 5;
const BOXES = runs(150);
/** Random ends and cuts of each journey of the harbour, and of the others. */
const CUTS = 6;
const CUTS_OF_OTHERS = 60;

const recordAfter = (answers: Answers): ShipmentRecord | null => recordsOf(answers).at(-1) ?? null;

/** After each answer. */
function recordsOf(answers: Answers): readonly ShipmentRecord[] {
  const records: ShipmentRecord[] = [];
  for (const [atMs, statements] of answers)
    records.push(nextRecord(statements, records.at(-1) ?? null, UNARMED, atMs));
  return records;
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
  const polledAtEach = recordsOf(answers);
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
      const [first, last] = [answers[0]!, answers[count - 1]!];
      const shuffled = ([atMs, statements]: Answers[number]) => {
        const keyed = statements.events.map((stated) => ({ stated, key: chances.next().value ?? 0 }));
        const events = keyed.toSorted((a, b) => a.key - b.key).map(({ stated }) => stated);
        return [atMs, { ...statements, events }] as const;
      };
      const seldom = [first, ...between, last].map(shuffled);
      const records = [recordAfter(seldom), polledAtEach[count - 1]!];
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

const { said } = inLines();

const sailed =
  "GTOT CNTAO 1 empty; GTIN CNTAO 2; LOAD CNTAO 3 HERON; DEPA CNTAO 4 HERON; DISC SGSIN 10 HERON";
const home = "ARRI NLRTM 30 TERN; DISC NLRTM 31 TERN; GTOT NLRTM 33; GTIN NLRTM 36 empty";

/** Each in the order of the reports. */
const JOURNEYS: Readonly<Record<string, string>> = {
  "between two terminals of a port": `${sailed}; GTOT SGSIN 11; GTIN SGSIN 11.20; LOAD SGSIN 13 TERN; DEPA SGSIN 14 TERN; ${home}`,
  "by truck to another port": `${sailed}; GTOT SGSIN 11; GTIN MYPKG 12; LOAD MYPKG 13 TERN; DEPA MYPKG 14 TERN; ${home}`,
  "a gate that is reported after the vessel's departure": `${sailed}; GTOT SGSIN 11; DEPA SGSIN 14 TERN; LOAD SGSIN 13 TERN; GTIN SGSIN 11.20; ${home}`,
  "out of the gate twice": `${sailed}; GTOT SGSIN 11; GTIN SGSIN 12; GTOT SGSIN 13; GTIN SGSIN 15 empty`,
  "by truck to an inland terminal that no plan names": `${sailed}; GTOT SGSIN 11; GTIN MYIPH/INTE 12; GTOT MYIPH/INTE 14; GTIN SGSIN 16 empty`,
  "a plan to go on inland, made when the box was out": `${sailed}; GTOT SGSIN 11; GTIN~ MYIPH 15 rail; GTIN MYIPH 14 rail; GTOT MYIPH 16`,
  "another cargo, weeks after the handover, that no document tells from the first": `${sailed}; GTOT SGSIN 11; GTIN SGSIN 27; LOAD SGSIN 28 TERN; DEPA SGSIN 29 TERN; ${home}`,
  "the next shipper's pick-up from a depot, the return never reported": `${sailed}; GTOT SGSIN 11; GTOT SGSIN/DEPO 20 empty; GTIN SGSIN 22; LOAD SGSIN 23 TERN; ${home}`,
};

const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;

test("between which reports of a journey the carrier was polled changes nothing", () => {
  for (const [name, text] of Object.entries(JOURNEYS)) {
    const events = said(text);
    const answers = events.map(
      (_, index) => [march(40) + index, { ...about, events: events.slice(0, index + 1) }] as const,
    );
    for (const [last, record] of recordsOf(answers).entries())
      for (let one = 0; one < last; one += 1) {
        const seldom = [answers[0]!, answers[one]!, answers[last]!];
        assert.deepEqual(shown(recordAfter(seldom)), shown(record), name);
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
      return [atMs, { ...about, events }] as const;
    });
    assertSameAtRandomLooks(answers, recording.name);
  }
});

/** The plan before the discharge is removed once it has come true, and that of the voyage on once it has begun. */
test("a box sent on from its announced port may have been polled while that was planned, or not", () => {
  const out = "GTIN CNTAO 2; LOAD CNTAO 3 HERON; DEPA CNTAO 4 HERON";
  const landed = `${out}; ARRI NLRTM 10 HERON; DISC NLRTM 11 HERON`;
  const released = `${landed}; GTOT NLRTM 12; GTIN NLRTM 15`;
  const sentOn = "DEPA~ NLRTM 19 TERN; ARRI~ SEGOT 22 TERN; DISC~ SEGOT 23 TERN";
  const arrived = `${released}; LOAD NLRTM 18 TERN; DEPA NLRTM 19 TERN; ARRI SEGOT 22 TERN`;
  for (const last of [
    arrived,
    `${arrived}; DISC SEGOT 23 TERN`,
    // The vessel's next call.
    `${arrived}; DISC SEGOT 23 TERN; ARRI~ PLGDN 25 TERN`,
  ]) {
    const first = `${out}; ARRI~ NLRTM 10 HERON; DISC~ NLRTM 11 HERON`;
    const answers = [first, landed, `${released}; ${sentOn}`, last].map(
      (text, index) => [march(10 + 5 * index), { ...about, events: said(text) }] as const,
    );
    assert.deepEqual(shown(recordAfter([answers[0]!, answers[3]!])), shown(recordAfter(answers)));
  }
});
