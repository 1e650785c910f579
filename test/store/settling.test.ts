/** What a batch of results writes: the deliveries, what waits, the attempts that failed, and what it means to each endpoint. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import type { Settlement } from "../../src/model/delivery.ts";
import { endpointTouch } from "../../src/store/endpoints/endpoints.sql.ts";
import {
  settleAttempts,
  type EndpointCount,
  type SettledAttempt,
} from "../../src/store/deliveries/settling.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const NODE = 7;
const OTHER_NODE = 8;
const NOW = 5_000;

const DELIVERED: Settlement = {
  status: "delivered",
  attemptCount: 3,
  lastStatusCode: 202,
  lastError: null,
  deliveredAtMs: timeOf(4_000),
  dueAtMs: null,
};
const DEAD: Settlement = {
  ...DELIVERED,
  status: "dead",
  attemptCount: 6,
  lastStatusCode: 500,
  lastError: "http_500: no",
  deliveredAtMs: null,
};
const waiting = (dueMs: number): Settlement => ({
  ...DEAD,
  status: "pending",
  attemptCount: 2,
  dueAtMs: timeOf(dueMs),
});

/** What a batch may say of an endpoint. */
const failed = (times: number): Omit<EndpointCount, "endpointId"> => ({
  delivered: false,
  leadingFailures: times,
  longestRun: 0,
  trailingFailures: times,
  lastDeliveredAtMs: null,
});
const succeeded = (leadingFailures = 0, longestRun = 0, trailingFailures = 0) => ({
  delivered: true,
  leadingFailures,
  longestRun,
  trailingFailures,
  lastDeliveredAtMs: timeOf(4_000),
});

