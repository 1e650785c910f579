/** What nodes take each other for while a cell moves: each finds the new home at a time of its own. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { createMembership, type Membership } from "../../src/engine/membership/membership.ts";
import { createSessions } from "../../src/engine/membership/sessions.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

type Node = { home: DatabaseAddress; readonly database: Database; readonly membership: Membership };

describe("a node of a cell that moves", () => {
  const clock = manualClock();
  let [before1, after1]: TestDatabase[] = [];
  const nodes: Node[] = [];
  before(async () => {
    [before1, after1] = [await createTestDatabase({ cells: 1 }), await createTestDatabase({ cells: 1 })];
  });
  after(async () => {
    for (const { membership, database } of nodes) {
      await membership.leave(true);
      await database.close();
    }
    await before1!.drop();
    await after1!.drop();
  });

  /** The cell has left its first home since that answers no more, not even to a goodbye. */
  function silentAtFirst(database: Database): Database {
    return {
      ...database,
      async dedicated(cell, onLost) {
        const isFirst = database.homeOf(cell) === before1!.address;
        const connection = await database.dedicated(cell, onLost);
        return isFirst ? { ...connection, close: () => new Promise<void>(() => undefined) } : connection;
      },
    };
  }

  async function joined(name: string, home = before1!.address): Promise<Node> {
    const homes = fixedHomes(
      () => node.home,
      () => (node.home === before1!.address ? "" : "east"),
    );
    const options = { connectionsMax: 2, connectTimeoutMs: 10_000, onIdleError: () => undefined };
    const database = openDatabaseOn(homes, { ...options, sessionName: `boathook ${name}` });
    const ports = { database, clock, random: systemRandom(), log: silentLog };
    const membership = createMembership(DEFAULT_ENGINE_SETTINGS, {
      ...ports,
      cell: before1!.cells[0]!,
      sessions: createSessions(
        { ...ports, database: silentAtFirst(database) },
        DEFAULT_ENGINE_SETTINGS.leaseMs,
      ),
      oldestRaised: () => null,
      canTakeResults: () => true,
      onNotification: () => undefined,
      onHeartbeat: () => undefined,
      onReconnected: (caughtUp) => caughtUp(),
      onReplaced: () => undefined,
      onTakeover: () => undefined,
    });
    const node: Node = { home, database, membership };
    await membership.join();
    nodes.push(node);
    return node;
  }

  const ids = async (at: TestDatabase): Promise<readonly number[]> =>
    (await at.queryIn(at.cells[0]!, "select id from cell.nodes order by id")).rows.map(({ id }) => id);

  const beats = async (id: number): Promise<number> =>
    Number(
      (await after1!.queryIn(after1!.cells[0]!, "select beat from cell.nodes where id = $1", [id])).rows[0]
        ?.beat,
    );

  test("is not taken for dead by one that follows the cell sooner", async () => {
    const [late, early] = [await joined("late"), await joined("early")];
    await clock.advance(5_000);
    // The move takes longer than a lease.
    await before1!.queryIn(before1!.cells[0]!, "alter table cell.nodes rename to moving");
    await clock.advance(40_000);
    const rows = await before1!.queryIn(
      before1!.cells[0]!,
      "select id, beat, oldest_held, server from cell.moving",
    );
    for (const { id, beat, oldest_held: oldest, server } of rows.rows) {
      const insert =
        "insert into cell.nodes (id, started_at, beat, oldest_held, server, seen_change) values ($1, now(), $2, $3, $4, 0)";
      await after1!.queryIn(after1!.cells[0]!, insert, [id, beat, oldest, server]);
    }
    await after1!.queryIn(after1!.cells[0]!, "update cell.changes set last_node = 2");
    const moved = await beats(2);
    const starting = await joined("starting", after1!.address);
    await clock.advance(10_000);
    assert.deepEqual(await ids(after1!), [1, 2, 3], "it does not take over nodes that have not followed");
    await starting.membership.leave(true);
    await starting.database.close();
    nodes.pop();
    early.home = after1!.address;
    await clock.advance(20_000);
    assert.ok((await beats(2)) > moved, "the one has followed");
    assert.deepEqual(await ids(after1!), [1, 2]);
    late.home = after1!.address;
    await clock.advance(20_000);
    assert.equal(late.membership.member.node, 1);
    assert.deepEqual(await ids(after1!), [1, 2]);
  });

  test("is not taken for dead when no node had a heartbeat for longer than a lease", async () => {
    const run = (sql: string) => after1!.queryIn(after1!.cells[0]!, sql);
    // The other sees its last heartbeat, and tries again a moment sooner.
    await run("alter table cell.nodes add constraint late check (id > 1) not valid");
    await clock.advance(6_000);
    await run("alter table cell.nodes rename to moving");
    await clock.advance(40_000);
    await run("alter table cell.moving rename to nodes");
    await clock.advance(1_000);
    await run("alter table cell.nodes drop constraint late");
    await clock.advance(7_000);
    assert.deepEqual(await ids(after1!), [1, 2]);
  });

  test("is taken over there once its lock is free", async () => {
    const second = nodes.pop()!;
    await second.membership.leave(false);
    await clock.advance(7_000);
    assert.equal((await ids(after1!)).length, 1, "the other has taken it over");
    await second.database.close();
  });
});
