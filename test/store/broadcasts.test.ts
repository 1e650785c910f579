/** Broadcasts: each is added once, reaches accounts in the order of their ids, and is deleted at the end. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  advanceBroadcast,
  type Broadcast,
  listBroadcastGroups,
  finishBroadcasts,
  insertBroadcasts,
  listReceivers,
} from "../../src/freight/broadcasts/store/broadcasts.ts";
import { dateOf, idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

const GROUP = { product: "rates", type: "lane_rate_updated", lastAccountId: null, bytesMax: 0 };

describe("broadcasts", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(() => rows.clear());

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
    await rows.run(`update cell.broadcasts set last_account_id = '${idOf(7)}' where id = '${idOf(6)}'`);
    const groups = plain(await listBroadcastGroups(rows.database, rows.cell, 5)) as { bytesMax: number }[];
    assert.deepEqual(
      groups.toSorted((a, b) => a.bytesMax - b.bytesMax),
      [
        { product: "rates", type: "lane_rate_updated", lastAccountId: null, bytesMax: 3 },
        { product: "rates", type: "other", lastAccountId: null, bytesMax: 4 },
        { product: "air", type: "lane_rate_updated", lastAccountId: null, bytesMax: 5 },
        { product: "rates", type: "lane_rate_updated", lastAccountId: 7, bytesMax: 6 },
      ],
    );
  });

  test("go to accounts with an active endpoint that takes the type, in the order of their ids", async () => {
    for (const id of [1, 2, 3, 4, 5, 6]) await rows.account(id);
    const endpoint = (id: number, account: number, row: object = {}) =>
      rows.endpoint(id, { account_id: idOf(account), product: "rates", ...row });
    await endpoint(11, 5);
    await endpoint(12, 1, { event_types: ["other", GROUP.type] });
    await endpoint(13, 1);
    await endpoint(14, 2, { event_types: ["other"] });
    await endpoint(15, 3, { active: false, inactive_since: dateOf(0) });
    await endpoint(16, 4, { product: "air" });
    await endpoint(17, 6, { event_types: ["other", GROUP.type] });
    const next = async (lastAccountId: string | null, limit: number) =>
      plain(await listReceivers(rows.database, rows.cell, { ...GROUP, lastAccountId }, limit));
    assert.deepEqual(await next(null, 9), [1, 5, 6]);
    assert.deepEqual(await next(null, 2), [1, 5]);
    assert.deepEqual(await next(idOf(1), 9), [5, 6]);
    assert.deepEqual(await next(idOf(5), 9), [6]);
  });

  test("advance one by one, the oldest of the group first", async () => {
    await add(broadcast(2), broadcast(3), broadcast(1, { type: "other" }), broadcast(4));
    await add(broadcast(5, { id: idOf(0), product: "air" }));
    const advance = async (lastAccountId: string | null, account: number) =>
      plain(await advanceBroadcast(rows.database, rows.cell, { ...GROUP, lastAccountId }, idOf(account)));
    assert.deepEqual(await advance(null, 7), [told(2)]);
    assert.deepEqual(await advance(idOf(7), 8), [told(2)]);
    assert.deepEqual(await left(), [
      [0, null],
      [1, null],
      [2, 8],
      [3, null],
      [4, null],
    ]);
    assert.deepEqual(await advance(idOf(7), 9), [], "none of the group is left there");
  });

  describe("end", () => {
    const finish = async (countMax: number, bytesMax: number, lastAccountId: string | null = null) => {
      const group = { ...GROUP, lastAccountId };
      const finished = plain(await finishBroadcasts(rows.database, rows.cell, group, countMax, bytesMax));
      return (finished as { dedupKey: string }[]).map(({ dedupKey }) => dedupKey).toSorted();
    };

    test("with all that they say, and nothing of other groups", async () => {
      await add(
        broadcast(2),
        broadcast(1, { type: "other" }),
        broadcast(3, { product: "air" }),
        broadcast(4),
      );
      await rows.run(`update cell.broadcasts set last_account_id = '${idOf(7)}' where id = '${idOf(4)}'`);
      assert.deepEqual(plain(await finishBroadcasts(rows.database, rows.cell, GROUP, 9, 100)), [told(2)]);
      assert.deepEqual(await finish(9, 100, idOf(7)), ["key 4"]);
      assert.deepEqual(await left(), [
        [1, null],
        [3, null],
      ]);
    });

    test("so many at once, the oldest first", async () => {
      await add(broadcast(3), broadcast(2), broadcast(1));
      assert.deepEqual(await finish(2, 100), ["key 1", "key 2"]);
    });

    test("so many bytes at once, and one whatever it has", async () => {
      await add(broadcast(5), broadcast(4), broadcast(3));
      assert.deepEqual(await finish(9, 7), ["key 3", "key 4"]);
      assert.deepEqual(await finish(9, 2), ["key 5"]);
    });
  });
});
