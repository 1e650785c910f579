/** Brings the cells of a product, of which earlier versions had several, together in the first. */
import type { Log } from "../runtime/log.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { nameOfCell, type Cell, type Cells } from "./cell.ts";
import type { DatabaseAddress } from "./database.ts";
import { cellList } from "./homes/cells.sql.ts";
import { migrateCells } from "./migrate.ts";
import { MIGRATIONS_TABLE, type MigratedProduct } from "./migration-targets.ts";
import { inOrder } from "./moves/copy-schema.ts";
import { openSession, type Session } from "./moves/session.ts";
import type { Statement } from "./sql.ts";
import { schemaTables } from "./moves/moves.sql.ts";

/** Copied in a way of their own, or not at all. */
const OWN = new RegExp(`^(?:outbox|outbox_messages|outbox_numbers|${MIGRATIONS_TABLE}(?:_.*)?)$`);

/**
 * One transaction, of all or none: the rows of the others are in the first, and they are dropped. Of a table of one row,
 * which each cell has of its own, the earlier stays; of a key that two cells have, the first one's row. Messages that wait
 * get new numbers, behind those of the first. Throws `StartupError` while one of the cells cannot be reached.
 */
export async function mergeCells(
  address: DatabaseAddress,
  cells: Cells,
  log: Log,
  products: readonly MigratedProduct[],
): Promise<void> {
  const [first, ...others] = cells;
  const session = await openSession(address);
  try {
    // Of several processes at once one does it, and the others find it done.
    await session.run("select pg_advisory_lock(hashtext('boathook merging'))");
    const listed = new Set((await cellList(session, first)).map(({ number }) => number));
    const left = others.filter(({ number }) => listed.has(number));
    if (left.length === 0) return;
    const { unreachable } = await migrateCells(address, [first, ...left], log, products);
    if (unreachable.length > 0) {
      const names = cells.filter(({ schema }) => unreachable.includes(schema)).map(nameOfCell);
      throw new StartupError(
        `The cells ${cells.map(nameOfCell).join(", ")} are to be brought together, and ${names.join(", ")} cannot be reached. ` +
          "Start again once the node that holds it is back.",
      );
    }
    await session.run("begin");
    for (const other of left) await mergeCell(session, first, other);
    await session.run("commit");
    log.info({ cells: left.map(nameOfCell), into: nameOfCell(first) }, "cells were brought together");
  } finally {
    await session.close();
  }
}

async function mergeCell(session: Session, first: Cell, { schema, number, directory }: Cell): Promise<void> {
  const tables = await schemaTables(session, first, schema);
  const both = [first.schema, schema].flatMap((one) => tables.map(({ name }) => `"${one}"."${name}"`));
  await session.run(`lock table ${both.join(", ")} in share row exclusive mode`);
  for (const { name, columns } of inOrder(tables.filter((table) => !OWN.test(table.name)))) {
    const [list, target, given] = [
      columns.join(", "),
      `"${first.schema}"."${name}"`,
      `"${schema}"."${name}"`,
    ];
    const isOfOneRow = columns.includes("only_row");
    if (isOfOneRow) {
      const earlier = columns
        .filter((column) => column !== "only_row")
        .map((column) => `${column} = least(own.${column}, given.${column})`);
      await session.run(`${read(given)} update ${target} as own set ${earlier.join(", ")} from given`);
    }
    const unless = (await hasDeferrable(session, target)) ? "" : "on conflict do nothing";
    await session.run(`insert into ${target} (${list}) select ${list} from ${given} ${unless}`);
  }
  const numbering: Statement<{ behind: string }, []> = {
    name: "merge_numbers",
    text: `${read(`"${schema}".outbox_numbers`)}
      update "${first.schema}".outbox_numbers as own set last = own.last + given.last
      from given returning (own.last - given.last)::text as behind`,
  };
  const [numbered] = await session.rows(numbering, []);
  for (const [table, columns] of [
    ["outbox_messages", "kind, payload, created_at"],
    ["outbox", "cell, due_at"],
  ]) {
    await session.run(
      `insert into "${first.schema}".${table} (id, ${columns}) select id + ${numbered!.behind}, ${columns} from "${schema}".${table}`,
    );
  }
  await session.run(`delete from "${directory}".slots where cell = ${number}`);
  await session.run(`drop schema "${schema}" cascade`);
  await session.run(`delete from "${directory}".cells where number = ${number}`);
}

/** Citus updates no table from one on another server, unless it reads that before. */
const read = (table: string): string => `with given as materialized (table ${table})`;

/** An insert that passes over conflicts takes none; such a table has ids that no two cells share. */
async function hasDeferrable(session: Session, table: string): Promise<boolean> {
  const asked = {
    name: "merge_deferrable",
    text: "select from pg_constraint where conrelid = $1::regclass and condeferrable",
  };
  return (await session.rows(asked, [table])).length > 0;
}
