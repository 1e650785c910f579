/**
 * Rates as lines: each holds from its first day until its last, or until the next one begins; a promotion goes before the
 * standard rate.
 */
import type { PastRate } from "./answers.ts";

const DAY_MS = 86_400_000;

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The rates in force of each lane → a value of each at each day on which one changes, and at the day before it. */
export function stepsOf(lanes: readonly (readonly PastRate[])[], todayMs: number) {
  const inForce = lanes.map((rates) => rates.filter(({ ended_at: ended }) => ended === null));
  const days = new Set<number>();
  for (const { valid_from: from, valid_to: to } of inForce.flat()) {
    days.add(dayMs(from)).add(dayMs(from) - DAY_MS);
    if (to !== null) days.add(dayMs(to)).add(dayMs(to) + DAY_MS);
  }
  const today = Math.floor(todayMs / DAY_MS) * DAY_MS;
  const first = Math.min(today, ...inForce.flat().map(({ valid_from: from }) => dayMs(from)));
  const times = [...days.add(today)].filter((ms) => ms >= first).toSorted((one, other) => one - other);
  const values = inForce.map((rates) => times.map((ms) => totalAt(rates, ms)));
  return { times: times.map((ms) => ms / 1_000), values };
}

function totalAt(rates: readonly PastRate[], ms: number): number | null {
  const runs = rates.filter(
    ({ valid_from: from, valid_to: to }) => dayMs(from) <= ms && (to === null || dayMs(to) >= ms),
  );
  const holds = runs.find(({ layer }) => layer === "promotion") ?? runs[0];
  return holds === undefined ? null : Number(holds.total);
}
