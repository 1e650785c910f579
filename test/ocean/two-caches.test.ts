/** A carrier whose answers come from two caches by turns: what the older one leaves out is no change. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { answerAt, type Recording } from "../../packages/simulator/src/replay/recording.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { event, march } from "./event.ts";
import { pollThrough, raisedIn, type Poll } from "./life.ts";

type Answers = Parameters<typeof pollThrough>[0];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

const POLLED_EVERY_MS = 12 * HOUR_MS;

/** At each change, and often enough between that time alone changes nothing at the poll after. */
function answersOf(recording: Recording): Answers {
  const changes = [...new Set(recording.events.map(({ appearsMs }) => appearsMs))];
  const polled = changes.flatMap((atMs, index) => {
    const untilMs = changes[index + 1] ?? atMs + 1;
    return Array.from(
      { length: Math.ceil((untilMs - atMs) / POLLED_EVERY_MS) },
      (_, nth) => atMs + nth * POLLED_EVERY_MS,
    );
  });
  return polled.map((atMs) => [atMs, parseAnswer(answerAt(recording, atMs), DCSA_SPELLING)?.events ?? []]);
}

/** After each answer the one before, and the answer again, twice. */
function byTurns(answers: Answers): Answers {
  return answers.flatMap(([atMs, stated], index) => {
    const [, older] = answers[index - 1] ?? [atMs, stated];
    return [stated, older, stated, older, stated].map((said, nth) => [atMs + nth * SECOND_MS, said] as const);
  });
}

/** All that was raised, in order of type; `shipment_updated` follows each answer. */
function raised(polls: readonly Poll[]): readonly string[] {
  const events = polls.flatMap((poll) => poll.raised);
  return events.flatMap(({ type }) => (type === "shipment_updated" ? [] : [type])).toSorted();
}

function isSilentByTurns(name: string, answers: Answers): void {
  const [plain, flapping] = [pollThrough(answers), pollThrough(byTurns(answers))];
  assert.deepEqual(raised(flapping), raised(plain), name);
  assert.equal(flapping.at(-1)?.record.status, plain.at(-1)?.record.status, name);
}

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9321483" } };
const planned = { classifier: "planned" } as const;
const waits = [event("GTOT", "CNTAO", march(1), { laden: false }), event("GTIN", "CNTAO", march(2))];
const onHeron = [event("DEPA", "CNTAO", march(4), { ...heron, ...planned })];
const onTern = [event("DEPA", "CNTAO", march(11), { ...tern, ...planned })];

test("no journey raises anything more when older answers come between", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER))
    isSilentByTurns(recording.name, answersOf(recording));
});

test("a departure that is known is not missed by an answer from before it", () => {
  const left = event("DEPA", "CNTAO", march(4), heron);
  const loaded = event("LOAD", "CNTAO", march(3), heron);
  const sailed = [...waits, loaded, left];
  for (const first of [march(3), march(6)]) {
    isSilentByTurns("sailed", [
      [first, [...waits, ...(first < left.at.ms ? onHeron : [loaded, left])]],
      [march(6, 13), sailed],
    ]);
  }
  isSilentByTurns("left behind", [
    [march(3), [...waits, ...onHeron]],
    [march(6), [...waits, left, ...onTern]],
  ]);
});

test("a box that had arrived when tracking began does not arrive by an older answer", () => {
  const sailed = [...waits, event("LOAD", "CNTAO", march(3), heron), event("DEPA", "CNTAO", march(4), heron)];
  const expected = event("ARRI", "NLRTM", march(20), { ...heron, classifier: "estimated" });
  const arrived = [...sailed, event("ARRI", "NLRTM", march(20), heron)];
  for (const here of [arrived, [...arrived, event("DISC", "NLRTM", march(20, 18), heron)]]) {
    const polls = pollThrough([
      [march(21), here],
      [march(21, 13), [...sailed, expected]],
      [march(21, 14), here],
    ]);
    assert.deepEqual(raised(polls), []);
  }
});

test("a vessel that left without a box that came too late is not taken for the one that it leaves with", () => {
  const left = event("DEPA", "CNTAO", march(4), heron);
  const late = [waits[0]!, left, event("GTIN", "CNTAO", march(6))];
  const [loaded, sailed] = [event("LOAD", "CNTAO", march(10), tern), event("DEPA", "CNTAO", march(11), tern)];
  const answers: Answers = [
    [march(3), [waits[0]!, ...onHeron]],
    [march(5), [waits[0]!, left]],
    [march(6, 13), late],
    [march(11, 13), [...late, loaded, sailed]],
  ];
  isSilentByTurns("late", answers);
  const [inTime] = pollThrough([[march(6), [waits[0]!, left, event("GTIN", "CNTAO", march(5, 11))]]]);
  assert.equal(inTime?.record.status, "in_transit", "a clock or a date");
  assert.deepEqual(
    raisedIn(pollThrough(answers)).map((line) => line.slice(17)),
    [
      "pre_departure",
      "in_transit vessel_departed",
      "pre_departure schedule_disruption updated(status)",
      "in_transit vessel_departed updated(vessel)",
    ],
  );
});

test("a departure that is taken back is missed on its next day", () => {
  const later: CarrierEvent = { ...onHeron[0]!, at: { ...onHeron[0]!.at, ms: march(7) } };
  const polls = pollThrough([
    [march(3), [...waits, ...onHeron]],
    [march(4, 14), [...waits, event("DEPA", "CNTAO", march(4), heron)]],
    [march(5), [...waits, later]],
    [march(8, 13), [...waits, later]],
  ]);
  assert.deepEqual(
    raisedIn(polls).map((line) => line.slice(17)),
    [
      "pre_departure",
      "in_transit vessel_departed",
      "pre_departure schedule_disruption updated(status)",
      "pre_departure schedule_disruption",
    ],
  );
});

test("a departure that stays left out for a day was none: the old date has passed in silence", () => {
  const polls = pollThrough([
    [march(3), [...waits, ...onHeron]],
    [march(6), [...waits, event("DEPA", "CNTAO", march(4), heron)]],
    [march(7), [...waits, ...onHeron]],
    [march(8, 11), [...waits, ...onHeron]],
    [march(8), [...waits, ...onHeron]],
    [march(9), [...waits, ...onHeron]],
  ]);
  assert.equal(polls[3]!.record.changesAtMs, march(8));
  assert.deepEqual(raised(polls), ["schedule_disruption", "vessel_departed"]);
  assert.deepEqual(raised(polls.slice(0, 4)), ["vessel_departed"]);
});
