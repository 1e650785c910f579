/** What settling keeps of the attempts that failed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Settlement } from "../../src/model/delivery.ts";
import { settleAttempts, type SettledAttempt } from "../../src/store/deliveries/settling.ts";
import { idOf, openStoreRows, timeOf } from "./store-rows.ts";

const NODE = 7;
const OTHER_NODE = 8;

const WAITING: Settlement = {
  status: "pending",
  attemptCount: 2,
  lastStatusCode: 500,
  lastError: "http_500: no",
  deliveredAtMs: null,
  dueAtMs: timeOf(9_000),
};
const DEAD: Settlement = { ...WAITING, status: "dead", attemptCount: 6, lastStatusCode: null, dueAtMs: null };
const DELIVERED: Settlement = {
  ...WAITING,
  ...{
    status: "delivered",
    lastStatusCode: 202,
    lastError: null,
    deliveredAtMs: timeOf(4_000),
    dueAtMs: null,
  },
};

test("keeps each failed attempt once, none that succeeded, and none of other nodes", async (t) => {
  const rows = await openStoreRows();
  t.after(() => rows.drop());
  await rows.account(1);
  await rows.node(NODE);
  await rows.node(OTHER_NODE);
  await rows.endpoint(1);
  await rows.delivery(1, { node: NODE });
  await rows.delivery(2, { node: NODE });
  await rows.delivery(3, { node: OTHER_NODE });
  await rows.delivery(4);
  await rows.queued(4, { node: NODE });
  const failed = { endedAtMs: timeOf(4_500), durationMs: 41, address: "203.0.113.7", answerBytes: 12 };
  const attempts: readonly SettledAttempt[] = [
    { deliveryId: idOf(1), queued: false, settlement: WAITING, failed },
    { deliveryId: idOf(2), queued: false, settlement: DELIVERED, failed: null },
    { deliveryId: idOf(3), queued: false, settlement: WAITING, failed },
    {
      deliveryId: idOf(4),
      queued: true,
      settlement: DEAD,
      failed: { ...failed, address: null, answerBytes: 0 },
    },
  ];
  const batch = { node: NODE, attempts, counts: [], atMs: timeOf(5_000) };
  const settle = () =>
    settleAttempts(rows.database, rows.cell, { ...batch, disableAfterFailures: 20, disableAfterMs: 0 });
  await settle();
  // As after an answer that was lost.
  await settle();
  assert.deepEqual(
    await rows.read(
      `select delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes
       from cell.attempts order by 1`,
    ),
    [
      [1, 2, 4_500, 41, "203.0.113.7", 500, "http_500: no", 12],
      [4, 6, 4_500, 41, null, null, "http_500: no", 0],
    ],
  );
});
