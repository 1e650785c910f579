/** Raising writes all of a batch, or nothing of it and why. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { claimDedupKeys, insertRaised, type RaiseBatch } from "../../src/store/deliveries/raising.ts";
import { idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const NODE = 7;

/** An event for each of two accounts; the first goes to a node at once, the second to the queue. */
const BATCH: RaiseBatch = {
  accounts: [accountAt(1, 1), accountAt(2, 1)],
  events: [
    {
      ...{ id: idOf(11), accountId: idOf(1), product: "tracking", type: "eta_changed" },
      ...{ occurredAtMs: timeOf(100), data: '{"n":1}' },
    },
    {
      ...{ id: idOf(12), accountId: idOf(2), product: "air", type: "flight_departed" },
      ...{ occurredAtMs: timeOf(200), data: '{"n":2}' },
    },
  ],
  references: [
    { accountId: idOf(1), reference: "MSCU1234566", eventId: idOf(11) },
    { accountId: idOf(2), reference: "17612345675", eventId: idOf(12) },
  ],
  deliveries: [
    { id: idOf(21), eventId: idOf(11), endpointId: idOf(31), node: NODE },
    { id: idOf(22), eventId: idOf(12), endpointId: idOf(32), node: null },
  ],
};

function accountAt(id: number, version: number) {
  return { id: idOf(id), version };
}

describe("raising", () => {
  const rows = storeRows();
  beforeEach(async () => {
    for (const id of [1, 2, 3]) await rows.account(id);
  });

  const raise = async (batch: Partial<RaiseBatch> = {}) =>
    plain(await insertRaised(rows.database, rows.cell, { ...BATCH, ...batch }, timeOf(5_000)));
  const everything = async () => [
    await rows.read("select id, account_id, product, type, occurred_at, data from cell.events order by id"),
    await rows.read(
      `select id, event_id, endpoint_id, node, status, attempt_count, created_at from cell.deliveries order by id`,
    ),
    await rows.read("select delivery_id, endpoint_id, due_at, node from cell.queue"),
    await rows.read("select account_id, reference, event_id from cell.event_references order by event_id"),
  ];

  test("writes events, deliveries that a node holds, and deliveries that wait in the queue", async () => {
    await rows.node(NODE);
    assert.deepEqual(await raise(), { kind: "written" });
    assert.deepEqual(await everything(), [
      [
        [11, 1, "tracking", "eta_changed", 100, '{"n":1}'],
        [12, 2, "air", "flight_departed", 200, '{"n":2}'],
      ],
      [
        [21, 11, 31, NODE, "pending", 0, 5_000],
        [22, 12, 32, null, "pending", 0, 5_000],
      ],
      [[22, 32, 5_000, null]],
      [
        [1, "MSCU1234566", 11],
        [2, "17612345675", 12],
      ],
    ]);
  });

  const refusals: readonly (readonly [string, node: number, Partial<RaiseBatch>, staleAccounts: number[]])[] =
    [
      ["an account has moved on", NODE, { accounts: [accountAt(1, 1), accountAt(2, 2)] }, [2]],
      ["an account is not there", NODE, { accounts: [accountAt(1, 1), accountAt(9, 1)] }, [9]],
      ["both have moved on", NODE, { accounts: [accountAt(1, 0), accountAt(2, 2)] }, [1, 2]],
      ["the node that would hold it has been replaced", NODE + 1, {}, []],
    ];
  for (const [what, node, batch, staleAccounts] of refusals) {
    test(`writes nothing when ${what}, and says which`, async () => {
      await rows.node(node);
      assert.deepEqual(await raise(batch), { kind: "refused", staleAccounts, nodeReplaced: node !== NODE });
      assert.deepEqual(await everything(), [[], [], [], []]);
    });
  }

  test("needs no node when all goes to the queue", async () => {
    const queued = { deliveries: BATCH.deliveries.map((one) => ({ ...one, node: null })) };
    assert.deepEqual(await raise(queued), { kind: "written" });
    assert.deepEqual(await rows.read("select delivery_id from cell.queue order by 1"), [[21], [22]]);
  });

  test("an event's key is claimed once for an account and a product", async () => {
    type Claim = readonly [accountId: number, product: string, dedupKey: string, eventId: number];
    const claim = async (...claims: readonly Claim[]) => {
      const asked = claims.map(([account, product, dedupKey, event]) => ({
        ...{ accountId: idOf(account), product, dedupKey, eventId: idOf(event) },
      }));
      return plain([...(await claimDedupKeys(rows.database, rows.cell, asked, timeOf(300)))].toSorted());
    };
    const first: readonly Claim[] = [
      [1, "air", "a", 1],
      [1, "air", "b", 2],
    ];
    const fresh: readonly Claim[] = [
      [2, "air", "a", 4],
      [1, "rates", "a", 5],
      [1, "air", "c", 6],
    ];
    assert.deepEqual(await claim(...first), [1, 2]);
    assert.deepEqual(await claim([1, "air", "a", 3], ...fresh), [4, 5, 6]);
    assert.deepEqual(
      await rows.read(
        "select account_id, product, dedup_key, event_id, created_at from cell.event_keys order by 4",
      ),
      [...first, ...fresh].map((one) => [...one, 300]),
    );
  });
});
