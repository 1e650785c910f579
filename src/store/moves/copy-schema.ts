import type { RowOf } from "../sql.ts";
import { copyRows, type Session } from "./session.ts";
import { schemaFunctions, schemaTables } from "./moves.sql.ts";
import type { MovedCell } from "./moved-cell.ts";

type Table = RowOf<typeof schemaTables>;

/** A transaction that stays open longer holds up the move, and the move everybody else: it gives up. */
const LOCK_MS_MAX = 10_000;

/** Migrations note here what they did; the new schema has notes of its own. */
const MIGRATIONS = /^migrations(?:_|$)/;

export type CopyPorts = {
  readonly source: Session;
  readonly target: Session;
  readonly cell: MovedCell;
  readonly onCopied: (table: string, rows: number) => void;
  readonly signal: AbortSignal;
};

/** The shapes of the two schemas differ: another build migrated the one. */
export class SchemasDiffer extends Error {
  override readonly name = "SchemasDiffer";
}

/**
 * Copies all rows of the fenced schema to the new one, in one transaction on each side. Waits for statements that found
 * the schema before the fence, and lets none of them write any more.
 */
export async function copySchema(ports: CopyPorts): Promise<void> {
  const { source, target, cell } = ports;
  const [from, to] = [cell.fenced.schema, cell.arriving.schema];
  await source.run("begin");
  await source.run(`set local lock_timeout = ${LOCK_MS_MAX}`);
  const found = await tablesOf(source, cell.fenced.schema);
  await source.run(`lock table ${found.map(({ name }) => `"${from}"."${name}"`).join(", ")} in share mode`);
  // Another partition may have come before the lock.
  const tables = await tablesOf(source, from);
  await target.run("begin");
  await compareMigrations(ports, tables);
  await dropOthers(ports, tables);
  await makePartitions(ports, tables);
  const copied = inOrder(tables.filter(({ name }) => !MIGRATIONS.test(name)));
  await target.run(`truncate ${copied.map(({ name }) => `"${to}"."${name}"`).join(", ")}`);
  for (const { name, columns, hasTriggers } of copied) {
    ports.signal.throwIfAborted();
    const names = { fromTable: `"${from}"."${name}"`, toTable: `"${to}"."${name}"`, columns };
    // What they do to other tables was done on the old server.
    if (hasTriggers) await target.run(`alter table ${names.toTable} disable trigger user`);
    const { given, taken } = await copyRows(source, target, names, ports.signal);
    if (hasTriggers) await target.run(`alter table ${names.toTable} enable trigger user`);
    if (given !== taken)
      throw new Error(`${name}: ${given} rows were read, and ${taken} arrived on the new server`);
    // Plans are made once, and for long.
    await target.run(`analyze "${to}"."${name}"`);
    ports.onCopied(name, given);
  }
  // They look for their tables where these will be.
  for (const { name } of await schemaFunctions(target, cell.arriving, to)) {
    await target.run(`alter function ${name} set search_path = "${cell.schema}"`);
  }
  await target.run("commit");
  await source.run("commit");
}

function tablesOf(session: Session, schema: string): Promise<Table[]> {
  return schemaTables(session, { number: 0, schema, directory: "" }, schema);
}

async function compareMigrations(
  { source, target, cell }: CopyPorts,
  tables: readonly Table[],
): Promise<void> {
  const ran = async (session: Session, schema: string): Promise<string> => {
    const names: string[] = [];
    const notes = (await tablesOf(session, schema)).filter(({ name }) => MIGRATIONS.test(name));
    for (const { name: table } of notes) {
      const read = { name: table, text: `table "${schema}"."${table}"` };
      const rows: readonly { readonly name: string }[] = await session.rows(read, []);
      names.push(...rows.map(({ name }) => `${table} ${name}`));
    }
    return names.toSorted().join("\n");
  };
  const [here, there] = [await ran(source, cell.fenced.schema), await ran(target, cell.arriving.schema)];
  if (here === there && tables.length > 0) return;
  throw new SchemasDiffer("another build of Boathook migrated the cell");
}

/** What cells of products have taken over from a directory, its migrations have made again. */
async function dropOthers({ target, cell }: CopyPorts, tables: readonly Table[]): Promise<void> {
  const kept = new Set(tables.map(({ name }) => name));
  const { schema } = cell.arriving;
  const others = (await tablesOf(target, schema)).filter(({ name }) => !kept.has(name));
  if (others.length === 0) return;
  await target.run(`drop table ${others.map(({ name }) => `"${schema}"."${name}"`).join(", ")}`);
}

async function makePartitions({ target, cell }: CopyPorts, tables: readonly Table[]): Promise<void> {
  const { schema } = cell.arriving;
  for (const { name, parent, bound, options } of tables) {
    if (parent === null) continue;
    const kept = options === null ? "" : ` with (${options})`;
    await target.run(
      `create table if not exists "${schema}"."${name}" partition of "${schema}"."${parent}" ${bound}${kept}`,
    );
  }
}

/** Tables after the tables that their rows refer to. */
export function inOrder<T extends { readonly name: string; readonly needs: readonly string[] }>(
  tables: readonly T[],
): readonly T[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()].join(", ")}`);
    ordered.push(...ready);
    for (const { name } of ready) left.delete(name);
  }
  return ordered;
}
