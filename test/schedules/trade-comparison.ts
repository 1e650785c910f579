/** What is raised over some time of the simulated trade, held against its truth. */
import type { LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import type { TrueEvent, TruthOptions } from "../../packages/simulator/src/liners/truth/true-event.ts";
import { truthOf } from "../../packages/simulator/src/liners/truth/truth.ts";
import { recordInMemory } from "./record-in-memory.ts";
import { DAY_MS } from "./said.ts";
import { SETTINGS } from "./scene.ts";
import { liveThrough, stepsOf, type Living, type Plan } from "./trade.ts";

export type TradeComparison = {
  /** Lines: what is missing and what is too much, in the order of time. */
  readonly differences: readonly string[];
  /** All that are called for. */
  readonly events: readonly TrueEvent[];
};

export const TRUTH_OPTIONS: TruthOptions = { cutOffHours: SETTINGS.cutOffHours, ...SETTINGS.reliability };

export async function compare(trade: LinerTrade, plan: Plan, living: Living): Promise<TradeComparison> {
  const steps = stepsOf(trade, plan);
  const truth = truthOf(trade, steps, TRUTH_OPTIONS);
  const lived = await liveThrough(trade, steps, living);
  return { differences: differences(truth.map(line), lived.map(line)), events: truth };
}

/** Without a store. */
export function compareInMemory(trade: LinerTrade, plan: Plan): Promise<TradeComparison> {
  const record = recordInMemory(SETTINGS);
  let workedOut = "";
  return compare(trade, plan, {
    takeIn: async (told) => record.takeIn(told),
    async look(nowMs) {
      const due = record.lookAtDue(nowMs);
      const yesterday = new Date(nowMs - DAY_MS).toISOString().slice(0, 10);
      if (workedOut === yesterday) return due;
      workedOut = yesterday;
      return [...due, ...record.dayEnded(yesterday)];
    },
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

/** Each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const rest = new Map<string, number>();
  for (const one of others) rest.set(one, (rest.get(one) ?? 0) + 1);
  return lines.filter((one) => {
    const left = rest.get(one) ?? 0;
    rest.set(one, left - 1);
    return left <= 0;
  });
}
