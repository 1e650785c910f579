/** Brings the cells of a product, of which earlier versions had several, together in the first. */
import type { Log } from "../runtime/log.ts";
import { nameOfCell, type Cell, type Cells } from "./cell.ts";
import type { DatabaseAddress } from "./database.ts";
import { cellList } from "./homes/cells.sql.ts";
import { migrateCells } from "./migrate.ts";
import { MIGRATIONS_TABLE, type MigratedProduct } from "./migration-targets.ts";
import { inOrder } from "./moves/copy-schema.ts";
import { openSession, type Session } from "./moves/session.ts";
import { schemaTables } from "./moves/moves.sql.ts";

/** Copied in a way of their own, or not at all. */
const OWN = new RegExp(`^(?:outbox|outbox_messages|outbox_numbers|${MIGRATIONS_TABLE}(?:_.*)?)$`);

/**
 * Each cell goes in one transaction: its rows are in the first, and it is dropped. The tables of one row, which each
 * cell has of its own, keep that of the first. Messages that wait get new numbers, behind those of the first.
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
    if (left.length > 0) await migrateCells(address, [first, ...left], log, products);
    for (const other of left) {
      await session.run("begin");
      await mergeCell(session, first, other);
      await session.run("commit");
      log.info({ cell: nameOfCell(other), into: nameOfCell(first) }, "cells were brought together");
    }
  } finally {
    await session.close();
  }
}

async function mergeCell(session: Session, first: Cell, { schema, number, directory }: Cell): Promise<void> {
  const tables = await schemaTables(session, first, schema);
  const names = tables.map(({ name }) => `"${schema}"."${name}"`);
  await session.run(`lock table ${names.join(", ")} in share row exclusive mode`);
  for (const { name, columns } of inOrder(tables.filter((table) => !OWN.test(table.name)))) {
    const [list, target] = [columns.join(", "), `"${first.schema}"."${name}"`];
    const unless = columns.includes("only_row") ? `where not exists (select from ${target})` : "";
    await session.run(`insert into ${target} (${list}) select ${list} from "${schema}"."${name}" ${unless}`);
  }
  const last = `(select last from "${first.schema}".outbox_numbers)`;
  for (const [table, columns] of [
    ["outbox_messages", "kind, payload, created_at"],
    ["outbox", "cell, due_at"],
  ]) {
    await session.run(
      `insert into "${first.schema}".${table} (id, ${columns}) select id + ${last}, ${columns} from "${schema}".${table}`,
    );
  }
  await session.run(
    `update "${first.schema}".outbox_numbers set last = last + (select last from "${schema}".outbox_numbers)`,
  );
  await session.run(`delete from "${directory}".slots where cell = ${number}`);
  await session.run(`drop schema "${schema}" cascade`);
  await session.run(`delete from "${directory}".cells where number = ${number}`);
}
