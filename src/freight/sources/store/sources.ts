/** How outside sources answered, as all nodes have written it. */
import { int4Array, textArray, timestampArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import * as sql from "./statements.ts";

/** What a node has seen of a source since it last wrote. */
export type SeenSource = {
  readonly source: string;
  /** The last request or push; null: none since. */
  readonly last: { readonly atMs: number; readonly subject: string | null; readonly outcome: string } | null;
  readonly answeredAtMs: number | null;
  readonly failed: { readonly atMs: number; readonly failure: string } | null;
  readonly requests: number;
  readonly failures: number;
  readonly waits: { readonly untilMs: number; readonly reason: string } | null;
};

/** Each source once. */
export async function noteSources(
  db: Connection,
  directory: Cell,
  seen: readonly SeenSource[],
  nowMs: number,
): Promise<void> {
  await db.rows(sql.sourceNote(directory), [
    textArray(seen.map(({ source }) => source)),
    timestampArray(seen.map(({ last }) => last?.atMs ?? null)),
    textArray(seen.map(({ last }) => last?.subject ?? null)),
    textArray(seen.map(({ last }) => last?.outcome ?? null)),
    timestampArray(seen.map(({ answeredAtMs }) => answeredAtMs)),
    timestampArray(seen.map(({ failed }) => failed?.atMs ?? null)),
    textArray(seen.map(({ failed }) => failed?.failure ?? null)),
    int4Array(seen.map(({ requests }) => requests)),
    int4Array(seen.map(({ failures }) => failures)),
    timestampArray(seen.map(({ waits }) => waits?.untilMs ?? null)),
    textArray(seen.map(({ waits }) => waits?.reason ?? null)),
    new Date(nowMs),
  ]);
}

export type SeenSkip = {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  readonly example: string;
};

/** Reasons of one source. What it writes is among them: there may be any number. */
const REASONS_MAX = 100;

/** Each reason of a source once. */
export async function noteSkips(
  db: Connection,
  directory: Cell,
  seen: readonly SeenSkip[],
  nowMs: number,
): Promise<void> {
  await db.rows(sql.sourceSkipNote(directory), [
    textArray(seen.map(({ source }) => source)),
    textArray(seen.map(({ reason }) => reason)),
    int4Array(seen.map(({ count }) => count)),
    textArray(seen.map(({ example }) => example)),
    new Date(nowMs),
    REASONS_MAX,
  ]);
}

export async function pruneSkips(db: Connection, directory: Cell, beforeMs: number): Promise<void> {
  await db.rows(sql.sourceSkipPrune(directory), [new Date(beforeMs)]);
}

export type StoredSource = RowOf<typeof sql.sourceList>;

export function listSources(db: Connection, directory: Cell, names: readonly string[]) {
  return db.rows(sql.sourceList(directory), [textArray(names)]);
}

export type StoredSkip = RowOf<typeof sql.sourceSkipList>;

export function listSkips(db: Connection, directory: Cell, names: readonly string[]) {
  return db.rows(sql.sourceSkipList(directory), [textArray(names), REASONS_MAX]);
}
