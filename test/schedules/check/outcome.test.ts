/** What a check shows of an answer is what the record has once a poll has stored it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import type { CallStatement } from "../../../src/products/schedules/calls/call-statement.ts";
import { outcomeOf } from "../../../src/products/schedules/check/feed-check.ts";
import { showCall } from "../../../src/products/schedules/search/call-view.ts";
import { START_MS } from "../../support/clock.ts";
import { openScene } from "../scene.ts";
import { said } from "../statements.ts";

const LEAVES_MS = START_MS + 10 * 86_400_000;
const at = (ms: number) => ({ planned: null, estimated: { ms, offsetMinutes: null }, actual: null });
const call = (voyage: CallStatement["voyage"], more: Partial<CallStatement> = {}): CallStatement => ({
  ...said(),
  voyage,
  ...more,
});

test("a call that is stated under the voyage on which it came and under the one on which it leaves is one", async (t) => {
  const scene = await openScene();
  t.after(() => scene.on.drop());
  const calls = [
    call({ import: "612W", export: null }, { arrival: at(LEAVES_MS - 3_600_000) }),
    call({ import: "612W", export: "613E" }, { departure: at(LEAVES_MS) }),
    call({ import: "613E", export: "613E" }, { port: "DEHAM" }),
  ];
  await scene.say(calls);
  const update = { feed: "ovs", atMs: START_MS, calls, complete: null };
  const textOf = (record: CallRecord): string => JSON.stringify({ ...showCall(record), id: null });
  const shown = outcomeOf([update], [], (text) => text).calls.map(textOf);
  assert.deepEqual(shown.toSorted(), (await scene.records()).map(textOf).toSorted());
  assert.equal(shown.length, 2);
});
