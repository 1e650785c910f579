/** What a batch of results writes: the deliveries, what waits, and what it means to each endpoint. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Settlement } from "../../src/model/delivery.ts";
import { touchEndpoints } from "../../src/store/endpoints/endpoints.ts";
import { settleAttempts, type EndpointCount } from "../../src/store/deliveries/settling.ts";
import { dateOf, type StoreRows, idOf, openStoreRows, plain, timeOf } from "./store-rows.ts";

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
const WAITING: Settlement = { ...DEAD, status: "pending", attemptCount: 2, dueAtMs: timeOf(9_000) };

/** What a batch may say of an endpoint: one failure unless the test says more. */
const FAILED: Omit<EndpointCount, "endpointId"> = {
  delivered: false,
  leadingFailures: 1,
  longestRun: 0,
  trailingFailures: 1,
  lastDeliveredAtMs: null,
};
const SUCCEEDED = {
  ...FAILED,
  delivered: true,
  leadingFailures: 0,
  trailingFailures: 0,
  lastDeliveredAtMs: timeOf(4_000),
};

describe("settling", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.account(1);
    await rows.node(NODE);
    await rows.node(OTHER_NODE);
    await rows.endpoint(1);
  });

  const settle = async (
    attempts: readonly (readonly [id: number, settlement: Settlement, queued?: "queued"])[],
    counts: readonly EndpointCount[] = [],
    { at = NOW, disableAfterMs = 0 } = {},
  ) =>
    plain(
      await settleAttempts(rows.database, rows.cell, {
        node: NODE,
        attempts: attempts.map(([id, settlement, queued]) => ({
          deliveryId: idOf(id),
          settlement,
          queued: queued !== undefined,
        })),
        counts,
        atMs: timeOf(at),
        disableAfterFailures: 20,
        disableAfterMs,
      }),
    );
  const deliveries = () =>
    rows.read(
      `select id, status, attempt_count, last_status_code, last_error, delivered_at, node
       from cell.deliveries order by id`,
    );
  const queue = () => rows.read("select delivery_id, due_at, node from cell.queue order by 1");

  test("writes what the node holds since it was raised or by a claim, and nothing of other nodes", async () => {
    await rows.delivery(1, { node: NODE });
    await rows.delivery(2);
    await rows.queued(2, { node: NODE });
    await rows.delivery(3, { node: OTHER_NODE });
    await rows.delivery(4);
    await rows.queued(4, { node: OTHER_NODE });
    await rows.delivery(5, { node: NODE });
    await rows.delivery(6);
    await rows.queued(6, { node: NODE });
    await rows.delivery(7, { status: "dead", last_error: "before" });
    await rows.queued(7, { node: NODE });
    await rows.delivery(8);
    await rows.queued(8);
    await settle([
      [1, DELIVERED],
      [2, DEAD, "queued"],
      [3, DELIVERED],
      [4, DEAD, "queued"],
      [7, DELIVERED, "queued"],
      [8, DELIVERED, "queued"],
    ]);
    assert.deepEqual(await deliveries(), [
      [1, "delivered", 3, 202, null, 4_000, null],
      [2, "dead", 6, 500, "http_500: no", null, null],
      [3, "pending", 0, null, null, null, OTHER_NODE],
      [4, "pending", 0, null, null, null, null],
      [5, "pending", 0, null, null, null, NODE],
      [6, "pending", 0, null, null, null, null],
      [7, "dead", 0, null, "before", null, null],
      [8, "pending", 0, null, null, null, null],
    ]);
    assert.deepEqual(await queue(), [
      [4, 0, OTHER_NODE],
      [6, 0, NODE],
      [8, 0, null],
    ]);
  });

  test("writes nothing of a node that has been replaced, though rows still bear its number", async () => {
    await rows.run(`delete from cell.nodes where id = ${NODE}`);
    await rows.delivery(1, { node: NODE });
    await rows.delivery(2);
    await rows.queued(2, { node: NODE });
    const failing = await settle(
      [
        [1, DEAD],
        [2, WAITING, "queued"],
      ],
      [{ endpointId: idOf(1), ...FAILED }],
    );
    assert.deepEqual(failing, []);
    assert.deepEqual(await deliveries(), [
      [1, "pending", 0, null, null, null, NODE],
      [2, "pending", 0, null, null, null, null],
    ]);
    assert.deepEqual(await queue(), [[2, 0, NODE]]);
    assert.deepEqual(await rows.read("select failure_count from cell.endpoints"), [[0]]);
  });

  test("what needs another attempt waits in the queue for its time, claimed by nobody", async () => {
    await rows.delivery(1, { node: NODE });
    await rows.delivery(2);
    await rows.queued(2, { node: NODE });
    await settle([
      [1, WAITING],
      [2, { ...WAITING, dueAtMs: timeOf(8_000) }, "queued"],
    ]);
    assert.deepEqual(await deliveries(), [
      [1, "pending", 2, 500, "http_500: no", null, null],
      [2, "pending", 2, 500, "http_500: no", null, null],
    ]);
    assert.deepEqual(await queue(), [
      [1, 9_000, null],
      [2, 8_000, null],
    ]);
  });

  const PAUSED = { active: false, inactive_since: dateOf(100) };
  for (const [what, was, count, becomes, answered] of [
    ["a failure adds up", { failure_count: 3 }, FAILED, [true, 4, null, null], [4, false]],
    ["the first failure is reported", {}, FAILED, [true, 1, null, null], [1, false]],
    [
      "the nineteenth changes nothing",
      { failure_count: 17 },
      { ...FAILED, leadingFailures: 2, trailingFailures: 2 },
      [true, 19, null, null],
      [19, false],
    ],
    [
      "the twentieth disables",
      { failure_count: 18 },
      { ...FAILED, leadingFailures: 2, trailingFailures: 2 },
      [false, 20, null, NOW],
      [20, true],
    ],
    [
      "the twentieth disables though a success follows it",
      { failure_count: 18 },
      { ...SUCCEEDED, leadingFailures: 2 },
      [false, 0, 4_000, NOW],
      [0, true],
    ],
    [
      "twenty in a row after a success disable",
      { failure_count: 5 },
      { ...SUCCEEDED, longestRun: 20, trailingFailures: 20 },
      [false, 20, 4_000, NOW],
      [20, true],
    ],
    [
      "twenty in a row between two successes disable",
      {},
      { ...SUCCEEDED, longestRun: 20 },
      [false, 0, 4_000, NOW],
      [0, true],
    ],
    [
      "nineteen after a success do not",
      { failure_count: 5 },
      { ...SUCCEEDED, longestRun: 19, trailingFailures: 19 },
      [true, 19, 4_000, null],
      [19, false],
    ],
    ["a success resets", { failure_count: 7 }, SUCCEEDED, [true, 0, 4_000, null], null],
    [
      "the time of the last success does not go back",
      { last_delivery_at: dateOf(4_500) },
      SUCCEEDED,
      [true, 0, 4_500, null],
      null,
    ],
    [
      "a failure leaves the time of the last success",
      { last_delivery_at: dateOf(300) },
      FAILED,
      [true, 1, 300, null],
      [1, false],
    ],
    [
      "one that is inactive stays so since when it was, whatever fails",
      { ...PAUSED, failure_count: 20 },
      FAILED,
      [false, 21, null, 100],
      [21, false],
    ],
    ["one that is paused stays paused", PAUSED, SUCCEEDED, [false, 0, 4_000, 100], [0, false]],
  ] as const) {
    test(`to an endpoint: ${what}`, async () => {
      await rows.account(2);
      await rows.endpoint(2, { account_id: idOf(2), ...was });
      await rows.delivery(1, { node: NODE, endpoint_id: idOf(2) });
      const given = { endpointId: idOf(2), ...count };
      const failing = await settle([[1, DEAD]], [given]);
      const endpoints = () =>
        rows.read(
          "select active, failure_count, last_delivery_at, inactive_since from cell.endpoints order by id",
        );
      assert.deepEqual(await endpoints(), [[true, 0, null, null], becomes]);
      assert.deepEqual(
        failing,
        answered === null
          ? []
          : [{ id: 2, accountId: 2, product: "tracking", failureCount: answered[0], disabled: answered[1] }],
      );
      const isDisabled = answered?.[1] === true;
      assert.deepEqual(await rows.read("select id, routing_version from cell.accounts order by id"), [
        [1, "1"],
        [2, isDisabled ? "2" : "1"],
      ]);
      assert.deepEqual(await settle([[1, DEAD]], [given]), [], "a batch that is sent again counts nothing");
      assert.deepEqual(await endpoints(), [[true, 0, null, null], becomes]);
    });
  }

  // spec 3.2: disabled
  test("failures that must last disable an endpoint only once they have lasted", async () => {
    const since = "select active, failure_count, failing_since from cell.endpoints";
    const many = { endpointId: idOf(1), ...FAILED, leadingFailures: 15, trailingFailures: 15 };
    const settleAt = (at: number, count: EndpointCount, id: number) =>
      rows
        .delivery(id, { node: NODE })
        .then(() => settle([[id, DEAD]], [count], { at, disableAfterMs: 3_000 }));
    await settleAt(5_000, { ...many, ...SUCCEEDED, longestRun: 25, trailingFailures: 5 }, 1);
    assert.deepEqual(await rows.read(since), [[true, 5, 5_000]], "a run within a batch lasts no time");
    for (const at of [6_000, 7_999]) await settleAt(at, many, at);
    await settleAt(8_000, many, 2);
    assert.deepEqual(await rows.read(since), [[false, 50, 5_000]]);
  });

  test("later successes move the time on, never back, and reset the failures", async () => {
    await rows.endpoint(2, { failure_count: 3, last_delivery_at: dateOf(100), failing_since: dateOf(90) });
    await rows.endpoint(3, { failure_count: 3, last_delivery_at: dateOf(900) });
    await rows.endpoint(4, { failure_count: 3 });
    await touchEndpoints(
      rows.database,
      rows.cell,
      [idOf(1), idOf(2), idOf(3)],
      [1, 2, 3].map((n) => timeOf(n * 200)),
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
