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
import { savePolls, type PollResult } from "./store/polls.ts";
import { createBatch, type BatchSettings } from "./batch.ts";
import type { Finding } from "./looks.ts";

export type SavingPorts = {
  readonly database: Connection;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly clock: Clock;
};

export type Saved =
  | { readonly kind: "saved" }
  /** Another claim has taken over: nothing was written, nothing raised. */
  | { readonly kind: "overtaken" }
  /** The database does not take it; nothing was written, nothing raised. */
  | { readonly kind: "refused"; readonly cause: unknown };

/** Rejects with `StoreUnavailable` while the database cannot be reached. */
export type Save = (finding: Finding) => Promise<Saved>;

/** Writes of one cell, one batch after the other. */
export function createSaving(ports: SavingPorts, cell: Cell, settings: BatchSettings): Save {
  return createBatch(settings, ports.clock, (findings) => saveAll(ports, cell, findings));
}

async function saveAll(
  ports: SavingPorts,
  cell: Cell,
  findings: readonly Finding[],
): Promise<readonly Saved[]> {
  const silent = findings.filter(({ events }) => events.length === 0);
  const telling = findings.filter(({ events }) => events.length > 0);
  const parts = await Promise.all([
    written(silent, (part) => saveSilent(ports, cell, part)),
    written(telling, (part) => saveTelling(ports, cell, part)),
  ]);
  const outcomes = new Map(parts.flatMap((part) => [...part]));
  return findings.map((finding) => outcomes.get(finding)!);
}

/** Returns what was written: those whose claim held. */
type Write = (findings: readonly Finding[]) => Promise<ReadonlySet<PollResult>>;

async function written(findings: readonly Finding[], write: Write): Promise<ReadonlyMap<Finding, Saved>> {
  if (findings.length === 0) return new Map();
  try {
    const held = await again(() => write(findings));
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
  const outcomes = new Map<Finding, Saved>();
  for (const finding of findings) {
    for (const [one, saved] of await written([finding], write)) outcomes.set(one, saved);
  }
  return outcomes;
}

/** Once more, where the database said that it has undone it: two writers had waited for each other. */
async function again<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof StoreUnavailable && !cause.inDoubt) return write();
    throw cause;
  }
}

function saveSilent(
  { database }: SavingPorts,
  cell: Cell,
  findings: readonly Finding[],
): Promise<ReadonlySet<PollResult>> {
  return savePolls(
    database,
    cell,
    findings.map(({ result }) => result),
  );
}

async function saveTelling(
  { raiseWithin }: SavingPorts,
  cell: Cell,
  findings: readonly Finding[],
): Promise<ReadonlySet<PollResult>> {
  let held: ReadonlySet<PollResult> = new Set();
  await raiseWithin(cell, async (tx) => {
    held = await savePolls(
      tx,
      cell,
      findings.map(({ result }) => result),
    );
    return findings.filter(({ result }) => held.has(result)).flatMap(({ events }) => events);
  });
  return held;
}
