/** A cell moves from one server to another: whole, and whatever step is the last of a process. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import type { Connection, DatabaseAddress } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { listCells } from "../../src/store/homes/cells.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { holdCell } from "../../src/store/moves/hold-cell.ts";
import { moveCell, MoveRefused, type MoveStep } from "../../src/store/moves/move-cell.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { idOf, openStoreRows, timeOf, type StoreRows } from "./store-rows.ts";

const DAY_MS = 86_400_000;
const KILLED = new Error("killed");

describe("moving a cell to another server, and back", () => {
  let rows: StoreRows;
  let east: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let stored: Awaited<ReturnType<typeof contents>>;
  before(async () => {
    [rows, east] = [await openStoreRows(), await createEmptyDatabase()];
    await rows.account(1);
    await rows.endpoint(2);
    for (const id of [3, 4, 5]) await rows.delivery(id);
    await rows.queued(3);
    await rows.shipment(6);
    await rows.node(7);
    await rows.run("drop table cell.events_default, cell.deliveries_default, cell.attempts_default");
    await makePartitions(rows.database, rows.cell, timeOf(0), timeOf(3 * DAY_MS));
    await rows.run(
      `insert into cell.deliveries (id, event_id, endpoint_id, created_at)
       select cell.first_id_of(day::date), '${idOf(3)}', '${idOf(2)}', day
       from generate_series('2026-11-02'::date, '2026-11-04', '1 day') day`,
    );
    stored = await contents(rows.address);
  });
  after(async () => {
    await rows.drop();
    await east.drop();
  });

  /** Moves the cell; behind the step, of which it is the `nth` one, nothing more is done, as by a process that is killed. */
  const move = (to: string, killAt?: MoveStep["step"], nth = 1) =>
    holdCell(rows.database, rows.cell, (held) => {
      let left = nth;
      const alive = <T>(value: T): T => {
        if (left === 0) throw KILLED;
        return value;
      };
      const directory: Connection = { rows: (...given) => alive(held.directory).rows(...given) };
      const ports = {
        ...{ cell: held.cell, directory },
        addressOf: (name: string) => alive({ "": rows.address, east: east.address }[name] ?? null),
        makeSchema: async (at: DatabaseAddress, made: typeof rows.cell) =>
          void (await migrateCells(at, [made], silentLog, products)),
        onStep({ step }: MoveStep) {
          if (step === killAt) left -= 1;
          alive(step);
        },
        signal: new AbortController().signal,
      };
      return moveCell(ports, to);
    });

  /** Each table's settings, and a digest of its rows; not the notes of migrations, which have times. */
  async function contents(address: DatabaseAddress) {
    const tables = await query(
      address,
      `select relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions,
         (select count(*) from pg_index i where i.indrelid = c.oid) as indexes,
         (select count(*) from pg_constraint k where k.conrelid = c.oid and contype <> 'n') as constraints,
         md5(query_to_xml(format('select t from %I.%I t order by t::text', $1::text, relname), true, false, '')::text) as rows
       from pg_class c
       where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname !~ '^migrations' order by 1`,
      [rows.cell.schema],
    );
    return tables.rows;
  }

  /** The cell is there, whole, and nowhere else. */
  async function assertLivesAt(server: string): Promise<void> {
    const [listed] = await listCells(rows.database, rows.cell);
    assert.deepEqual([listed!.server, listed!.movingTo, listed!.movedFrom], [server, null, null]);
    const [home, other] = server === "" ? [rows, east] : [east, rows];
    assert.deepEqual(await contents(home.address), stored);
    const schemas = "select from pg_namespace where nspname like 'boathook\\_cell%'";
    assert.deepEqual(
      [(await query(home.address, schemas)).rowCount, (await query(other.address, schemas)).rowCount],
      [1, 0],
    );
  }
  afterEach(() => move(""));

  test("carries every row, leaves nothing behind, and does so once", async () => {
    assert.deepEqual([await move("east"), await move("east")], ["moved", "there"]);
    await assertLivesAt("east");
    const made = `select ${rows.cell.schema}.make_partitions('2026-11-02', '2026-11-03') as made`;
    assert.deepEqual((await query(east.address, made)).rows, [{ made: 0 }], "its functions find its tables");
  });

  for (const [step, nth, to, becomes] of [
    ["fenced", 1, "", "undone"],
    ["copied", 20, "east", "moved"],
    ["placed", 1, "", "moved"],
    ["arrived", 1, "east", "moved"],
  ] as const) {
    test(`a move that was killed behind the step ${step} can be ${becomes} to ${to || "its old home"}`, async () => {
      await assert.rejects(move("east", step, nth), KILLED);
      if (step === "fenced")
        await assert.rejects(move("west"), MoveRefused, "it goes to one server at a time");
      assert.equal(await move(to), becomes);
      await assertLivesAt(to);
    });
  }

  test("waits for a transaction that writes, and loses nothing of it", async () => {
    const { schema } = rows.cell;
    let moving: Promise<unknown>;
    await rows.database.transaction(async (tx) => {
      await tx.rows({ name: "w", text: `update ${schema}.changes set number = number + 1`, schema }, []);
      let isOver = false;
      moving = move("east").finally(() => (isOver = true));
      const waits = "select from pg_locks where not granted";
      while (!isOver && (await query(rows.address, waits)).rowCount === 0);
    });
    assert.equal(await moving!, "moved");
    await move("");
    const { rows: changes } = await query(rows.address, `select number::int from ${schema}.changes`);
    assert.deepEqual(changes, [{ number: 1 }]);
    stored = await contents(rows.address);
  });

  test("is refused while another command moves it, and where another schema or the cell itself is", async () => {
    assert.equal(await holdCell(rows.database, rows.cell, () => move("east")), null);
    await query(east.address, `create schema ${rows.cell.schema}`);
    // What is there may be live: it advises to drop nothing.
    const isRefused = (error: unknown) =>
      error instanceof MoveRefused && /something else/.test(error.message) && !/\bdrop/.test(error.message);
    await assert.rejects(move("east"), isRefused);
    await query(east.address, `drop schema ${rows.cell.schema}`);
    const own = east;
    east = { ...own, address: rows.address };
    await assert.rejects(move("east"), /^MoveRefused: directory and east are one database/);
    east = own;
    await assertLivesAt("");
  });
});
