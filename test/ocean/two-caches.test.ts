/** A carrier whose answers come from two caches by turns: what the older one leaves out is no change. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { answerAt, type Recording } from "../../packages/simulator/src/replay/recording.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { march } from "./event.ts";
import { inLines } from "./in-lines.ts";
import { pollThrough, type Poll } from "./life.ts";

const { answers, assertLooks, assertStatus, polled } = inLines({
  words: {
    HERON: { vessel: { name: "HERON DAWN", imo: "9074729" } },
    TERN: { vessel: { name: "TERN SOLSTICE", imo: "9321483" } },
  },
});

type Answers = Parameters<typeof pollThrough>[0];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

const POLLED_EVERY_MS = 12 * HOUR_MS;

/** At each change, and often enough between that time alone changes nothing at the poll after. */
function answersOf(recording: Recording): Answers {
  const changes = [...new Set(recording.events.map(({ appearsMs }) => appearsMs))];
  const moments = changes.flatMap((atMs, index) => {
    const untilMs = changes[index + 1] ?? atMs + 1;
    return Array.from(
      { length: Math.ceil((untilMs - atMs) / POLLED_EVERY_MS) },
      (_, nth) => atMs + nth * POLLED_EVERY_MS,
    );
  });
  return moments.map((atMs) => [atMs, parseAnswer(answerAt(recording, atMs), DCSA_SPELLING)?.events ?? []]);
}

/** After each answer the one before, and the answer again, twice. */
function byTurns(told: Answers): Answers {
  return told.flatMap(([atMs, stated], index) => {
    const [, older] = told[index - 1] ?? [atMs, stated];
    return [stated, older, stated, older, stated].map((said, nth) => [atMs + nth * SECOND_MS, said] as const);
  });
}

/** All that was raised, in order of type; `shipment_updated` follows each answer. */
function raised(polls: readonly Poll[]): readonly string[] {
  const events = polls.flatMap((poll) => poll.raised);
  return events.flatMap(({ type }) => (type === "shipment_updated" ? [] : [type])).toSorted();
}

function isSilentByTurns(name: string, told: Answers): void {
  const [plain, flapping] = [pollThrough(told), pollThrough(byTurns(told))];
  assert.deepEqual(raised(flapping), raised(plain), name);
  assert.equal(flapping.at(-1)?.record.status, plain.at(-1)?.record.status, name);
}

const waits = "GTOT CNTAO 1 empty; GTIN CNTAO 2";
const onHeron = "DEPA~ CNTAO 4 HERON";
const [loaded, left] = ["LOAD CNTAO 3 HERON", "DEPA CNTAO 4 HERON"];

test("no journey raises anything more when older answers come between", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER))
    isSilentByTurns(recording.name, answersOf(recording));
});

test("a departure that is known is not missed by an answer from before it", () => {
  for (const line of [
    `@3 ${waits}; ${onHeron} | @6.13 ${waits}; ${loaded}; ${left}`,
    `@6 ${waits}; ${loaded}; ${left} | @6.13 +`,
    `@3 ${waits}; ${onHeron} | @6 ${waits}; ${left}; DEPA~ CNTAO 11 TERN`,
  ])
    isSilentByTurns(line, answers(line));
});

test("a box that had arrived when tracking began does not arrive by an older answer", () => {
  const sailed = `${waits}; ${loaded}; ${left}`;
  for (const here of [
    `${sailed}; ARRI NLRTM 20 HERON`,
    `${sailed}; ARRI NLRTM 20 HERON; DISC NLRTM 20.18 HERON`,
  ])
    assert.deepEqual(
      raised(polled(`@21 ${here} | @21.13 ${sailed}; ARRI? NLRTM 20 HERON | @21.14 ${here}`)),
      [],
    );
});

test("a vessel that left without a box that came too late is not taken for the one that it leaves with", () => {
  const pickUp = "GTOT CNTAO 1 empty";
  const line = `@3 ${pickUp}; ${onHeron} | @5 ${pickUp}; ${left} | @6.13 + GTIN CNTAO 6 | @11.13 + LOAD CNTAO 10 TERN; DEPA CNTAO 11 TERN`;
  isSilentByTurns("late", answers(line));
  assertLooks(
    line,
    "pre_departure",
    "in_transit vessel_departed",
    "pre_departure schedule_disruption updated(status)",
    "in_transit vessel_departed updated(vessel)",
  );
  assertStatus([`@6 ${pickUp}; ${left}; GTIN CNTAO 5.11`, "in_transit", "a clock or a date"]);
});

test("a departure that is taken back is missed on its next day", () => {
  const later = `${waits}; DEPA~ CNTAO 7 HERON (4)`;
  assertLooks(
    `@3 ${waits}; ${onHeron} | @4.14 ${waits}; ${left} | @5 ${later} | @8.13 ${later}`,
    "pre_departure",
    "in_transit vessel_departed",
    "pre_departure schedule_disruption updated(status)",
    "pre_departure schedule_disruption",
  );
});

test("a departure that stays left out for a day was none: the old date has passed in silence", () => {
  const polls = polled(
    `@3 ${waits}; ${onHeron} | @6 ${waits}; ${left} | @7 ${waits}; ${onHeron} | @8.11 + | @8 + | @9 +`,
  );
  assert.equal(polls[3]!.record.changesAtMs, march(8));
  assert.deepEqual(raised(polls), ["schedule_disruption", "vessel_departed"]);
  assert.deepEqual(raised(polls.slice(0, 4)), ["vessel_departed"]);
});
