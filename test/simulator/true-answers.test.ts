/** What the truth of the simulated harbour believes of answers that leave an end out. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Fact, Step } from "../../packages/simulator/src/harbour/fact.ts";
import { believe, type Believed } from "../../packages/simulator/src/harbour/true-answers.ts";

const HOUR_MS = 3_600_000;
const OUT = endFact("gate_out", 100_030);
const RETURN = endFact("empty_return", 100_040);

/** The steps that are believed after each answer, an hour apart. */
function believedAfter(...answers: readonly (readonly Fact[])[]): readonly (readonly Step[])[] {
  let believed: Believed | null = null;
  return answers.map((answer, hour) => {
    const nowMs = (hour + 1) * HOUR_MS;
    believed = believe(answer, believed, nowMs, nowMs);
    return believed.facts.map(({ step }) => step);
  });
}

test("an end that an answer leaves out is believed the second time", () =>
  assert.deepEqual(believedAfter([OUT], [], [], [OUT]), [["gate_out"], ["gate_out"], [], ["gate_out"]]));

test("a return stands when it is left out for the first time, though its gate-out was gone before", () =>
  assert.deepEqual(believedAfter([OUT, RETURN], [RETURN], [], [OUT]), [
    ["gate_out", "empty_return"],
    ["empty_return"],
    ["empty_return"],
    ["gate_out"],
  ]));

function endFact(step: Step, order: number): Fact {
  return {
    ...{ trip: 0, step, leg: null, order, box: 0, classifier: "actual", atMs: order, place: "SEGOT" },
    ...{ vessel: null, voyage: null, onward: false, form: "code", elsewhere: false, lastFreeDay: null },
    ...{ fromMs: order, untilMs: Number.POSITIVE_INFINITY, staleFromMs: Number.POSITIVE_INFINITY },
    ...{ prunedMs: Number.POSITIVE_INFINITY, takenBack: false },
  };
}
