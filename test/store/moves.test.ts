/** A cell moves from one server to another: whole, and whatever step is the last of a process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { listCells } from "../../src/store/homes/cells.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { inOrder } from "../../src/store/moves/copy-schema.ts";
import { holdCell, type HeldCell } from "../../src/store/moves/hold-cell.ts";
import { moveCell, MoveRefused, type MoveStep } from "../../src/store/moves/move-cell.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import type { MovingOptions } from "./moving-process.ts";
import { idOf, openStoreRows, timeOf, type StoreRows } from "./store-rows.ts";

const DAY_MS = 86_400_000;

type Scene = {
  readonly rows: StoreRows;
  readonly cell: Cell;
  readonly directory: DatabaseAddress;
  readonly other: DatabaseAddress;
  readonly before: Readonly<Record<string, string>>;
  readonly steps: MoveStep[];
  move(
    to: string,
    options?: { signal?: AbortSignal; onStep?: (step: MoveStep) => void },
  ): Promise<string | null>;
};

/** A cell with something in it at the directory's server, and another server, which is called east. */
async function openScene(t: TestContext): Promise<Scene> {
  const rows = await openStoreRows();
  const other = await createEmptyDatabase();
  t.after(async () => {
    await rows.drop();
    await other.drop();
  });
  const { cell, address: directory } = rows;
  await rows.account(1);
  await rows.endpoint(2);
  for (const id of [3, 4, 5]) await rows.delivery(id);
  await rows.queued(3);
  await rows.shipment(6);
  await rows.node(7);
  await rows.run("drop table cell.events_default; drop table cell.deliveries_default");
  await makePartitions(rows.database, cell, timeOf(0), timeOf(3 * DAY_MS));
  await rows.run(
    `insert into cell.deliveries (id, event_id, endpoint_id, created_at)
     select cell.first_id_of(day::date), '${idOf(3)}', '${idOf(2)}', day
     from generate_series('2026-11-02'::date, '2026-11-04', '1 day') day`,
  );
  const scene = {
    rows,
    cell,
    directory,
    other: other.address,
    before: await contents(directory, cell.schema),
    steps: [],
  };
  return { ...scene, move: mover(scene) };
}

/** Moves the cell between the servers of the scene. */
function mover({ rows, cell, directory, other, steps }: Omit<Scene, "move">): Scene["move"] {
  return (to, { signal = new AbortController().signal, onStep = () => undefined } = {}) =>
    holdSoon(rows.database, cell, (held) =>
      moveCell(
        {
          ...held,
          addressOf: (name) => (name === "" ? directory : other),
          makeSchema: async (at, made) => void (await migrateCells(at, [made], silentLog)),
          onStep(step) {
            steps.push(step);
            onStep(step);
          },
          signal,
        },
        to,
      ),
    );
}

/** A server frees what a killed process held once it notices. */
async function holdSoon(
  database: Database,
  cell: Cell,
  work: (held: HeldCell) => Promise<string>,
): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    const done = await holdCell(database, cell, work);
    if (done !== null || tries === 50) return done;
    await new Promise<void>((resolve) => realClock.after(20, resolve));
  }
}

/** A digest of the rows of each table, without the notes of migrations, which have times. */
async function contents(address: DatabaseAddress, schema: string): Promise<Record<string, string>> {
  const tables = await query(
    address,
    `select relname as name from pg_class
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname !~ '^migrations' order by 1`,
    [schema],
  );
  const found: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const text = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${schema}"."${name}" t`;
    found[name] = (await query(address, text)).rows[0].digest;
  }
  return found;
}

async function schemasAt(address: DatabaseAddress): Promise<string[]> {
  const { rows } = await query(
    address,
    "select nspname as name from pg_namespace where nspname like 'boathook\\_cell%' order by 1",
  );
  return rows.map(({ name }) => name);
}

/** The cell lives on east, whole and working, and is nowhere else. */
async function assertMoved({ rows, cell, directory, other, before }: Scene): Promise<void> {
  const [listed] = await listCells(rows.database, cell);
  assert.deepEqual([listed!.server, listed!.movingTo, listed!.movedFrom], ["east", null, null]);
  assert.deepEqual(await schemasAt(directory), []);
  assert.deepEqual(await schemasAt(other), [cell.schema]);
  assert.deepEqual(await contents(other, cell.schema), before);
  // Its functions find its tables.
  const made = await query(
    other,
    `select ${cell.schema}.make_partitions('2026-11-06', '2026-11-07') as made`,
  );
  assert.deepEqual(made.rows, [{ made: 2 }]);
}

async function assertAtHome({ rows, cell, directory, other, before }: Scene): Promise<void> {
  const [listed] = await listCells(rows.database, cell);
  assert.deepEqual([listed!.server, listed!.movingTo, listed!.movedFrom], ["", null, null]);
  assert.deepEqual(await schemasAt(directory), [cell.schema]);
  assert.deepEqual(await schemasAt(other), []);
  assert.deepEqual(await contents(directory, cell.schema), before);
}

