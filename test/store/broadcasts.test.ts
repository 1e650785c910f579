/** Broadcasts: each is added once, reaches accounts in the order of their ids, and is deleted at the end. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  advanceBroadcast,
  type Broadcast,
  listBroadcastGroups,
  finishBroadcasts,
  insertBroadcasts,
  listReceivers,
} from "../../src/freight/broadcasts/store/broadcasts.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const GROUP = { product: "rates", type: "lane_rate_updated", lastAccountId: null, bytesMax: 0 };

describe("broadcasts", () => {
  const rows = storeRows();

  const broadcast = (id: number, fields: Partial<Broadcast> = {}): Broadcast => ({
    id: idOf(id),
    product: "rates",
    type: "lane_rate_updated",
    data: `${id}`.repeat(id),
    occurredAtMs: timeOf(id),
    dedupKey: `key ${id}`,
    ...fields,
  });
  const add = (...broadcasts: Broadcast[]) => insertBroadcasts(rows.database, rows.cell, broadcasts);
  const reached = (id: number, account: number) =>
    rows.run(`update cell.broadcasts set last_account_id = '${idOf(account)}' where id = '${idOf(id)}'`);
  const group = (lastAccountId: number | null) => ({
    ...GROUP,
    lastAccountId: lastAccountId === null ? null : idOf(lastAccountId),
  });
  const told = (id: number) => ({ data: `${id}`.repeat(id), occurredAt: id, dedupKey: `key ${id}` });
  const left = () => rows.read("select id, last_account_id from cell.broadcasts order by 1");

  test("are added once for a product and a key", async () => {
    await add(broadcast(2), broadcast(1));
    await add(
      broadcast(3, { dedupKey: "key 1" }),
      broadcast(4, { dedupKey: "key 1", product: "air" }),
      broadcast(5),
    );
    assert.deepEqual(
      await rows.read(
        "select id, product, type, data, occurred_at, dedup_key, last_account_id from cell.broadcasts order by 1",
      ),
      [
        [1, "rates", "lane_rate_updated", "1", 1, "key 1", null],
        [2, "rates", "lane_rate_updated", "22", 2, "key 2", null],
        [4, "air", "lane_rate_updated", "4444", 4, "key 1", null],
        [5, "rates", "lane_rate_updated", "55555", 5, "key 5", null],
      ],
    );
  });

  test("are grouped by what goes to the same accounts, the oldest so many", async () => {
    await add(broadcast(3), broadcast(2), broadcast(4, { type: "other" }), broadcast(5, { product: "air" }));
    await add(broadcast(6), broadcast(9));
    await reached(6, 7);
    const groups = plain(await listBroadcastGroups(rows.database, rows.cell, 5)) as { bytesMax: number }[];
    assert.deepEqual(
      groups.toSorted((a, b) => a.bytesMax - b.bytesMax),
      [
        { ...GROUP, bytesMax: 3 },
        { ...GROUP, type: "other", bytesMax: 4 },
        { ...GROUP, product: "air", bytesMax: 5 },
        { ...GROUP, lastAccountId: 7, bytesMax: 6 },
      ],
    );
  });

  test("go to accounts with an active endpoint that takes the type, in the order of their ids", async () => {
    for (const id of [1, 2, 3, 4, 5, 6]) await rows.account(id);
    for (const [id, account, row] of [
      [11, 5, {}],
      [12, 1, { event_types: ["other", GROUP.type] }],
      [13, 1, {}],
      [14, 2, { event_types: ["other"] }],
      [15, 3, { active: false, inactive_since: dateOf(0) }],
      [16, 4, { product: "air" }],
      [17, 6, { event_types: ["other", GROUP.type] }],
    ] as const)
      await rows.endpoint(id, { account_id: idOf(account), product: "rates", ...row });
    const next = async (last: number | null, limit: number) =>
      plain(await listReceivers(rows.database, rows.cell, group(last), limit));
    assert.deepEqual(
      [await next(null, 9), await next(null, 2)],
      [
        [1, 5, 6],
        [1, 5],
      ],
    );
    assert.deepEqual([await next(1, 9), await next(5, 9)], [[5, 6], [6]]);
  });

  test("advance one by one, the oldest of the group first", async () => {
    await add(broadcast(2), broadcast(3), broadcast(1, { type: "other" }), broadcast(4));
    await add(broadcast(5, { id: idOf(0), product: "air" }));
    const advance = async (last: number | null, account: number) =>
      plain(await advanceBroadcast(rows.database, rows.cell, group(last), idOf(account)));
    assert.deepEqual(await advance(null, 7), [told(2)]);
    assert.deepEqual(await advance(7, 8), [told(2)]);
    assert.deepEqual(await left(), [
      [0, null],
      [1, null],
      [2, 8],
      [3, null],
      [4, null],
    ]);
    assert.deepEqual(await advance(7, 9), [], "none of the group is left there");
  });

  test("end with all that they say, so many and so many bytes at once, the oldest of their group first", async () => {
    await add(broadcast(2), broadcast(1, { type: "other" }), broadcast(3, { product: "air" }), broadcast(4));
    await add(broadcast(7), broadcast(6), broadcast(5));
    await reached(4, 7);
    const finish = async (countMax: number, bytesMax: number, last: number | null = null) =>
      plain(await finishBroadcasts(rows.database, rows.cell, group(last), countMax, bytesMax));
    assert.deepEqual(await finish(9, 6), [told(2)]);
    assert.deepEqual(await finish(1, 100), [told(5)]);
    assert.deepEqual(await finish(9, 2), [told(6)], "one whatever it has");
    assert.deepEqual(await finish(9, 100, 7), [told(4)]);
    assert.deepEqual(await left(), [
      [1, null],
      [3, null],
      [7, null],
    ]);
    await add(broadcast(2, { dedupKey: "again" }));
    assert.equal(((await finish(9, 9)) as unknown[]).length, 2, "as many bytes as there may be");
  });
});
