/**
 * Who used the processors, from `/proc`: the processes that take part, and whatever else ran on the machine,
 * without which rates say little.
 */
import { readFileSync, readdirSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Seconds of processor time so far. */
export type ProcessorTime = {
  /** Each with all its descendants, living and dead. */
  readonly byProcess: Readonly<Record<string, number>>;
  /** Of the whole machine. */
  readonly busy: number;
  readonly available: number;
};

/** @param processes their numbers by name */
export function processorTime(processes: Readonly<Record<string, number>>): ProcessorTime {
  const children = childrenByParent();
  const byProcess = Object.fromEntries(
    Object.entries(processes).map(([name, pid]) => [name, ticksOf(statOf(pid), children) / TICKS_PER_SECOND]),
  );
  // proc(5): user nice system idle iowait irq softirq steal
  const all = readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  const available = all.reduce((sum, ticks) => sum + ticks, 0);
  const busy = available - all[3]! - all[4]!;
  return { byProcess, busy: busy / TICKS_PER_SECOND, available: available / TICKS_PER_SECOND };
}

/** The part of the machine that went to processes which were not asked about. */
export function shareOfOthers(from: ProcessorTime, to: ProcessorTime): number {
  const ours = sum(to.byProcess) - sum(from.byProcess);
  return Math.max(0, to.busy - from.busy - ours) / (to.available - from.available);
}

/** `service 85 µs, receiver 51 µs`. */
export function perDelivery(from: ProcessorTime, to: ProcessorTime, deliveries: number): string {
  return Object.entries(to.byProcess)
    .map(
      ([name, seconds]) =>
        `${name} ${(((seconds - from.byProcess[name]!) * 1e6) / deliveries).toFixed(0)} µs`,
    )
    .join(", ");
}

const sum = (byProcess: ProcessorTime["byProcess"]) =>
  Object.values(byProcess).reduce((total, seconds) => total + seconds, 0);

/** Its children that run now. */
export function childrenOf(pid: number): readonly number[] {
  return (childrenByParent().get(pid) ?? []).map((child) => child.pid);
}

type Stat = { readonly pid: number; readonly parent: number; readonly ticks: number };

function statOf(pid: number): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // What follows the name, which may hold anything, begins with the third field of proc(5).
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  // utime, stime, and the same of children that are gone.
  return { pid, parent: field(4), ticks: field(14) + field(15) + field(16) + field(17) };
}

function childrenByParent(): ReadonlyMap<number, readonly Stat[]> {
  const stats = readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  );
  return Map.groupBy(stats, ({ parent }) => parent);
}

function ticksOf(stat: Stat | null, children: ReadonlyMap<number, readonly Stat[]>): number {
  if (stat === null) return 0;
  return (children.get(stat.pid) ?? []).reduce(
    (total, child) => total + ticksOf(child, children),
    stat.ticks,
  );
}