describe("moving a cell to another server", () => {
  test("carries every row, and leaves nothing behind", async (t) => {
    const scene = await openScene(t);
    assert.equal(await scene.move("east"), "moved");
    await assertMoved(scene);
    const copied = scene.steps.filter(({ step }) => step === "copied").length;
    assert.ok(copied > 20, "each table was reported");
    assert.equal(await scene.move("east"), "there");
  });

  test("makes partitions with the settings that they had", async (t) => {
    const scene = await openScene(t);
    const shape = (address: DatabaseAddress) =>
      query(
        address,
        `select c.relname, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions,
           (select count(*) from pg_index i where i.indrelid = c.oid) as indexes,
           (select count(*) from pg_constraint k where k.conrelid = c.oid and contype <> 'n') as constraints
         from pg_class c where c.relnamespace = '${scene.cell.schema}'::regnamespace and c.relkind in ('r', 'p') order by 1`,
      );
    const before = (await shape(scene.directory)).rows;
    await scene.move("east");
    assert.deepEqual((await shape(scene.other)).rows, before);
  });

  test("a cell has nothing that a copy would not carry: no sequences, no triggers", async (t) => {
    const { directory, cell } = await openScene(t);
    const found = await query(
      directory,
      `select c.relname from pg_class c
       where c.relnamespace = '${cell.schema}'::regnamespace and (c.relkind not in ('r', 'p', 'i', 'I', 't') and c.relname !~ '^migrations'
         or exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal))`,
    );
    assert.deepEqual(found.rows, []);
  });

  for (const killAt of [
    ["prepared", 1],
    ["fenced", 1],
    ["copied", 1],
    ["copied", 20],
    ["placed", 1],
    ["arrived", 1],
    ["ended", 1],
  ] as const) {
    const name = killAt.join(" ");
    test(`goes on where a process was killed behind the step ${name}`, async (t) => {
      const scene = await openScene(t);
      kill(scene, killAt);
      assert.notEqual(await scene.move("east"), null, "the lock went with the process");
      await assertMoved(scene);
    });

    test(`can be undone, or moved back, after a process was killed behind the step ${name}`, async (t) => {
      const scene = await openScene(t);
      kill(scene, killAt);
      const wasPlaced = ["placed", "arrived", "ended"].includes(killAt[0]);
      assert.equal(await scene.move(""), wasPlaced ? "moved" : "undone");
      await assertAtHome(scene);
    });
  }

  test("undoes itself when it is interrupted", async (t) => {
    const scene = await openScene(t);
    const controller = new AbortController();
    const onStep = ({ step }: MoveStep) => {
      if (step === "copied") controller.abort();
    };
    await assert.rejects(scene.move("east", { signal: controller.signal, onStep }), { name: "AbortError" });
    await assertAtHome(scene);
  });

  test("waits for a transaction that writes, and gives up on one that stays open", async (t) => {
    const scene = await openScene(t);
    let stay = () => {};
    const staying = new Promise<void>((resolve) => (stay = resolve));
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const { schema } = scene.cell;
    const writing = scene.rows.database.transaction(async (tx) => {
      await tx.rows({ name: "w", text: `update ${schema}.changes set number = number + 1`, schema }, []);
      begun();
      await staying;
    });
    await beginning;
    const moving = scene.move("east");
    await assert.rejects(
      moving,
      (cause) => cause instanceof StoreUnavailable && cause.reason === "contention",
    );
    stay();
    await writing;
    assert.equal(await scene.move("east"), "moved");
    const { rows } = await query(scene.other, `select number::int from ${schema}.changes`);
    assert.deepEqual(rows, [{ number: 1 }], "what was written is there");
  });

  test("is one command's at a time, and goes to one server", async (t) => {
    const scene = await openScene(t);
    const second = await holdCell(scene.rows.database, scene.cell, () => scene.move("east"));
    assert.equal(second, null);
    kill(scene, ["fenced", 1]);
    await assert.rejects(scene.move("west"), MoveRefused);
    assert.equal(await scene.move("east"), "moved");
  });

  test("refuses a server that has a schema of the name, which may be live: it advises to drop nothing", async (t) => {
    const scene = await openScene(t);
    await query(scene.other, `create schema ${scene.cell.schema}`);
    await assert.rejects(scene.move("east"), isRefused(/something else/));
    await query(scene.other, `drop schema ${scene.cell.schema}`);
    await assertAtHome(scene);
  });

  test("refuses another name of the database where the cell lives, and drops nothing", async (t) => {
    const scene = await openScene(t);
    const again = { ...scene, other: scene.directory };
    await assert.rejects(mover(again)("east"), isRefused(/^directory and east are one database/));
    await assertAtHome(scene);
  });

  test("tables are filled after the tables that their rows refer to", () => {
    const tables = [
      { name: "a", needs: ["b", "c"] },
      { name: "b", needs: ["c", "elsewhere"] },
      { name: "c", needs: [] },
    ];
    assert.deepEqual(
      inOrder(tables).map(({ name }) => name),
      ["c", "b", "a"],
    );
    assert.throws(() => inOrder([{ name: "a", needs: ["a"] }]));
  });
});

function isRefused(why: RegExp) {
  return (error: unknown) =>
    error instanceof MoveRefused && why.test(error.message) && !/\bdrop/.test(error.message);
}

function kill({ directory, other, cell }: Scene, killAt: MovingOptions["killAt"]): void {
  const servers = { east: other };
  const options: MovingOptions = { directory, servers, cell: cell.number, to: "east", killAt };
  const ended = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "moving-process.ts"), JSON.stringify(options)],
    { encoding: "utf8" },
  );
  assert.equal(ended.signal, "SIGKILL", ended.stderr);
}
