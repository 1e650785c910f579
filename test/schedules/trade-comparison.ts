/** Compares the events that a run of the simulated trade raises with its truth. */
import type { LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import type { TrueEvent, TruthOptions } from "../../packages/simulator/src/liners/truth/true-event.ts";
import { truthOf } from "../../packages/simulator/src/liners/truth/truth.ts";
import { recordInMemory } from "./record-in-memory.ts";
import { DAY_MS } from "./statements.ts";
import { SETTINGS } from "./scene.ts";
import { runTrade, stepsOf, type TradeRecord, type Plan } from "./trade.ts";

export type TradeComparison = {
  /** Lines: events that are missing or too much, by time. */
  readonly differences: readonly string[];
  /** All that the truth calls for. */
  readonly events: readonly TrueEvent[];
};

export const TRUTH_OPTIONS: TruthOptions = { cutOffHours: SETTINGS.cutOffHours, ...SETTINGS.reliability };

export async function compare(trade: LinerTrade, plan: Plan, record: TradeRecord): Promise<TradeComparison> {
  const steps = stepsOf(trade, plan);
  const truth = truthOf(trade, steps, TRUTH_OPTIONS);
  const raised = await runTrade(trade, steps, record);
  return { differences: differences(truth.map(line), raised.map(line)), events: truth };
}

/** Without a store. */
export function compareInMemory(trade: LinerTrade, plan: Plan): Promise<TradeComparison> {
  const record = recordInMemory(SETTINGS);
  let lastDay = "";
  return compare(trade, plan, {
    ingest: async (update) => record.ingest(update),
    async check(nowMs) {
      const due = record.processDue(nowMs);
      const yesterday = new Date(nowMs - DAY_MS).toISOString().slice(0, 10);
      if (lastDay === yesterday) return due;
      lastDay = yesterday;
      return [...due, ...record.endDay(yesterday)];
    },
    records: async () => record.records(),
  });
}

function line({ atMs, type, about }: TrueEvent): string {
  return `${new Date(atMs).toISOString()} ${type} ${about}`;
}

function differences(wanted: readonly string[], had: readonly string[]): readonly string[] {
  const missing = without(wanted, had).map((one) => `${one} is missing`);
  const more = without(had, wanted).map((one) => `${one} is too much`);
  return [...missing, ...more].toSorted();
}

/** A line that is there twice and once in `others` is left once. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const rest = new Map<string, number>();
  for (const one of others) rest.set(one, (rest.get(one) ?? 0) + 1);
  return lines.filter((one) => {
    const left = rest.get(one) ?? 0;
    rest.set(one, left - 1);
    return left <= 0;
  });
}
