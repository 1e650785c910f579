/**
 * Tables whose rows have a version: they are copied while clients write, and again under the fence, when only what has
 * changed since is left.
 */
import { textArray, uuidArray, type UuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { statementOf } from "../sql.ts";
import type { AccountTable } from "./account-table.ts";
import type { Move, MoveStep } from "./move.ts";
import * as sql from "./statements.ts";

type Versioned = { readonly id: string; readonly version: string };

type VersionedTable = {
  list(
    db: Connection,
    cell: Cell,
    accountId: string,
    after: string,
    limit: number,
  ): Promise<readonly Versioned[]>;
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
  list: (db, cell, accountId, after, limit) =>
    db.rows(sql.shipmentListVersions(cell), [accountId, after, limit]),
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

const COPIED_MAX = 100;
const NAME = /^[a-z][a-z0-9_]*$/;

/** Needs to know of the table no more than is declared. */
function versionedTableOf({ name, version, copiedMax = COPIED_MAX }: AccountTable): VersionedTable {
  for (const word of [name, version]) {
    if (!NAME.test(word))
      throw new Error(`a manifest declares a table or column of an unusual name: ${word}`);
  }
  const list = statementOf<Versioned, [string, string, number]>(
    `${name}_list_versions`,
    `select id, ${version}::text as version from cell.${name}
     where account_id = $1::uuid and id > $2::uuid order by id limit $3::integer`,
  );
  const find = statementOf<Versioned, [UuidArray]>(
    `${name}_find_versions`,
    `select id, ${version}::text as version from cell.${name} where id = any ($1::uuid[])`,
  );
  const takeOut = statementOf<{ row: string }, [UuidArray]>(
    `${name}_take_out`,
    `select to_json(t)::text as row from cell.${name} t where id = any ($1::uuid[])`,
  );
  const put = statementOf<{}, [string]>(
    `${name}_put`,
    `insert into cell.${name} select * from json_populate_recordset(null::cell.${name}, $1::text::json)`,
  );
  const remove = statementOf<{}, [UuidArray]>(
    `${name}_remove`,
    `delete from cell.${name} where id = any ($1::uuid[])`,
  );
  return {
    copiedMax,
    list: (db, cell, accountId, after, limit) => db.rows(list(cell), [accountId, after, limit]),
    find: (db, cell, ids) => db.rows(find(cell), [uuidArray(ids)]),
    async copy({ database, from, to }, ids) {
      const rows = await database.rows(takeOut(from), [uuidArray(ids)]);
      await database.transaction(async (tx) => {
        await tx.rows(remove(to), [uuidArray(ids)]);
        await tx.rows(put(to), [jsonArray(rows.map(({ row }) => row))]);
      });
    },
    remove: (db, cell, rows) => db.rows(remove(cell), [uuidArray(rows.map(({ id }) => id))]),
  };
}

/** Shipments, whose polls and hints go with them, and what products declare. */
const tablesOf = ({ accountTables }: Move): readonly VersionedTable[] => [
  shipments,
  ...accountTables.map(versionedTableOf),
];

/** Rows as JSON, one array of them; they pass through unread. */
export function jsonArray(rows: readonly string[]): string {
  return `[${rows.join(",")}]`;
}

/** Makes the rows in the new cell those in the old one. */
export async function copyVersioned(move: Move, step: MoveStep): Promise<void> {
  for (const table of tablesOf(move)) {
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
  for (const table of tablesOf(move)) {
    for (;;) {
      const page = await table.list(move.database, cell, move.accountId, FIRST_ID, LISTED_MAX);
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
    const page = await table.list(database, cell, accountId, after, LISTED_MAX);
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
