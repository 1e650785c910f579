/** Cells on a real Citus: made, upgraded, moved while nodes write, and asked for through a coordinator whose worker dies. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { dropPartitions, makePartitions } from "../../src/store/deliveries/partitions.ts";
import { migrate } from "../../src/store/migrate.ts";
import { registerNode } from "../../src/store/nodes/nodes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { onShards } from "../../src/store/shards/on-shards.ts";
import { guardShards } from "../../src/store/shards/shards.ts";
import {
  noCitus,
  startCitus,
  type CitusCluster,
  type CitusDatabase,
  type CitusNode,
} from "../support/citus.ts";
import { query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

const CELLS = cellsNamed("boathook", 2);
const [CELL] = CELLS;
const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);
const ID = "0192d3a0-0000-7000-8000-000000000001";

const sleep = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve));

describe("cells on Citus", { skip: noCitus() }, () => {
  let cluster: CitusCluster;
  let made: CitusDatabase;
  let coordinator: Database;

  before(async () => {
    cluster = await startCitus();
    made = await cluster.createDatabase("cells");
    // An installation where new schemas are distributed by themselves.
    await query(made.coordinator, "alter database cells set citus.enable_schema_based_sharding = on");
    await migrate(made.coordinator, CELLS, silentLog);
    coordinator = open(made.coordinator);
  });
  after(async () => {
    await coordinator?.close();
    await cluster?.stop();
  });

  const placedAt = async (cell: Cell): Promise<number> => {
    const sql = "select distinct nodeport as port from citus_shards where table_name::text like $1";
    const { rows } = await query(made.coordinator, sql, [`${cell.schema}.%`]);
    assert.equal(rows.length, 1, "all tables of a cell are on one server");
    return rows[0].port as number;
  };
  const workerOf = async (cell: Cell): Promise<CitusNode> => {
    const port = await placedAt(cell);
    return cluster.workers.find((worker) => worker.port === port)!;
  };
  /** The worker that holds the cell, reached directly. */
  const homeOf = async (t: TestContext, cell: Cell): Promise<Database> => {
    const database = open((await workerOf(cell)).addressOf(made.name));
    t.after(() => database.close());
    return database;
  };

  test("each cell is distributed as a whole, the directory stays on the coordinator, and a second start changes nothing", async () => {
    assert.deepEqual(await migrate(made.coordinator, CELLS, silentLog), { ran: [], unreachable: [] });
    const schemas = await query(
      made.coordinator,
      "select schema_name::text as name from citus_schemas order by 1",
    );
    assert.deepEqual(
      schemas.rows.map(({ name }) => name),
      CELLS.map(({ schema }) => schema),
    );
    for (const cell of CELLS) await placedAt(cell);
  });

  test("migrations added later run on a distributed cell, one statement at a time", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "boathook-migrations-"));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "cell"));
    writeFileSync(
      join(folder, "cell", "001_later.sql"),
      `-- A comment; with a semicolon.
       create table later (id uuid primary key, day date not null);
       alter table accounts add column later text;
       alter table accounts add constraint later_is_short check (length(later) < 10);
       create index later_by_day on later (day);
       create function later_day() returns date language plpgsql as $$ begin return '2026-11-21'; end $$;
       insert into later (id, day) values ('${ID}', later_day());`,
    );
    const products = [{ tag: "later", migrations: folder }];
    const { ran } = await migrate(made.coordinator, CELLS, silentLog, products);
    assert.deepEqual(
      ran,
      CELLS.map(({ schema }) => `${schema}/later/001_later`),
    );
    const home = await homeOf(t, CELL);
    const shards = await guardShards(home, CELL);
    assert.ok(shards.has("later"), "its shard is known");
    const read = { name: "later", text: `select day::text from ${CELL.schema}.${shards.get("later")!}` };
    assert.deepEqual(await home.rows(read, []), [{ day: "2026-11-21" }]);
  });

  test("the coordinator makes partitions while a worker writes, and drops them", async (t) => {
    const home = await homeOf(t, CELL);
    const shards = await guardShards(home, CELL);
    assert.equal(await makePartitions(coordinator, CELL, NOON_MS, NOON_MS + 2 * DAY_MS), 9);
    const text = `insert into cell.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $1, $2)`;
    await home.transaction(async (tx) => {
      const insert = onShards(text, shards).replaceAll("cell.", `${CELL.schema}.`);
      await tx.rows({ name: "write", text: insert }, [idAt(NOON_MS), new Date(NOON_MS)]);
      assert.equal(await makePartitions(coordinator, CELL, NOON_MS, NOON_MS + 3 * DAY_MS), 3);
      const startedMs = realClock.monotonicMs();
      await assert.rejects(
        dropPartitions(coordinator, CELL, NOON_MS + 2 * DAY_MS),
        (error) => error instanceof StoreUnavailable && error.reason === "contention",
      );
      assert.ok(realClock.monotonicMs() - startedMs < 10_000, "it gives up on a statement that lasts");
    });
    assert.deepEqual(await dropPartitions(coordinator, CELL, NOON_MS + 2 * DAY_MS), [
      "2026-11-21",
      "2026-11-22",
    ]);
  });

  test("nodes that register on the worker never share a number, wherever the cell is", async (t) => {
    const register = async () => {
      const home = await homeOf(t, CELL);
      const shards = await guardShards(home, CELL);
      return Promise.all([1, 2, 3].map(() => registerNode(sharded(home, shards), CELL, NOON_MS, ID)));
    };
    const numbers = [...(await register())];
    await move(CELL);
    numbers.push(...(await register()));
    assert.equal(new Set(numbers).size, 6, numbers.join());
  });

  const move = async (cell: Cell) => {
    const from = await placedAt(cell);
    const { port } = cluster.workers.find((worker) => worker.port !== from)!;
    await query(
      made.coordinator,
      `select citus_schema_move('${cell.schema}', '127.0.0.1', ${port}, 'force_logical')`,
    );
  };

  test("nothing that was acknowledged is lost when the cell moves while nodes write to its shards", async () => {
    const text = `insert into cell.queue (delivery_id, endpoint_id, due_at) values ($1, $1, now())`;
    let moving = true;
    const acknowledged: string[] = [];
    let refused = 0;
    const writer = async (number: number) => {
      for (let count = 0; moving || count % 50 !== 0; count++) {
        const id = `0192d3a0-0000-7000-8${String(number).padStart(3, "0")}-${String(count).padStart(12, "0")}`;
        for (;;) {
          const database = homes.get(home)!;
          const insert = onShards(text, shards).replaceAll("cell.", `${CELL.schema}.`);
          try {
            await database.rows({ name: "write", text: insert }, [id]);
            acknowledged.push(id);
            break;
          } catch (error) {
            assert.ok(error instanceof StoreUnavailable, String(error));
            assert.equal(error.reason, "moved");
            assert.equal(error.commitUnknown, false);
            refused++;
            await turnTo();
          }
        }
      }
    };
    const homes = new Map(cluster.workers.map((worker) => [worker.port, open(worker.addressOf(made.name))]));
    let home = await placedAt(CELL);
    let shards = await guardShards(homes.get(home)!, CELL);
    const turnTo = async () => {
      home = await placedAt(CELL);
      shards = await guardShards(homes.get(home)!, CELL);
      await sleep(5);
    };
    try {
      const writers = [1, 2, 3, 4].map(writer);
      await sleep(200);
      for (let moves = 0; moves < 2; moves++) {
        await move(CELL);
        await sleep(200);
      }
      moving = false;
      await Promise.all(writers);
    } finally {
      moving = false;
      for (const database of homes.values()) await database.close();
    }
    assert.ok(refused > 0, "writers met the moves");
    const { rows } = await query(made.coordinator, `select delivery_id as id from ${CELL.schema}.queue`);
    const kept = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
    assert.equal(kept.size, acknowledged.length, "nothing is there that was not acknowledged");
  });

  test("a start while a worker is gone tells whose cell cannot be reached, and migrates the others", async () => {
    if ((await placedAt(CELLS[0])) === (await placedAt(CELLS[1]!))) await move(CELLS[1]!);
    const worker = await workerOf(CELL);
    await worker.kill();
    try {
      const { unreachable } = await migrate(made.coordinator, CELLS, silentLog);
      assert.deepEqual(unreachable, [CELL.schema]);
    } finally {
      await worker.start();
    }
    assert.deepEqual(await migrate(made.coordinator, CELLS, silentLog), { ran: [], unreachable: [] });
  });

  test("a worker that dies under a statement of the coordinator's is a passing fault, its commit unknown", async () => {
    const worker = await workerOf(CELL);
    const write = `update ${CELL.schema}.changes set number = number + 1`;
    const failing = async (work: () => Promise<unknown>) => {
      const running = work().then(
        () => null,
        (cause: unknown) => cause,
      );
      await sleep(300);
      await worker.kill();
      const cause = await running;
      assert.ok(cause instanceof StoreUnavailable, String(cause));
      return cause;
    };
    try {
      const holding = `begin; update ${CELL.schema}.changes set number = 0; select pg_sleep(60)`;
      const held = query(worker.addressOf(made.name), holding).catch(() => undefined);
      await sleep(300);
      const alone = await failing(() => coordinator.rows({ name: "write", text: write }, []));
      await held;
      assert.equal(alone.commitUnknown, true);
      const without = await failing(() => coordinator.rows({ name: "write", text: write }, []));
      assert.equal(without.reason, "unreachable");
      await worker.start();
      const committing = await failing(() =>
        coordinator.transaction(async (tx) => {
          await tx.rows({ name: "write", text: write }, []);
          await sleep(1_000);
        }),
      );
      assert.equal(committing.commitUnknown, true);
    } finally {
      await worker.start();
    }
  });
});

function open(address: DatabaseAddress): Database {
  return openDatabase(address, {
    sessionName: "boathook cells",
    connectionsMax: 5,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
}

/** The database with shards in place of the cell's tables. */
function sharded(database: Database, shards: ReadonlyMap<string, string>): Database {
  return {
    ...database,
    rows: ({ name, text }, parameters) =>
      database.rows(
        {
          name,
          text: onShards(text.replaceAll(`"${CELL.schema}".`, "cell."), shards).replaceAll(
            "cell.",
            `"${CELL.schema}".`,
          ),
        },
        parameters,
      ) as never,
  };
}

/** An id of the time. */
function idAt(atMs: number): string {
  const hex = atMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
}
