/** Raising writes all of a batch, or nothing of it and why. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { claimDedupKeys, insertRaised, type RaiseBatch } from "../../src/store/deliveries/raising.ts";
import { type StoreRows, idOf, openStoreRows, plain, timeOf } from "./store-rows.ts";

const NODE = 7;

/** An event for each of two accounts; the first goes to a node at once, the second to the queue. */
const BATCH: RaiseBatch = {
  accountIds: [idOf(1), idOf(2)],
  versions: [1, 1],
  events: {
    ids: [idOf(11), idOf(12)],
    accountIds: [idOf(1), idOf(2)],
    products: ["tracking", "air"],
    types: ["eta_changed", "flight_departed"],
    occurredAtMs: [timeOf(100), timeOf(200)],
    data: ['{"n":1}', '{"n":2}'],
  },
  deliveries: {
    ids: [idOf(21), idOf(22)],
    eventIds: [idOf(11), idOf(12)],
    endpointIds: [idOf(31), idOf(32)],
    nodes: [NODE, null],
  },
};

describe("raising", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.account(1);
    await rows.account(2);
    await rows.account(3);
  });

  const raise = async (batch: Partial<RaiseBatch> = {}) =>
    plain(await insertRaised(rows.database, rows.cell, { ...BATCH, ...batch }, timeOf(5_000)));
  const everything = async () => ({
    events: await rows.read(
      "select id, account_id, product, type, occurred_at, data from cell.events order by id",
    ),
    deliveries: await rows.read(
      `select id, event_id, endpoint_id, node, status, attempt_count, created_at
       from cell.deliveries order by id`,
    ),
    queue: await rows.read("select delivery_id, endpoint_id, due_at, node from cell.queue"),
  });
  const NOTHING = { events: [], deliveries: [], queue: [] };

  test("writes events, deliveries that a node holds, and deliveries that wait in the queue", async () => {
    await rows.node(NODE);
    assert.deepEqual(await raise(), { kind: "written" });
    assert.deepEqual(await everything(), {
      events: [
        [11, 1, "tracking", "eta_changed", 100, '{"n":1}'],
        [12, 2, "air", "flight_departed", 200, '{"n":2}'],
      ],
      deliveries: [
        [21, 11, 31, NODE, "pending", 0, 5_000],
        [22, 12, 32, null, "pending", 0, 5_000],
      ],
      queue: [[22, 32, 5_000, null]],
    });
  });

  const refusals: readonly (readonly [what: string, batch: Partial<RaiseBatch>, staleAccounts: number[]])[] =
    [
      ["an account has moved on", { versions: [1, 2] }, [2]],
      ["an account is not there", { accountIds: [idOf(1), idOf(9)] }, [9]],
      ["both have moved on", { versions: [0, 2] }, [1, 2]],
    ];
  for (const [what, batch, staleAccounts] of refusals) {
    test(`writes nothing when ${what}, and says which`, async () => {
      await rows.node(NODE);
      assert.deepEqual(await raise(batch), { kind: "refused", staleAccounts, nodeReplaced: false });
      assert.deepEqual(await everything(), NOTHING);
    });
  }

  test("writes nothing when the node that would hold it has been replaced", async () => {
    await rows.node(NODE + 1);
    assert.deepEqual(await raise(), { kind: "refused", staleAccounts: [], nodeReplaced: true });
    assert.deepEqual(await everything(), NOTHING);
  });

  test("needs no node when all goes to the queue", async () => {
    assert.deepEqual(await raise({ deliveries: { ...BATCH.deliveries, nodes: [null, null] } }), {
      kind: "written",
    });
    assert.deepEqual(await rows.read("select delivery_id from cell.queue order by 1"), [[21], [22]]);
  });

  test("an event's key is claimed once for an account and a product", async () => {
    const claim = (accountId: number, product: string, dedupKey: string, eventId: number) => ({
      accountId: idOf(accountId),
      product,
      dedupKey,
      eventId: idOf(eventId),
    });
    const claimAll = async (...claims: ReturnType<typeof claim>[]) =>
      plain([...(await claimDedupKeys(rows.database, rows.cell, claims, timeOf(300)))].toSorted());
    assert.deepEqual(await claimAll(claim(1, "air", "a", 1), claim(1, "air", "b", 2)), [1, 2]);
    assert.deepEqual(
      await claimAll(
        claim(1, "air", "a", 3),
        claim(2, "air", "a", 4),
        claim(1, "rates", "a", 5),
        claim(1, "air", "c", 6),
      ),
      [4, 5, 6],
    );
    assert.deepEqual(
      await rows.read(
        "select account_id, product, dedup_key, event_id, created_at from cell.event_keys order by 4",
      ),
      [
        [1, "air", "a", 1, 300],
        [1, "air", "b", 2, 300],
        [2, "air", "a", 4, 300],
        [1, "rates", "a", 5, 300],
        [1, "air", "c", 6, 300],
      ],
    );
  });
});
