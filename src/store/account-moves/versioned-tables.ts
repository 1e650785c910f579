/**
 * Tables whose rows have a version: they are copied while clients write, and again under the fence, when only what has
 * changed since is left.
 */
import { textArray, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { Move, MoveStep } from "./move.ts";
import * as sql from "./statements.ts";

type Versioned = { readonly id: string; readonly version: string };

type VersionedTable = {
  list(db: Connection, cell: Cell, accountId: string, after: string): Promise<readonly Versioned[]>;
  find(db: Connection, cell: Cell, ids: readonly string[]): Promise<readonly Versioned[]>;
  copy(move: Move, ids: readonly string[]): Promise<unknown>;
  /** Leaves what has changed since it was listed. */
  remove(db: Connection, cell: Cell, rows: readonly Versioned[]): Promise<unknown>;
  /** Copied at once, so that a statement stays within some megabytes. */
  readonly copiedMax: number;
};

const LISTED_MAX = 10_000;
const REMOVED_MAX = 2_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const shipments: VersionedTable = {
  list: (db, cell, accountId, after) =>
    db.rows(sql.shipmentListVersions(cell), [accountId, after, LISTED_MAX]),
  find: (db, cell, ids) => db.rows(sql.shipmentFindVersions(cell), [uuidArray(ids)]),
  async copy({ database, from, to }, ids) {
    const rows = await database.rows(sql.shipmentTakeOut(from), [uuidArray(ids)]);
    const [known, polled] = [jsonArray(rows.map(({ row }) => row)), jsonArray(rows.map(({ more }) => more))];
    await database.rows(sql.shipmentPut(to), [known, polled]);
  },
  remove: (db, cell, rows) =>
    db.rows(sql.shipmentRemove(cell), [
      uuidArray(rows.map(({ id }) => id)),
      textArray(rows.map(({ version }) => version)),
    ]),
  copiedMax: 100,
};

const plans: VersionedTable = {
  list: (db, cell, accountId, after) => db.rows(sql.planListVersions(cell), [accountId, after, LISTED_MAX]),
  find: (db, cell, ids) => db.rows(sql.planFindVersions(cell), [uuidArray(ids)]),
  async copy({ database, from, to }, ids) {
    const rows = await database.rows(sql.planTakeOut(from), [uuidArray(ids)]);
    await database.rows(sql.planPut(to), [jsonArray(rows.map(({ row }) => row))]);
  },
  remove: (db, cell, rows) => db.rows(sql.planRemove(cell), [uuidArray(rows.map(({ id }) => id))]),
  copiedMax: 5,
};

const TABLES = [shipments, plans] as const;

/** Rows as JSON, one array of them; they pass through unread. */
export function jsonArray(rows: readonly string[]): string {
  return `[${rows.join(",")}]`;
}

/** Makes the rows in the new cell those in the old one. */
export async function copyVersioned(move: Move, step: MoveStep): Promise<void> {
  for (const table of TABLES) {
    await removeGone(move, table);
    for await (const page of pagesOf(move, table, move.from)) {
      const there = await versionsIn(move, table, move.to, page);
      const stale = page.filter(({ id, version }) => there.get(id) !== version).map(({ id }) => id);
      for (const some of chunks(stale, table.copiedMax)) {
        await table.copy(move, some);
        move.progress(step, some.length);
      }
    }
  }
}

/** First, for a reference that is tracked again has another id. */
async function removeGone(move: Move, table: VersionedTable): Promise<void> {
  for await (const page of pagesOf(move, table, move.to)) {
    const there = await versionsIn(move, table, move.from, page);
    const gone = page.filter(({ id }) => !there.has(id));
    if (gone.length > 0) await table.remove(move.database, move.to, gone);
  }
}

/** Removes all rows of the account; `before` is called with the ids of some of them before they go. */
export async function removeVersioned(
  move: Move,
  cell: Cell,
  before: (ids: readonly string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const table of TABLES) {
    for (;;) {
      const page = await table.list(move.database, cell, move.accountId, FIRST_ID);
      if (page.length === 0) break;
      for (const some of chunks(page, REMOVED_MAX)) {
        if (table === shipments) await before(some.map(({ id }) => id));
        await table.remove(move.database, cell, some);
        move.progress("moving the history", some.length);
      }
    }
  }
}

/** What callbacks and wakes asked of shipments in the old cell, after they were copied, is asked in the new one. */
export async function forwardHints({ database, from, to }: Move, ids: readonly string[]): Promise<void> {
  const hints = await database.rows(sql.shipmentHintTake(from), [uuidArray(ids)]);
  await database.rows(sql.shipmentHintPut(to), [jsonArray(hints.map(({ row }) => row))]);
}

async function* pagesOf(
  { database, accountId }: Move,
  table: VersionedTable,
  cell: Cell,
): AsyncGenerator<readonly Versioned[]> {
  for (let after = FIRST_ID; ;) {
    const page = await table.list(database, cell, accountId, after);
    if (page.length > 0) yield page;
    if (page.length < LISTED_MAX) return;
    after = page.at(-1)!.id;
  }
}

async function versionsIn({ database }: Move, table: VersionedTable, cell: Cell, rows: readonly Versioned[]) {
  const found = await table.find(
    database,
    cell,
    rows.map(({ id }) => id),
  );
  return new Map(found.map(({ id, version }) => [id, version]));
}

function* chunks<T>(all: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += most) yield all.slice(from, from + most);
}
