/** How outside sources answered, as all nodes have written it. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { sourceList } from "./sources.sql.ts";
import { sourceNote, sourceSkipList, sourceSkipNote } from "./sources.sql.ts";

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
  await sourceNote(db, directory, {
    sources: seen.map(({ last, failed, waits, ...counted }) => ({
      source: counted.source,
      askedAt: last?.atMs ?? null,
      subject: last?.subject ?? null,
      outcome: last?.outcome ?? null,
      answeredAt: counted.answeredAtMs,
      failedAt: failed?.atMs ?? null,
      failure: failed?.failure ?? null,
      requests: counted.requests,
      failures: counted.failures,
      waitsUntil: waits?.untilMs ?? null,
      waitsFor: waits?.reason ?? null,
    })),
    at: nowMs,
  });
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
  await sourceSkipNote(db, directory, { skips: seen, now: nowMs, reasonsMax: REASONS_MAX });
}

export type StoredSource = RowOf<typeof sourceList>;

export type StoredSkip = RowOf<typeof sourceSkipList>;

export function listSkips(db: Connection, directory: Cell, names: readonly string[]) {
  return sourceSkipList(db, directory, { names, reasonsMax: REASONS_MAX });
}
