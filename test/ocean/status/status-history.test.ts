/** Which statuses a box went through (spec 3.3). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord, readRecord } from "../../../src/products/ocean/record/record.ts";
import { STATUS_HISTORY_MAX, statusHistory } from "../../../src/products/ocean/status/status-history.ts";
import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";
import { UNARMED } from "../life.ts";

const { polled, said } = inLines();
const sailed = "GTIN JPYOK 4; LOAD JPYOK 5 HERON; DEPA JPYOK 6 HERON";

test("the history begins with the carrier's own steps, and grows by what is new", () => {
  const plan = "ARRI? USOAK 20 HERON";
  const line = `@8 ${sailed}; ${plan} | @9 + | @19 + | @22 ${sailed}; ARRI USOAK 20 HERON; DISC USOAK 21 HERON`;
  const [first, same, near, ashore] = polled(line).map(({ record }) => record.boxes[0]!.statusHistory!);
  assert.deepEqual(first!.at(-1), { status: "in_transit", atMs: march(6), seenMs: march(8) });
  assert.deepEqual(same, first, "an answer that says the same changes nothing");
  assert.deepEqual(near!.at(-1), { status: "arriving", seenMs: march(19) }, "time alone has no event");
  assert.deepEqual(ashore!.at(-1), { status: "discharged", atMs: march(21), seenMs: march(22) });
});

test("a record from before the history begins one with its next answer, and no history grows for ever", () => {
  const answer = {
    carrier: "HRNL",
    identifierType: "container_id",
    events: said(sailed),
    freeDays: [],
  } as const;
  const first = nextRecord(answer, null, UNARMED, march(8));
  const boxes = first.boxes.map(({ statusHistory: _history, ...old }) => old);
  const old = readRecord(JSON.stringify({ ...first, boxes }));
  const next = nextRecord(answer, old, UNARMED, march(9));
  assert.equal(next.boxes[0]!.statusHistory?.at(-1)?.status, "in_transit");
  let history: ReturnType<typeof statusHistory> = [];
  for (let index = 0; index < STATUS_HISTORY_MAX * 2; index += 1)
    history = statusHistory(history, index % 2 === 0 ? "at_anchor" : "in_transit", [], index);
  assert.equal(history.length, STATUS_HISTORY_MAX);
  assert.equal(history.at(-1)?.seenMs, STATUS_HISTORY_MAX * 2 - 1);
});
