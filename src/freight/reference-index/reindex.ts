/**
 * Keeps the reference index complete and small, on every node:
 *
 *     every few seconds ─▶ the parts are read again
 *     a part is incomplete (new, or it missed an entry) ─▶ claimed ─▶ all cells are read through ─▶ complete
 *     a day has passed, or a node has started since ──────▶ likewise: what an older build or a person left out
 *                                                            └─ a cell does not answer: tried again after the claim
 *     an entry is old ─▶ its cell still tracks the reference: verified, else removed
 */
import { failureLevel } from "../../model/errors.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { ReferenceIndex } from "./reference-index.ts";
import { listShipmentKeys } from "./store/reference-index.ts";
import {
  referenceIndexListOld,
  indexPartClaim,
  indexPartComplete,
  referenceIndexAdd,
  referenceIndexRemove,
  shipmentTrackedKeys,
} from "./store/reference-index.sql.ts";

export type ReindexPorts = Omit<NodeContext, "random"> & { readonly index: ReferenceIndex };

/** Well below the time for which nodes know of a new cell before references fall to it (`cells.ts`). */
const REFRESH_INTERVAL_MS = 10 * SECOND_MS;
/** A node that reads the cells through for longer is joined by another. */
const CLAIM_MS = 10 * MINUTE_MS;
/** All cells are read through so often, and after a node's start. */
const FILL_INTERVAL_MS = DAY_MS;
/** A shipment is stored within this time of its entry. */
const SETTLED_MS = 2 * MINUTE_MS;
/** Shipments read by one statement. */
const SHIPMENTS_MAX = 2_000;
const VERIFY_INTERVAL_MS = 10 * MINUTE_MS;
/** An entry is verified so often: longer than nodes remember what they have added. */
const VERIFY_AFTER_MS = 30 * DAY_MS;
/** Entries that one step verifies, and steps of a round in one part. */
const ENTRIES_MAX = 1_000;
const STEPS_MAX = 20;

export function createReindexing(ports: ReindexPorts): Interval {
  const { database, cells, clock, log, index } = ports;
  const startedMs = clock.nowMs();
  let verifiedMs = clock.monotonicMs();
  const run = async (isStopped: () => boolean): Promise<void> => {
    await index.refresh();
    if (cells.length === 1) return;
    await fillParts(ports, Math.max(startedMs, clock.nowMs() - FILL_INTERVAL_MS), isStopped);
    if (clock.monotonicMs() - verifiedMs < VERIFY_INTERVAL_MS) return;
    verifiedMs = clock.monotonicMs();
    for (const part of cells) {
      await verifyOld({ database, cells, clock }, part, isStopped).catch((cause: unknown) =>
        log[failureLevel(cause)]({ cause, cell: part.number }, "old references could not be verified"),
      );
    }
  };
  const options = {
    name: "reference index",
    everyMs: REFRESH_INTERVAL_MS,
    firstAfterMs: REFRESH_INTERVAL_MS,
  };
  return createInterval(ports, options, run, (cause) =>
    log[failureLevel(cause)]({ cause }, "the reference index is not complete; the next round retries"),
  );
}

/**
 * Fills the parts that are incomplete, or were filled before `filledMs`, from the shipments of all cells. Rejects when
 * a cell does not answer.
 */
export async function fillParts(
  { database, cells, clock, log, index }: Omit<ReindexPorts, "loops">,
  filledMs: number,
  isStopped: () => boolean,
): Promise<void> {
  const nowMs = clock.nowMs();
  const claimed = await indexPartClaim(database, cells[0], {
    at: nowMs,
    until: nowMs + CLAIM_MS,
    settled: nowMs - SETTLED_MS,
    filled: filledMs,
  });
  const parts = new Set(claimed.map(({ number }) => number));
  // Who does not know a cell cannot fill its part.
  if (parts.size === 0 || [...parts].some((number) => cells[number] === undefined)) return;
  for (const cell of cells) {
    for (let afterId = FIRST_ID; ;) {
      if (isStopped()) return;
      const shipments = await listShipmentKeys(database, cell, afterId, SHIPMENTS_MAX);
      const keys = shipments.flatMap(({ product, references }) =>
        references.map((reference) => ({ product, reference, number: cell.number })),
      );
      const placed = keys.flatMap((entry) =>
        index
          .cellsSince(entry.reference, nowMs)
          .filter(({ number }) => parts.has(number))
          .map((part) => ({ part, entry })),
      );
      for (const [part, some] of Map.groupBy(placed, (one) => one.part)) {
        const entries = some.map(({ entry }) => entry);
        await referenceIndexAdd(database, part, { entries, at: clock.nowMs() });
      }
      const last = shipments.at(-1);
      if (shipments.length < SHIPMENTS_MAX || last === undefined) break;
      afterId = last.id;
    }
  }
  // All that was tracked or missed before the claim is in the index now.
  for (const { number, misses } of claimed)
    await indexPartComplete(database, cells[0], { number, misses: Number(misses), at: nowMs });
  await index.refresh();
  log.debug({ cells: [...parts] }, "the reference index is complete");
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Verifies the entries of one part that are old. Those of a cell that does not answer stay. */
export async function verifyOld(
  { database, cells, clock }: Pick<ReindexPorts, "database" | "cells" | "clock">,
  part: Cell,
  isStopped: () => boolean,
): Promise<void> {
  const nowMs = clock.nowMs();
  const beforeMs = nowMs - VERIFY_AFTER_MS;
  for (let step = 0; step < STEPS_MAX && !isStopped(); step += 1) {
    const old = await referenceIndexListOld(database, part, { before: beforeMs, limit: ENTRIES_MAX });
    if (old.length === 0) return;
    for (const [number, entries] of Map.groupBy(old, (entry) => entry.number)) {
      const cell = cells[number];
      if (cell === undefined) continue;
      const tracked = (await shipmentTrackedKeys(database, cell, entries)).map((key) => ({ ...key, number }));
      await referenceIndexAdd(database, part, { entries: tracked, at: nowMs });
      await referenceIndexRemove(database, part, { entries, before: beforeMs });
    }
  }
}
