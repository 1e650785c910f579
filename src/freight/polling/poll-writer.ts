/**
 * Writes what came of looks, those of a few milliseconds together. Looks that raise nothing share one
 * statement; the others share a transaction with their events, of those whose claim still holds.
 *
 *     looked ─▶ gathered ─▶ written ─▶ saved, or overtaken: another claim has taken over
 *                  └─ refused for what one look holds ─▶ each by itself ─▶ refused: its claim runs out
 */
import type { Engine } from "../../engine/engine.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { writePolls, type PollResult } from "./store/polls.ts";
import { createBatch, type BatchSettings } from "./batch.ts";
import type { PollUpdate } from "./poll-handler.ts";

export type PollWriterPorts = {
  readonly database: Connection;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly clock: Clock;
};

export type PollWritten =
  | { readonly kind: "saved" }
  /** Another claim has taken over: nothing was written, nothing raised. */
  | { readonly kind: "overtaken" }
  /** The database does not take it; nothing was written, nothing raised. */
  | { readonly kind: "refused"; readonly cause: unknown };

/** Rejects with `StoreUnavailable` while the database cannot be reached. */
export type WritePoll = (finding: PollUpdate) => Promise<PollWritten>;

/** Writes of one cell, one batch after the other. */
export function createPollWriter(ports: PollWriterPorts, cell: Cell, settings: BatchSettings): WritePoll {
  return createBatch(settings, ports.clock, (findings) => writeAll(ports, cell, findings));
}

async function writeAll(
  ports: PollWriterPorts,
  cell: Cell,
  findings: readonly PollUpdate[],
): Promise<readonly PollWritten[]> {
  const silent = findings.filter(({ events }) => events.length === 0);
  const telling = findings.filter(({ events }) => events.length > 0);
  const parts = await Promise.all([
    writeEach(silent, (part) => writeWithoutEvents(ports, cell, part)),
    writeEach(telling, (part) => writeWithEvents(ports, cell, part)),
  ]);
  const outcomes = new Map(parts.flatMap((part) => [...part]));
  return findings.map((finding) => outcomes.get(finding)!);
}

/** Returns what was written: those whose claim held. */
type WriteBatch = (findings: readonly PollUpdate[]) => Promise<ReadonlySet<PollResult>>;

async function writeEach(
  findings: readonly PollUpdate[],
  write: WriteBatch,
): Promise<ReadonlyMap<PollUpdate, PollWritten>> {
  if (findings.length === 0) return new Map();
  try {
    const held = await retryOnce(() => write(findings));
    return new Map(
      findings.map((finding) => [
        finding,
        held.has(finding.result) ? { kind: "saved" } : { kind: "overtaken" },
      ]),
    );
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause;
    if (findings.length === 1) return new Map([[findings[0]!, { kind: "refused", cause }]]);
  }
  // What one look holds is not to fail the others.
  const outcomes = new Map<PollUpdate, PollWritten>();
  for (const finding of findings) {
    for (const [one, saved] of await writeEach([finding], write)) outcomes.set(one, saved);
  }
  return outcomes;
}

/** Once more, where the database said that it has undone it: two writers had waited for each other. */
async function retryOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof StoreUnavailable && !cause.commitUnknown) return write();
    throw cause;
  }
}

function writeWithoutEvents(
  { database }: PollWriterPorts,
  cell: Cell,
  findings: readonly PollUpdate[],
): Promise<ReadonlySet<PollResult>> {
  return writePolls(
    database,
    cell,
    findings.map(({ result }) => result),
  );
}

async function writeWithEvents(
  { raiseWithin }: PollWriterPorts,
  cell: Cell,
  findings: readonly PollUpdate[],
): Promise<ReadonlySet<PollResult>> {
  let held: ReadonlySet<PollResult> = new Set();
  await raiseWithin(cell, async (tx) => {
    held = await writePolls(
      tx,
      cell,
      findings.map(({ result }) => result),
    );
    return findings.filter(({ result }) => held.has(result)).flatMap(({ events }) => events);
  });
  return held;
}
