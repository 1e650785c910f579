/** A cell that moves between two servers, and what is stored of it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";

import type { Cell } from "../../src/store/cell.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { listCells } from "../../src/store/homes/cells.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { holdCell, type HeldCell } from "../../src/store/moves/hold-cell.ts";
import { moveCell, type MoveStep } from "../../src/store/moves/move-cell.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import type { MovingOptions } from "./moving-process.ts";
import { idOf, openStoreRows, timeOf, type StoreRows } from "./store-rows.ts";

const NOWHERE: DatabaseAddress = { url: "postgres://127.0.0.1:1/none" };
const DAY_MS = 86_400_000;

type Scene = {
  readonly rows: StoreRows;
  readonly cell: Cell;
  readonly directory: DatabaseAddress;
  readonly other: DatabaseAddress;
  readonly before: Readonly<Record<string, string>>;
  readonly steps: MoveStep[];
  /** The servers that have an address; west is not there. */
  readonly named: readonly string[];
  move(
    to: string,
    options?: { signal?: AbortSignal; onStep?: (step: MoveStep) => void },
  ): Promise<string | null>;
};

/** A cell with something in it at the directory's server, and another server, which is called east. */
export async function openScene(t: TestContext): Promise<Scene> {
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
  await rows.run(
    "drop table cell.events_default; drop table cell.deliveries_default; drop table cell.attempts_default",
  );
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
    named: ["", "east", "west", "north"],
  };
  return { ...scene, move: mover(scene) };
}

/** Moves the cell between the servers of the scene. */
export function mover({ rows, cell, directory, other, steps, named }: Omit<Scene, "move">): Scene["move"] {
  return (to, { signal = new AbortController().signal, onStep = () => undefined } = {}) =>
    holdSoon(rows.database, cell, (held) =>
      moveCell(
        {
          ...held,
          addressOf: (name) =>
            named.includes(name) ? (name === "" ? directory : name === "west" ? NOWHERE : other) : null,
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
export async function contents(address: DatabaseAddress, schema: string): Promise<Record<string, string>> {
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
export async function assertMoved({ rows, cell, directory, other, before }: Scene): Promise<void> {
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
  assert.deepEqual(made.rows, [{ made: 3 }]);
}

export async function assertAtHome({ rows, cell, directory, other, before }: Scene): Promise<void> {
  const [listed] = await listCells(rows.database, cell);
  assert.deepEqual([listed!.server, listed!.movingTo, listed!.movedFrom], ["", null, null]);
  assert.deepEqual(await schemasAt(directory), [cell.schema]);
  assert.deepEqual(await schemasAt(other), []);
  assert.deepEqual(await contents(directory, cell.schema), before);
}

export function kill({ directory, other, cell }: Scene, killAt: MovingOptions["killAt"]): void {
  const servers = { east: other };
  const options: MovingOptions = { directory, servers, cell: cell.number, to: "east", killAt };
  const ended = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "moving-process.ts"), JSON.stringify(options)],
    { encoding: "utf8" },
  );
  assert.equal(ended.signal, "SIGKILL", ended.stderr);
}
