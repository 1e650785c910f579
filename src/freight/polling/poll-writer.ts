/**
 * Writes the results of polls, those of a few milliseconds together. Results without events share one statement; the
 * others share a transaction with their events, which are raised where the claim still holds.
 *
 *     polled ─▶ written (engine/batch-writer.ts) ─▶ saved, or overtaken: another claim has taken over
 *                  └─ refused: its claim runs out
 */
import { createBatch, type BatchBounds } from "../../engine/batch-writer.ts";
import type { Engine } from "../../engine/engine.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { ReferenceIndex } from "../reference-index/reference-index.ts";
import { otherKeys } from "../reference-index/store/reference-index.ts";
import { writePolls, type PollResult } from "./store/polls.ts";
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

/** Writes to one cell. */
export function createPollWriter(ports: PollWriterPorts, cell: Cell, bounds: BatchBounds): WritePoll {
  const share = (write: WriteBatch) =>
    createBatch<PollUpdate, boolean>(
      bounds,
      ports.clock,
      async (updates) => {
        await ports.index.add(cell, ports.product, keysOf(updates));
        const held = await write(updates);
        return updates.map(({ result }) => held.has(result));
      },
      // The database has undone it: a deadlock of two writers.
      { retriesOnce: true },
    );
  const withoutEvents = share((updates) => writePolls(ports.database, cell, resultsOf(updates)));
  const withEvents = share((updates) => writeWithEvents(ports, cell, updates));
  return async (update) => {
    try {
      const isHeld = await (update.events.length === 0 ? withoutEvents : withEvents)(update);
      return { kind: isHeld ? "saved" : "overtaken" };
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause;
      return { kind: "refused", cause };
    }
  };
}

/** Returns the results whose claim held. */
type WriteBatch = (updates: readonly PollUpdate[]) => Promise<ReadonlySet<PollResult>>;

/** What the shipments are found by from now on, beside their references. */
function keysOf(updates: readonly PollUpdate[]): readonly string[] {
  const keys = updates.flatMap(({ result: { state } }) =>
    otherKeys(state?.transportDocuments ?? [], state?.aboard?.imos ?? []),
  );
  return [...new Set(keys)];
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
