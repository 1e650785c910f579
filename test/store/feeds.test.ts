/** Schedule feeds: which node fetches one, and when. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  addFeeds,
  claimFeeds,
  finishFeed,
  renewFeedClaim,
} from "../../src/products/schedules/store/schedule-feeds.ts";
import { idOf, storeRows, timeOf } from "./store-rows.ts";

describe("schedule feeds in the store", () => {
  const rows = storeRows((of) => of.run(`truncate ${of.cell.directory}.schedule_feeds`));

  test("a feed is claimed by one node at a time, longest due first, and takes no result of another", async () => {
    const [NOW, LEASE] = [5_000, 600];
    const claim = async (id: number, names: readonly string[], atMs = NOW) => {
      const given = { id: idOf(id), atMs: timeOf(atMs), leaseMs: LEASE, limit: 2 };
      return (await claimFeeds(rows.database, rows.cell, names, given)).map(({ name }) => name).toSorted();
    };
    const finish = (name: string, claimId: number, nextMs: number) => {
      const result = {
        nextFetchMs: timeOf(nextMs),
        atMs: timeOf(NOW),
        outcome: "told",
        calls: 1,
        failures: 0,
      };
      return finishFeed(rows.database, rows.cell, name, idOf(claimId), result);
    };
    const hold = (name: string, claimId: number) =>
      renewFeedClaim(rows.database, rows.cell, name, idOf(claimId), timeOf(9_000));
    const NAMES = ["a", "b", "c", "d"];
    const add = (everyMs: number, atMs: number, ...names: readonly string[]) =>
      addFeeds(
        rows.database,
        rows.cell,
        names.map((name) => ({ name, everyMs })),
        timeOf(atMs),
      );
    await add(1, NOW + 1, "d");
    await add(1, 200, "b", "other");
    await add(1, 100, "a");
    await add(1, NOW, "c");
    assert.deepEqual(
      [await claim(1, NAMES), await claim(2, NAMES), await claim(3, NAMES)],
      [["a", "b"], ["c"], []],
    );
    assert.deepEqual([await hold("a", 1), await hold("a", 2), await hold("d", 1)], [true, false, false]);
    await finish("b", 2, 8_000);
    assert.deepEqual(await claim(3, ["b"], NOW + LEASE - 1), []);
    assert.deepEqual(await claim(3, ["a", "b"], NOW + LEASE), ["b"]);
    await finish("b", 3, 8_000);
    assert.equal(await hold("b", 3), false, "it has been given back");
    // With an interval that ends before, it is due then.
    await add(900, 6_000, "b");
    assert.deepEqual([await claim(4, ["b"], 6_899), await claim(4, ["b"], 6_900)], [[], ["b"]]);
  });
});
