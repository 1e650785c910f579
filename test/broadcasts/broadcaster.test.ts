/** Broadcasting to a crowd in two cells, on the real store and engine. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { BROADCASTER_DEFAULTS } from "../../src/freight/broadcasts/broadcaster.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { addBroadcasts, type Broadcast } from "../../src/freight/broadcasts/store/broadcasts.ts";
import { type Cells, directoryOf } from "../../src/store/cell.ts";
import type { Connection } from "../../src/store/database.ts";
import { START_MS } from "../support/clock.ts";
import type { TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { CROWD, openCrowd, startTelling, type Telling } from "./telling.ts";
import { broadcastFinish, broadcastInsert } from "../../src/freight/broadcasts/store/broadcasts.sql.ts";

const random = systemRandom();
const TAKERS = CROWD / 3;

/** A broadcast that a third of the crowd takes. */
const about = (what: string, fields: Partial<Broadcast> = {}): Broadcast => ({
  id: random.uuid(START_MS),
  product: "tracking",
  type: "api_change_announced",
  data: JSON.stringify({ id: what }),
  occurredAtMs: START_MS - 60_000,
  dedupKey: what,
  ...fields,
});

const NOBODYS = { product: "schedules", type: "blank_sailing" };

describe("broadcasting", () => {
  let on: TestDatabase;
  let scene: Telling;

  before(async () => {
    on = await openCrowd();
  });
  beforeEach(async () => {
    scene = await startTelling(on);
  });
  afterEach(() => scene.end());
  after(() => on.drop());

  const write = (tx: Connection, broadcasts: readonly Broadcast[]) =>
    addBroadcasts(tx, directoryOf(on.cells[0]!), on.cells as Cells, broadcasts, START_MS);
  const add = async (...broadcasts: Broadcast[]) => {
    await on.database.transaction((tx) => write(tx, broadcasts));
    await on.forward();
  };

  /** `raiseWithin`, with what each batch came to, and the fifth of them. */
  const watched = () => {
    const batches: number[] = [];
    const { promise: fifth, resolve } = Promise.withResolvers<void>();
    const raiseWithin: typeof scene.engine.raiseWithin = (cell, change) =>
      scene.engine.raiseWithin(cell, async (tx) => {
        const events = await change(tx);
        if (events !== null && batches.push(events.length) === 5) resolve();
        return events;
      });
    return { batches, fifth, raiseWithin };
  };

  const everybody = (...whats: string[]) => {
    const told = Object.fromEntries(whats.map((what) => [what, TAKERS]));
    return [told, told];
  };

  test("every account with an active, subscribed endpoint receives it once, byte for byte, at its own time", async () => {
    const broadcast = about("one", { data: '{"id" : "one",\n"n":1.0}' });
    await add(broadcast);
    scene.broadcast();
    await scene.allTold();
    assert.deepEqual(await scene.told(), everybody("one"));
    const sql = "select product, type, data, occurred_at from cell.events group by 1, 2, 3, 4";
    const { product, type, data, occurredAtMs } = broadcast;
    assert.deepEqual((await on.queryIn(on.cells[1]!, sql)).rows, [
      { product, type, data, occurred_at: new Date(occurredAtMs) },
    ]);
  });

  test("a broadcast with a wake is raised at once, another process's with the next check", async () => {
    const broadcaster = scene.broadcast();
    await add(about("one"));
    on.cells.forEach(broadcaster.wake);
    await scene.allTold();
    await add(about("another's"));
    await scene.allToldInTime();
    assert.deepEqual(await scene.told(), everybody("one", "another's"));
  });

  test("a wake at the end of a check is not lost", async () => {
    const broadcaster = scene.broadcast();
    for (let number = 0; number < 5; number += 1) {
      await add(about(`${number}`, NOBODYS));
      on.cells.forEach(broadcaster.wake);
      await scene.allTold();
    }
  });

  test("a broadcast that is rolled back is never raised, and a known key adds nothing", async () => {
    const undone = on.database.transaction(async (tx) => {
      await write(tx, [about("rolled back")]);
      throw new Error("the change is withdrawn");
    });
    await assert.rejects(undone, /withdrawn/);
    await add(about("one"), about("one"));
    await add(about("one"));
    assert.equal(await scene.rowsOf("broadcasts"), 2);
    scene.broadcast();
    await scene.allTold();
    assert.deepEqual(await scene.told(), everybody("one"));
    // Gone from the table, and yet known to each account.
    await add(about("one"));
    await scene.allToldInTime();
    assert.deepEqual(await scene.told(), everybody("one"));
  });

  test("two nodes at once, and another after them, raise nothing twice", async () => {
    await add(...Array.from({ length: 5 }, (_, number) => about(`${number}`)));
    scene.broadcast();
    scene.broadcast();
    await scene.allToldInTime();
    scene.broadcast();
    await scene.clock.advance(BROADCASTER_DEFAULTS.intervalMs);
    assert.deepEqual(await scene.told(), everybody("0", "1", "2", "3", "4"));
  });

  test("a batch that fails leaves nothing behind, and the next check goes on there", async () => {
    let batches = 0;
    await add(about("one"), about("two"));
    scene.broadcast({
      raiseWithin: (cell, change) =>
        scene.engine.raiseWithin(cell, async (tx) => {
          const events = await change(tx);
          batches += 1;
          if (batches % 3 === 0) throw new Error("the batch fails after all was written");
          return events;
        }),
    });
    await scene.allToldInTime();
    assert.ok(batches > 16, `${batches} batches`);
    assert.deepEqual(await scene.told(), everybody("one", "two"));
  });

  test("a node that stops in the middle leaves the rest to the next, even without the accounts' keys", async () => {
    let batches = 0;
    await add(about("one"));
    const first = scene.broadcast({
      raiseWithin: async (cell, change) => {
        batches += 1;
        if (batches === 5) void first.stop();
        return scene.engine.raiseWithin(cell, change);
      },
    });
    await scene.clock.rest();
    await first.stop();
    assert.equal(batches, 5);
    assert.deepEqual(await scene.told(), [{ one: 60 }, { one: 40 }]);
    for (const cell of on.cells) await on.queryIn(cell, "truncate cell.event_keys");
    scene.broadcast();
    await scene.allTold();
    assert.deepEqual(await scene.told(), everybody("one"));
  });

  test("broadcasts without subscribers are deleted in batches, and cost no event", async () => {
    const { batches, raiseWithin } = watched();
    await add(...Array.from({ length: 25 }, (_, number) => about(`${number}`, NOBODYS)));
    scene.broadcast({ raiseWithin }, { withoutReceiversMax: 10 });
    await scene.allTold();
    assert.deepEqual(batches, [0, 0, 0, 0, 0, 0]);
    assert.equal(await scene.rowsOf("events"), 0);
  });

  test("many small ones share transactions of a bounded number of events", async () => {
    const { batches, raiseWithin } = watched();
    await add(...Array.from({ length: 6 }, (_, number) => about(`${number}`)));
    // Two of them for all takers of a cell.
    scene.broadcast({ raiseWithin }, { eventsMax: 2 * TAKERS + 1 });
    await scene.allTold();
    assert.deepEqual(new Set(batches), new Set([2 * TAKERS]));
    assert.equal(batches.length, 6);
  });

  test("the bytes of a batch are bounded, and what is larger than the bound goes alone", async () => {
    const { batches, raiseWithin } = watched();
    const filled = (what: string, bytes: number) =>
      about(what, { data: JSON.stringify({ id: what, filling: "x".repeat(bytes) }) });
    await add(filled("small", 900));
    const broadcaster = scene.broadcast({ raiseWithin }, { bytesMax: 11_500 });
    await scene.allTold();
    // Twelve fit, and some are left at last.
    assert.deepEqual(new Set(batches), new Set([12, TAKERS % 12]));
    await broadcaster.stop();
    const alone = watched();
    await add(filled("large", 12_000));
    scene.broadcast({ raiseWithin: alone.raiseWithin }, { bytesMax: 11_500 });
    await alone.fifth;
    assert.deepEqual(new Set(alone.batches), new Set([1]));
  });

  test("broadcasts that end together are so many and so many bytes, the oldest of their kind first, one at least", async () => {
    const [cell] = on.cells;
    const group = { product: "tracking", type: "api_change_announced", lastAccountId: null, bytesMax: 0 };
    const filled = (data: string) => about(data, { data });
    await broadcastInsert(on.database, cell!, [
      ...["a", "bb", "ccc", "dddd"].map(filled),
      about("another's", NOBODYS),
    ]);
    const finish = async (countMax: number, bytesMax: number) =>
      (await broadcastFinish(on.database, cell!, { ...group, countMax, bytesMax })).map(({ data }) => data);
    assert.deepEqual(await finish(1, 99), ["a"]);
    assert.deepEqual(await finish(9, 5), ["bb", "ccc"]);
    assert.deepEqual(await finish(9, 3), ["dddd"]);
    assert.equal(await scene.rowsOf("broadcasts"), 1);
  });

  test("a kind of event that cannot be raised keeps no other waiting, and is raised once it can be", async () => {
    const log = recordingLog();
    let isBroken = true;
    await add(about("broken", { type: "customs_hold" }), about("one"));
    scene.broadcast({
      log,
      raiseWithin: (cell, change) =>
        scene.engine.raiseWithin(cell, async (tx) => {
          const events = await change(tx);
          if (isBroken && events?.some(({ type }) => type === "customs_hold")) throw new Error("broken");
          return events;
        }),
    });
    await scene.clock.rest();
    assert.equal(await scene.rowsOf("broadcasts"), 2, "the others are notified");
    assert.deepEqual(await scene.told(), everybody("one"));
    assert.ok(log.lines.some(({ level }) => level === "error"));
    isBroken = false;
    await scene.allToldInTime();
  });

  test("a database that is away is waited for", async () => {
    const log = recordingLog();
    let refused = 0;
    await add(about("one"));
    scene.broadcast({
      log,
      raiseWithin: (cell, change) => {
        refused += 1;
        if (refused > 4) return scene.engine.raiseWithin(cell, change);
        return Promise.reject(new StoreUnavailable("away", { commitUnknown: false }));
      },
    });
    await scene.allToldInTime();
    assert.deepEqual(await scene.told(), everybody("one"));
    assert.deepEqual(new Set(log.lines.map(({ level }) => level)), new Set(["warn"]));
  });
});
