/** Which statuses a box went through (spec 3.3). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord, readRecord } from "../../../src/products/ocean/record/record.ts";
import { STATUS_HISTORY_MAX, statusHistory } from "../../../src/products/ocean/status/status-history.ts";
import { event, march } from "../event.ts";

const CONTEXT = { tariffs: [], armedFromMs: null };
const about = { carrier: "HRNL", identifierType: "container_id" as const, freeDays: [] };
const vessel = { name: "HERON ONE", imo: "9000001" };
const SAILED = [
  event("GTIN", "JPYOK", march(4)),
  event("LOAD", "JPYOK", march(5), { vessel }),
  event("DEPA", "JPYOK", march(6), { vessel }),
  event("ARRI", "USOAK", march(20), { classifier: "estimated", vessel }),
];

test("the history begins with the carrier's own steps, and grows by what is new", () => {
  const first = nextRecord({ ...about, events: SAILED }, null, CONTEXT, march(8));
  const historyOf = (known: typeof first) =>
    known.boxes[0]!.statusHistory?.map(({ status, atMs, seenMs }) => [status, atMs, seenMs]);
  assert.deepEqual(historyOf(first)?.at(-1), ["in_transit", march(6), march(8)]);
  const same = nextRecord({ ...about, events: SAILED }, first, CONTEXT, march(9));
  assert.deepEqual(historyOf(same), historyOf(first), "an answer that says the same changes nothing");
  const near = nextRecord({ ...about, events: SAILED }, same, CONTEXT, march(19));
  assert.deepEqual(historyOf(near)?.at(-1), ["arriving", undefined, march(19)], "time alone has no event");
  const landed = [
    ...SAILED.slice(0, 3),
    event("ARRI", "USOAK", march(20), { vessel }),
    event("DISC", "USOAK", march(21), { vessel }),
  ];
  const ashore = nextRecord({ ...about, events: landed }, near, CONTEXT, march(22));
  assert.deepEqual(
    historyOf(ashore)
      ?.slice(-2)
      .map(([status, atMs]) => [status, atMs])
      .at(-1),
    [ashore.status, march(21)],
  );
  assert.ok(
    !historyOf(ashore)!
      .slice(-1)
      .some(([status]) => status === "arriving"),
  );
});

test("a record from before the history begins one with its next answer, and no history grows for ever", () => {
  const first = nextRecord({ ...about, events: SAILED }, null, CONTEXT, march(8));
  const boxes = first.boxes.map(({ statusHistory: _history, ...old }) => old);
  const old = readRecord(JSON.stringify({ ...first, boxes }));
  const next = nextRecord({ ...about, events: SAILED }, old, CONTEXT, march(9));
  assert.equal(next.boxes[0]!.statusHistory?.at(-1)?.status, "in_transit");
  let history: ReturnType<typeof statusHistory> = [];
  for (let index = 0; index < STATUS_HISTORY_MAX * 2; index += 1)
    history = statusHistory(history, index % 2 === 0 ? "at_anchor" : "in_transit", [], index);
  assert.equal(history.length, STATUS_HISTORY_MAX);
  assert.equal(history.at(-1)?.seenMs, STATUS_HISTORY_MAX * 2 - 1);
});
