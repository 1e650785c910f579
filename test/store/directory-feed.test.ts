/** What a node knows of the directory's changes, and how long it may count on that. */
import assert from "node:assert/strict";
import { describe, test, beforeEach } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { MINUTE_MS } from "../../src/runtime/durations.ts";
import {
  type DirectoryChange,
  insertChange,
  pruneChanges,
  readChanges,
} from "../../src/store/accounts/changes.ts";
import { createDirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import type { Statement } from "../../src/store/sql.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import { insertKey, revokeKey } from "../../src/store/accounts/keys.ts";
import { dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";

const DOWN = new StoreUnavailable("down");

/** A directory whose changes are those of accounts. */
function follow() {
  const clock = manualClock();
  const log = recordingLog();
  const changed: string[] = [];
  const directory = {
    reads: 0,
    pruned: [] as unknown[],
    prunedLinks: [] as unknown[],
    fault: null as Error | null,
    /** What reads wait for. */
    answer: Promise.resolve(),
    change: (...subjects: string[]) => void changed.push(...subjects),
  };
  const database = {
    async rows({ name }: Statement, [behind, most]: [number, number]) {
      const isPruning = /^(?:directory_change|portal_link)_prune/.test(name);
      if (isPruning) (name.startsWith("portal") ? directory.prunedLinks : directory.pruned).push(behind);
      if (isPruning) return [{ count: 0 }];
      directory.reads += 1;
      await directory.answer;
      if (directory.fault !== null) throw directory.fault;
      const rows = changed
        .map((subject, index) => ({ number: index + 1, kind: "account", subject }))
        .slice(Math.max(0, behind), Math.max(0, behind) + most);
      if (rows.length === 0) rows.push({ number: null, kind: null, subject: null } as never);
      return rows.map((row) => ({ last: changed.length, ...row }));
    },
  } as unknown as Database;
  const feed = createDirectoryFeed({ database, cells: cellsNamed("boathook", 1), clock, log });
  const told: (readonly string[] | null)[] = [];
  feed.subscribe((changes: readonly DirectoryChange[] | null) =>
    told.push(changes && changes.map(({ subject }) => subject)),
  );
  const following = feed.follow({ loops: unwatchedLoops });
  return { clock, log, directory, feed, told, following };
}

describe("the feed of the directory", () => {
  test("reports each change once, from the first read on", async () => {
    const { clock, directory, feed, told, following } = follow();
    directory.change("before");
    assert.ok(!feed.isFresh() && !feed.isSilent());
    following.start();
    await clock.advance(0);
    assert.deepEqual([feed.isFresh(), feed.number(), told], [true, 1, [null]]);
    await clock.advance(500);
    directory.change("a", "b");
    await clock.advance(500);
    assert.deepEqual([feed.number(), told], [3, [null, ["a", "b"]]]);
    directory.change("c");
    await feed.read();
    assert.deepEqual(told.at(-1), ["c"], "at once where somebody asks for it");
    await clock.advance(5_000);
    assert.equal(told.length, 3);
    assert.ok(directory.reads <= 14, `${directory.reads} reads`);
    await following.stop();
  });

  test("reports page by page what is much at once, and forgets nothing else for it", async () => {
    const { clock, directory, feed, told, following } = follow();
    following.start();
    await clock.advance(0);
    const many = Array.from({ length: 2_500 }, (_, index) => `account ${index}`);
    directory.change(...many);
    await clock.advance(500);
    assert.equal(feed.number(), 2_500);
    assert.ok(feed.isFresh());
    const [, ...pages] = told;
    assert.deepEqual(
      pages.map((changes) => changes?.length),
      [1_000, 1_000, 500],
    );
    assert.deepEqual(pages.flat(), many);
    await following.stop();
  });

  test("is fresh for a second from the moment at which a read began", async () => {
    const { clock, directory, feed, following } = follow();
    following.start();
    await clock.advance(0);
    const answer = Promise.withResolvers<void>();
    directory.answer = answer.promise;
    await clock.advance(999);
    assert.ok(feed.isFresh());
    await clock.advance(1);
    assert.ok(!feed.isFresh(), "it reads, and has no answer");
    assert.ok(!feed.isSilent(), "it may be slow");
    answer.resolve();
    await clock.advance(0);
    assert.equal(feed.readAtMs(), 500);
    assert.ok(feed.isFresh());
    await clock.advance(500);
    answer.resolve();
    await following.stop();
  });

  test("says that the directory is silent while reads fail, and once in the log", async () => {
    const { clock, log, directory, feed, following } = follow();
    following.start();
    await clock.advance(0);
    directory.fault = DOWN;
    await clock.advance(500);
    assert.ok(feed.isFresh() && !feed.isSilent(), "what it read half a second ago still holds");
    await clock.advance(5_000);
    assert.ok(feed.isSilent());
    directory.fault = null;
    await clock.advance(500);
    assert.ok(feed.isFresh() && !feed.isSilent());
    const lines = log.lines.map(({ level, message }) => `${level}: ${message}`);
    assert.deepEqual(lines, [
      "warn: changes in the directory cannot be read",
      "info: changes in the directory can be read again",
    ]);
    await following.stop();
  });

  test("does not take a refusal for silence", async () => {
    const { clock, log, directory, feed, following } = follow();
    directory.fault = new Error("relation does not exist");
    following.start();
    await clock.advance(5_000);
    assert.ok(!feed.isFresh() && !feed.isSilent());
    assert.deepEqual([log.lines.length, log.lines[0]!.level], [1, "error"]);
    await following.stop();
  });

  test("says that the directory is silent while a read hangs, and reads nothing beside it", async () => {
    const { clock, directory, feed, following } = follow();
    following.start();
    await clock.advance(0);
    const answer = Promise.withResolvers<void>();
    directory.answer = answer.promise;
    await clock.advance(500 + 1_999);
    assert.ok(!feed.isFresh() && !feed.isSilent());
    await clock.advance(1);
    assert.ok(feed.isSilent());
    const { reads } = directory;
    await clock.advance(10_000);
    assert.equal(directory.reads, reads, "one read hangs, not many");
    answer.resolve();
    await clock.advance(500);
    assert.ok(feed.isFresh() && !feed.isSilent());
    await following.stop();
  });

  test("prunes changes that are older than an hour, and links that ended a day ago, now and then", async () => {
    const { clock, directory, following } = follow();
    following.start();
    await clock.advance(9 * MINUTE_MS);
    assert.deepEqual(directory.pruned, []);
    await clock.advance(12 * MINUTE_MS);
    assert.equal(directory.pruned.length, 2);
    const [first] = directory.pruned as Date[];
    assert.ok(Math.abs(clock.nowMs() - 71 * MINUTE_MS - first!.getTime()) < 2 * MINUTE_MS, String(first));
    const [link] = directory.prunedLinks as Date[];
    assert.equal(first!.getTime() - link!.getTime(), 23 * 60 * MINUTE_MS);
    await following.stop();
  });
});

describe("the changes of a directory", () => {
  const rows = storeRows();
  beforeEach(async () => {
    const { directory } = rows.cell;
    await rows.run(`truncate ${directory}.accounts, ${directory}.changes cascade`);
    await rows.run(`update ${directory}.last_change set number = 0`);
  });

  const read = async (behind: number) => {
    const { number, changes } = await readChanges(rows.database, rows.cell, behind);
    return { number, changes };
  };
  const cellMoved = (number: number) => ({ kind: "cell", subject: String(number) }) as const;
  const change = (number: number, atMs = 0) =>
    rows.database.transaction((tx) => insertChange(tx, rows.cell, cellMoved(number), dateOf(atMs)));
  test("are a revoked key and a changed account, but neither a new one nor one that does not exist", async () => {
    const account = { id: idOf(1), name: "Acme", entitlements: [], demurrageAlerting: false, cell: 0 };
    await insertAccount(rows.database, rows.cell, { ...account, createdAt: dateOf(0) });
    const key = { id: idOf(11), accountId: idOf(1), prefix: "tracking", label: "", hash: Buffer.alloc(32) };
    await insertKey(rows.database, rows.cell, { ...key, createdAt: dateOf(0) });
    assert.deepEqual(await read(0), { number: 0, changes: [] });
    await updateAccount(rows.database, [rows.cell], idOf(1), { entitlements: ["loading"] }, timeOf(1));
    await revokeKey(rows.database, rows.cell, idOf(11), dateOf(2));
    await updateAccount(rows.database, [rows.cell], idOf(9), { name: "Nobody" }, timeOf(3));
    assert.equal(await revokeKey(rows.database, rows.cell, idOf(19), dateOf(3)), null);
    assert.deepEqual(await read(0), {
      number: 2,
      changes: [
        { kind: "account", subject: idOf(1) },
        { kind: "key", subject: idOf(11) },
      ],
    });
  });

  test("become visible in the order of their numbers, whichever transaction is done first", async () => {
    const order: string[] = [];
    const firstHasNumber = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = rows.database.transaction(async (tx) => {
      await insertChange(tx, rows.cell, cellMoved(1), dateOf(0));
      firstHasNumber.resolve();
      await mayCommit.promise;
      order.push("first");
    });
    await firstHasNumber.promise;
    const second = change(2).then(() => order.push("second"));
    assert.deepEqual(await read(0), { number: 0, changes: [] });
    mayCommit.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ["first", "second"]);
    assert.deepEqual(await read(0), { number: 2, changes: [cellMoved(1), cellMoved(2)] });
  });

  test("that are rolled back take no number, and those of a number and on are read in their order", async () => {
    const failing = rows.database.transaction(async (tx) => {
      await insertChange(tx, rows.cell, cellMoved(1), dateOf(0));
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    for (const number of [2, 3]) await change(number);
    assert.deepEqual(await read(0), { number: 2, changes: [cellMoved(2), cellMoved(3)] });
    assert.deepEqual(await read(1), { number: 2, changes: [cellMoved(3)] });
  });

  test("are missed where old ones are pruned, or a backup was restored", async () => {
    for (const number of [1, 2, 3]) await change(number, number);
    assert.equal(await pruneChanges(rows.database, rows.cell, dateOf(2)), false);
    assert.deepEqual(await read(0), { number: 3, changes: null });
    assert.deepEqual(await read(1), { number: 3, changes: [cellMoved(2), cellMoved(3)] });
    assert.deepEqual(await read(4), { number: 3, changes: null });
    await pruneChanges(rows.database, rows.cell, dateOf(9));
    assert.deepEqual(await read(2), { number: 3, changes: null });
    assert.deepEqual(await read(3), { number: 3, changes: [] });
  });

  test("are read in pages where they are many, and missed where one of a page is", async () => {
    const { directory } = rows.cell;
    await rows.run(
      `insert into ${directory}.changes select n, 'cell', n, now() from generate_series(1, 1004) n`,
    );
    await rows.run(`update ${directory}.last_change set number = 1004`);
    const page = await readChanges(rows.database, rows.cell, 3);
    assert.deepEqual([page.number, page.changes?.length, page.hasMore], [1_003, 1_000, true]);
    assert.deepEqual(await read(1_003), { number: 1004, changes: [cellMoved(1004)] });
    assert.equal((await readChanges(rows.database, rows.cell, 4)).hasMore, false);
    assert.deepEqual(await read(-1), { number: 1004, changes: null });
    await rows.run(`delete from ${directory}.changes where number = 5`);
    assert.deepEqual(await read(3), { number: 1004, changes: null });
  });
});
