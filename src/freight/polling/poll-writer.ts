/**
 * Writes the results of polls, those of a few milliseconds together. Results without events share one statement; the
 * others share a transaction with their events, which are raised where the claim still holds.
 *
 *     polled ─▶ gathered ─▶ written ─▶ saved, or overtaken: another claim has taken over
 *                  └─ one is refused ─▶ each by itself ─▶ refused: its claim runs out
 */
import type { Engine } from "../../engine/engine.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { ReferenceIndex } from "../reference-index/reference-index.ts";
import { otherKeys } from "../reference-index/store/reference-index.ts";
import { writePolls, type PollResult } from "./store/polls.ts";
import { createBatch, type BatchSettings } from "./batch.ts";
import type { PollUpdate } from "./poll-handler.ts";

export type PollWriterPorts = Pick<Engine, "raiseWithin"> & {
  readonly database: Connection;
  readonly clock: Clock;
  readonly index: Pick<ReferenceIndex, "add">;
  readonly product: string;
};

export type PollWritten =
  | { readonly kind: "saved" }
  /** Another claim has taken over: nothing was written, nothing raised. */
  | { readonly kind: "overtaken" }
  /** The database refuses it: nothing was written, nothing raised. */
  | { readonly kind: "refused"; readonly cause: unknown };

/** Rejects with `StoreUnavailable` while the database cannot be reached. */
export type WritePoll = (update: PollUpdate) => Promise<PollWritten>;

/** Writes to one cell, one batch after the other. */
export function createPollWriter(ports: PollWriterPorts, cell: Cell, settings: BatchSettings): WritePoll {
  return createBatch(settings, ports.clock, async (updates) => {
    await ports.index.add(cell, ports.product, keysOf(updates));
    return writeAll(ports, cell, updates);
  });
}

/** What the shipments are found by from now on, beside their references. */
function keysOf(updates: readonly PollUpdate[]): readonly string[] {
  const keys = updates.flatMap(({ result: { state } }) =>
    otherKeys(state?.transportDocuments ?? [], state?.aboard?.imos ?? []),
  );
  return [...new Set(keys)];
}

async function writeAll(
  ports: PollWriterPorts,
  cell: Cell,
  updates: readonly PollUpdate[],
): Promise<readonly PollWritten[]> {
  const withoutEvents = updates.filter(({ events }) => events.length === 0);
  const withEvents = updates.filter(({ events }) => events.length > 0);
  const parts = await Promise.all([
    writeEach(withoutEvents, (part) => writePolls(ports.database, cell, resultsOf(part))),
    writeEach(withEvents, (part) => writeWithEvents(ports, cell, part)),
  ]);
  const outcomes = new Map(parts.flatMap((part) => [...part]));
  return updates.map((update) => outcomes.get(update)!);
}

/** Returns the results whose claim held. */
type WriteBatch = (updates: readonly PollUpdate[]) => Promise<ReadonlySet<PollResult>>;

async function writeEach(
  updates: readonly PollUpdate[],
  write: WriteBatch,
): Promise<ReadonlyMap<PollUpdate, PollWritten>> {
  if (updates.length === 0) return new Map();
  try {
    const held = await retryOnce(() => write(updates));
    return new Map(
      updates.map((update) => [update, held.has(update.result) ? { kind: "saved" } : { kind: "overtaken" }]),
    );
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause;
    if (updates.length === 1) return new Map([[updates[0]!, { kind: "refused", cause }]]);
  }
  // One bad result must not fail the others.
  const outcomes = new Map<PollUpdate, PollWritten>();
  for (const update of updates) {
    for (const [one, saved] of await writeEach([update], write)) outcomes.set(one, saved);
  }
  return outcomes;
}

/** Retries once where the database has undone it: a deadlock of two writers. */
async function retryOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof StoreUnavailable && !cause.commitUnknown) return write();
    throw cause;
  }
}

function resultsOf(updates: readonly PollUpdate[]): readonly PollResult[] {
  return updates.map(({ result }) => result);
}

async function writeWithEvents(
  { raiseWithin }: PollWriterPorts,
  cell: Cell,
  updates: readonly PollUpdate[],
): Promise<ReadonlySet<PollResult>> {
  let held: ReadonlySet<PollResult> = new Set();
  await raiseWithin(cell, async (tx) => {
    held = await writePolls(tx, cell, resultsOf(updates));
    return updates.filter(({ result }) => held.has(result)).flatMap(({ events }) => events);
  });
  return held;
}
