/**
 * Who used the processors, from `/proc`: the processes that take part, PostgreSQL with all its backends, and
 * whatever else ran on the machine, without which rates say little.
 */
import { readFileSync, readdirSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Seconds of processor time, so far or between two looks. */
export type ProcessorTime = {
  readonly byProcess: Readonly<Record<string, number>>;
  /** Of the whole machine, those of `byProcess` included. */
  readonly busy: number;
  readonly available: number;
};

/** @param families processes by name; each counts with its children, living and dead */
export function processorTime(families: Readonly<Record<string, number>>): ProcessorTime {
  const parents = parentsOf(readdirSync("/proc").filter((name) => /^\d+$/.test(name)));
  const byProcess = Object.fromEntries(
    Object.entries(families).map(([name, pid]) => [name, ticksOfFamily(pid, parents) / TICKS_PER_SECOND]),
  );
  // proc(5): user nice system idle iowait irq softirq steal
  const all = readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  const available = all.reduce((sum, ticks) => sum + ticks, 0);
  const busy = available - all[3]! - all[4]!;
  return { byProcess, busy: busy / TICKS_PER_SECOND, available: available / TICKS_PER_SECOND };
}

export function between(from: ProcessorTime, to: ProcessorTime): ProcessorTime {
  const byProcess = Object.fromEntries(
    Object.entries(to.byProcess).map(([name, seconds]) => [name, seconds - from.byProcess[name]!]),
  );
  return { byProcess, busy: to.busy - from.busy, available: to.available - from.available };
}

/** The part of the machine that went to processes which do not take part. */
export function shareOfOthers({ byProcess, busy, available }: ProcessorTime): number {
  const ours = Object.values(byProcess).reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(0, busy - ours) / available;
}

/** `receiver 51 µs, service 85 µs`. */
export function perDelivery({ byProcess }: ProcessorTime, deliveries: number): string {
  return Object.entries(byProcess)
    .map(([name, seconds]) => `${name} ${((seconds * 1e6) / deliveries).toFixed(0)} µs`)
    .join(", ");
}

type Stat = { readonly parent: number; readonly ticks: number; readonly ticksOfDead: number };

function statOf(pid: number | string): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // What follows the name, which may hold anything, begins with the third field of proc(5).
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return { parent: field(4), ticks: field(14) + field(15), ticksOfDead: field(16) + field(17) };
}

function parentsOf(pids: readonly string[]): ReadonlyMap<number, Stat[]> {
  const parents = new Map<number, Stat[]>();
  for (const pid of pids) {
    const stat = statOf(pid);
    if (stat === null) continue;
    const siblings = parents.get(stat.parent);
    if (siblings === undefined) parents.set(stat.parent, [stat]);
    else siblings.push(stat);
  }
  return parents;
}

function ticksOfFamily(pid: number, parents: ReadonlyMap<number, readonly Stat[]>): number {
  const own = statOf(pid);
  const children = parents.get(pid) ?? [];
  return (own?.ticks ?? 0) + (own?.ticksOfDead ?? 0) + children.reduce((sum, child) => sum + child.ticks, 0);
}
