/** Schedule feeds: when each is fetched, which node fetches it, and the outcome. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  addFeeds,
  claimFeeds,
  finishFeed,
  renewFeedClaim,
  listFeeds,
} from "../../src/products/schedules/store/schedule-feeds.ts";
import { idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const LEASE = 600;

describe("feeds of schedules", () => {
  const rows = storeRows((of) => of.run(`truncate ${of.cell.directory}.schedule_feeds`));

  const add = (feeds: Readonly<Record<string, number>>, atMs: number) =>
    addFeeds(
      rows.database,
      rows.cell,
      Object.entries(feeds).map(([name, everyMs]) => ({ name, everyMs })),
      timeOf(atMs),
    );
  const claim = async (id: number, names: readonly string[], atMs: number, limit = 9) => {
    const given = { id: idOf(id), atMs: timeOf(atMs), leaseMs: LEASE, limit };
    return (await claimFeeds(rows.database, rows.cell, names, given)).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  };
  const finish = (name: string, claimId: number, nextMs: number, fields: object = {}) =>
    finishFeed(rows.database, rows.cell, name, idOf(claimId), {
      nextFetchMs: timeOf(nextMs),
      atMs: timeOf(NOW + 1),
      outcome: "told",
      calls: 12,
      failures: 0,
      ...fields,
    });
  const list = async () => plain(await listFeeds(rows.database, rows.cell));
  const due = () =>
    rows.read(`select name, next_fetch_at from ${rows.cell.directory}.schedule_feeds order by name`);
  const NEVER = { claimedUntil: null, fetchedAt: null, outcome: null, calls: null, failures: 0 };

  test("are due at once when they are new, and no later than their interval when they are not", async () => {
    await add({ b: 100, a: 100 }, 0);
    assert.deepEqual(await list(), [
      { name: "a", nextFetchAt: 0, ...NEVER },
      { name: "b", nextFetchAt: 0, ...NEVER },
    ]);
    await claim(1, ["a", "b"], 0);
    await finish("a", 1, 5_000);
    await finish("b", 1, 5_000);
    await add({ a: 900, b: 9_000, c: 10 }, 1_000);
    assert.deepEqual(await due(), [
      ["a", 1_900],
      ["b", 5_000],
      ["c", 1_000],
    ]);
  });

  test("are claimed by one node at a time, longest due first", async () => {
    await add({ late: 1 }, NOW + 1);
    await add({ second: 1, other: 1 }, 200);
    await add({ first: 1 }, 100);
    await add({ third: 1 }, NOW);
    const names = ["first", "second", "third", "late"];
    assert.deepEqual(await claim(1, names, NOW, 2), [
      { name: "first", failures: 0 },
      { name: "second", failures: 0 },
    ]);
    assert.deepEqual(await claim(2, names, NOW), [{ name: "third", failures: 0 }]);
    assert.deepEqual(await claim(3, ["first"], NOW + LEASE - 1), []);
    assert.deepEqual(await claim(3, ["first"], NOW + LEASE), [{ name: "first", failures: 0 }]);
  });

  test("stay with the node that holds them, and take no result of another", async () => {
    await add({ a: 1, b: 1 }, 0);
    await claim(1, ["a"], NOW);
    await claim(2, ["b"], NOW);
    const hold = (name: string, claimId: number) =>
      renewFeedClaim(rows.database, rows.cell, name, idOf(claimId), timeOf(9_000));
    assert.deepEqual([await hold("a", 1), await hold("a", 2), await hold("c", 1)], [true, false, false]);
    await finish("b", 1, 8_000);
    assert.deepEqual(await list(), [
      { name: "a", nextFetchAt: 0, ...NEVER, claimedUntil: 9_000 },
      { name: "b", nextFetchAt: 0, ...NEVER, claimedUntil: NOW + LEASE },
    ]);
    await finish("a", 1, 8_000);
    const fetched = { name: "a", nextFetchAt: 8_000, claimedUntil: null, fetchedAt: NOW + 1 };
    assert.deepEqual(((await list()) as unknown[])[0], {
      ...fetched,
      outcome: "told",
      calls: 12,
      failures: 0,
    });
    assert.deepEqual(await claim(3, ["a"], 8_000), [{ name: "a", failures: 0 }]);
    await finish("a", 3, 8_000, { outcome: "timeout", calls: null, failures: 2 });
    assert.deepEqual(((await list()) as unknown[])[0], {
      ...fetched,
      outcome: "timeout",
      calls: 12,
      failures: 2,
    });
    assert.equal(await hold("a", 3), false, "it has been given back");
    assert.deepEqual(await claim(4, ["a"], 8_000), [{ name: "a", failures: 2 }]);
  });
});