describe("settling", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.account(1);
    await rows.node(NODE);
    await rows.node(OTHER_NODE);
    await rows.endpoint(1);
  });

  /** With the address if it failed. */
  type Attempt = readonly [number, Settlement, queued?: "queued" | null, address?: string | null];

  const settle = async (
    attempts: readonly Attempt[],
    counts: readonly EndpointCount[] = [],
    { at = NOW, disableAfterMs = 0 } = {},
  ) =>
    plain(
      await settleAttempts(rows.database, rows.cell, {
        node: NODE,
        attempts: attempts.map(([id, settlement, queued, address]): SettledAttempt => ({
          deliveryId: idOf(id),
          settlement,
          queued: queued === "queued",
          failed:
            address === undefined
              ? null
              : { endedAtMs: timeOf(4_500), durationMs: 41, address, answerBytes: id },
        })),
        counts,
        atMs: timeOf(at),
        disableAfterFailures: 20,
        disableAfterMs,
        failingAfterFailures: 5,
        unreported: ["reporting"],
      }),
    );
  const deliveries = () =>
    rows.read(
      `select id, status, attempt_count, last_status_code, last_error, delivered_at, node
       from cell.deliveries order by id`,
    );
  const queue = () => rows.read("select delivery_id, due_at, node from cell.queue order by 1");
  const waits = async (id: number, node: number | null, row: Readonly<Record<string, unknown>> = {}) => {
    await rows.delivery(id, row);
    await rows.queued(id, { node });
  };

  test("writes what its node holds since it was raised or by a claim, once, and nothing of other nodes", async () => {
    for (const id of [1, 5, 9]) await rows.delivery(id, { node: NODE });
    for (const id of [2, 6, 10]) await waits(id, NODE);
    await rows.delivery(3, { node: OTHER_NODE });
    await waits(4, OTHER_NODE);
    await waits(7, NODE, { status: "dead", last_error: "before" });
    await waits(8, null);
    const batch: readonly Attempt[] = [
      [1, DELIVERED],
      [2, DEAD, "queued", null],
      [3, waiting(9_000), null, "203.0.113.7"],
      [4, DEAD, "queued", "203.0.113.7"],
      [7, DELIVERED, "queued"],
      [8, DELIVERED, "queued"],
      [9, waiting(9_000), null, "203.0.113.7"],
      [10, waiting(8_000), "queued", "203.0.113.8"],
    ];
    // The second time as after an answer that was lost.
    for (const _ of [1, 2]) {
      await settle(batch);
      assert.deepEqual(await deliveries(), [
        [1, "delivered", 3, 202, null, 4_000, null],
        [2, "dead", 6, 500, "http_500: no", null, null],
        [3, "pending", 0, null, null, null, OTHER_NODE],
        [4, "pending", 0, null, null, null, null],
        [5, "pending", 0, null, null, null, NODE],
        [6, "pending", 0, null, null, null, null],
        [7, "dead", 0, null, "before", null, null],
        [8, "pending", 0, null, null, null, null],
        [9, "pending", 2, 500, "http_500: no", null, null],
        [10, "pending", 2, 500, "http_500: no", null, null],
      ]);
      assert.deepEqual(await queue(), [
        [4, 0, OTHER_NODE],
        [6, 0, NODE],
        [8, 0, null],
        [9, 9_000, null],
        [10, 8_000, null],
      ]);
      assert.deepEqual(
        await rows.read(
          `select delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes
           from cell.attempts order by 1`,
        ),
        [
          [2, 6, 4_500, 41, null, 500, "http_500: no", 2],
          [9, 2, 4_500, 41, "203.0.113.7", 500, "http_500: no", 9],
          [10, 2, 4_500, 41, "203.0.113.8", 500, "http_500: no", 10],
        ],
      );
    }
  });

  test("writes nothing of a node that has been replaced, though rows still bear its number", async () => {
    await rows.run(`delete from cell.nodes where id = ${NODE}`);
    await rows.delivery(1, { node: NODE });
    await waits(2, NODE);
    const counts = [{ endpointId: idOf(1), ...failed(1) }];
    const batch: readonly Attempt[] = [
      [1, DEAD],
      [2, waiting(9_000), "queued"],
    ];
    assert.deepEqual(await settle(batch, counts), []);
    assert.deepEqual(await deliveries(), [
      [1, "pending", 0, null, null, null, NODE],
      [2, "pending", 0, null, null, null, null],
    ]);
    assert.deepEqual(await queue(), [[2, 0, NODE]]);
    assert.deepEqual(await rows.read("select failure_count from cell.endpoints"), [[0]]);
  });

  const PAUSED = { active: false, inactive_since: dateOf(100) };
  const AHEAD = { failing_since: dateOf(NOW + 3_600_000) };
  const heard = (ms: number) => ({ last_delivery_at: dateOf(ms) });
  for (const [what, failures, row, count, becomes] of [
    ["a failure adds up", 3, {}, failed(1), [true, 4, null, null]],
    ["the first failure is reported", 0, {}, failed(1), [true, 1, null, null]],
    ["the nineteenth changes nothing", 17, {}, failed(2), [true, 19, null, null]],
    ["the twentieth disables", 18, {}, failed(2), [false, 20, null, NOW]],
    ["the twentieth disables though a clock has gone back", 18, AHEAD, failed(2), [false, 20, null, NOW]],
    ["the twentieth disables though a success follows it", 18, {}, succeeded(2), [false, 0, 4_000, NOW]],
    ["twenty in a row after a success disable", 5, {}, succeeded(0, 20, 20), [false, 20, 4_000, NOW]],
    ["twenty in a row between two successes disable", 0, {}, succeeded(0, 20), [false, 0, 4_000, NOW]],
    ["nineteen after a success do not", 5, {}, succeeded(0, 19, 19), [true, 19, 4_000, null]],
    ["a success resets", 7, {}, succeeded(), [true, 0, 4_000, null]],
    ["its last success does not go back", 0, heard(4_500), succeeded(), [true, 0, 4_500, null]],
    ["a failure leaves its last success", 0, heard(300), failed(1), [true, 1, 300, null]],
    ["one that is inactive stays so since when it was", 20, PAUSED, failed(1), [false, 21, null, 100]],
    ["one that is paused stays paused", 0, PAUSED, succeeded(), [false, 0, 4_000, 100]],
  ] as const) {
    test(`to an endpoint: ${what}`, async () => {
      await rows.account(2);
      await rows.endpoint(2, { account_id: idOf(2), failure_count: failures, ...row });
      await rows.delivery(1, { node: NODE, endpoint_id: idOf(2) });
      const given = { endpointId: idOf(2), ...count };
      const failing = await settle([[1, DEAD]], [given]);
      const endpoints = () =>
        rows.read(
          "select active, failure_count, last_delivery_at, inactive_since from cell.endpoints order by id",
        );
      const [active, failureCount, , inactiveSince] = becomes;
      const disabled = inactiveSince === NOW;
      const changed = disabled || (active && failureCount >= 5);
      assert.deepEqual(await endpoints(), [[true, 0, null, null], becomes]);
      const reported = [{ id: 2, accountId: 2, product: "tracking", failureCount, disabled, changed }];
      assert.deepEqual(
        failing,
        active && failureCount === 0 ? [] : reported,
        "one that does well is not reported",
      );
      assert.deepEqual(await rows.read("select id, routing_version from cell.accounts order by id"), [
        [1, "1"],
        [2, disabled ? "2" : "1"],
      ]);
      assert.deepEqual(await settle([[1, DEAD]], [given]), [], "a batch that is sent again counts nothing");
      assert.deepEqual(await endpoints(), [[true, 0, null, null], becomes]);
    });
  }

  // spec 3.2: disabled
  test("failures that must last disable an endpoint only once they have lasted", async () => {
    const since = "select active, failure_count, failing_since from cell.endpoints";
    const settleAt = async (at: number, count: Omit<EndpointCount, "endpointId">, id = at) => {
      await rows.delivery(id, { node: NODE });
      await settle([[id, DEAD]], [{ endpointId: idOf(1), ...count }], { at, disableAfterMs: 3_000 });
    };
    await settleAt(5_000, succeeded(0, 25, 5));
    assert.deepEqual(await rows.read(since), [[true, 5, 5_000]], "a run within a batch lasts no time");
    for (const at of [6_000, 7_999]) await settleAt(at, failed(15));
    await settleAt(8_000, failed(15));
    assert.deepEqual(await rows.read(since), [[false, 50, 5_000]]);
  });

  test("what an endpoint has turned to is reported once, and each delivery that dies", async () => {
    const endAt = async (at: number, count: Omit<EndpointCount, "endpointId">, ended = waiting(9_000)) => {
      await rows.delivery(at, { node: NODE });
      await settle([[at, ended]], [{ endpointId: idOf(1), ...count }], { at });
      await settle([[at, ended]], [{ endpointId: idOf(1), ...count }], { at });
    };
    await endAt(1_000, failed(4));
    await endAt(2_000, failed(1));
    await endAt(3_000, failed(1), DEAD);
    await endAt(4_000, succeeded(1, 0, 1), DELIVERED);
    await endAt(5_000, failed(19));
    await rows.run("update cell.endpoints set active = true, inactive_since = null, failure_count = 0");
    await endAt(6_000, failed(1));
    await endAt(7_000, succeeded(), DELIVERED);
    await endAt(8_000, succeeded(), DELIVERED);
    assert.deepEqual(
      await rows.read(
        "select at, kind, subject, failure_count, failing_since, error from cell.reports order by at",
      ),
      [
        [2_000, "endpoint_failing", 1, 5, 1_000, "http_500: no"],
        [3_000, "delivery_dead", 3_000, 5, 1_000, "http_500: no"],
        [4_000, "endpoint_recovered", 1, 1, 4_000, null],
        [5_000, "endpoint_disabled", 1, 20, 4_000, "http_500: no"],
        [7_000, "endpoint_recovered", 1, 0, null, null],
      ],
    );
  });

  test("an endpoint that works again has no last error, though its batch began with a failure", async () => {
    await rows.run("update cell.endpoints set condition = 'failing', failure_count = 6");
    for (const id of [1, 2]) await rows.delivery(id, { node: NODE });
    const batch: readonly Attempt[] = [
      [1, waiting(9_000)],
      [2, DELIVERED],
    ];
    await settle(batch, [{ endpointId: idOf(1), ...succeeded(1) }]);
    assert.deepEqual(await rows.read("select kind, failure_count, error from cell.reports"), [
      ["endpoint_recovered", 0, null],
    ]);
  });

  test("nothing is reported of what carries reports", async () => {
    await rows.endpoint(2, { product: "reporting" });
    await rows.delivery(1, { node: NODE, endpoint_id: idOf(2) });
    await settle([[1, DEAD]], [{ endpointId: idOf(2), ...failed(20) }]);
    assert.deepEqual(await rows.read("select kind from cell.reports"), []);
  });

  test("later successes move the time on, never back, and reset the failures", async () => {
    await rows.endpoint(2, { failure_count: 3, last_delivery_at: dateOf(100), failing_since: dateOf(90) });
    await rows.endpoint(3, { failure_count: 3, last_delivery_at: dateOf(900) });
    await rows.endpoint(4, { failure_count: 3 });
    await endpointTouch(
      rows.database,
      rows.cell,
      [1, 2, 3].map((n) => ({ id: idOf(n), lastDeliveredAtMs: timeOf(n * 200) })),
    );
    assert.deepEqual(
      await rows.read(
        "select id, last_delivery_at, failure_count, failing_since from cell.endpoints order by id",
      ),
      [
        [1, 200, 0, null],
        [2, 400, 0, null],
        [3, 900, 0, null],
        [4, null, 3, null],
      ],
    );
  });
});
