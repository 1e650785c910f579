/** How outside sources answered, as all nodes have written it. */
import { MINUTE_MS } from "../../../runtime/durations.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { sourceNote, sourceTurn, type sourceList, type sourceSkipList } from "./sources.sql.ts";

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

/** A source that has done nothing but fail for so long is down. */
const DOWN_AFTER_MS = 5 * MINUTE_MS;

/** Each source once. Returns how many of them went down, or answer again: that is reported. */
export async function noteSources(
  db: Connection,
  directory: Cell,
  seen: readonly SeenSource[],
  nowMs: number,
): Promise<number> {
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
  const names = seen.map(({ source }) => source);
  return (await sourceTurn(db, directory, { names, downAfterMs: DOWN_AFTER_MS, at: nowMs })).count;
}

export type SeenSkip = {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  readonly example: string;
};

/** Reasons of one source. What it writes is among them: there may be any number. */
export const REASONS_MAX = 100;

export type StoredSource = RowOf<typeof sourceList>;

export type StoredSkip = RowOf<typeof sourceSkipList>;
