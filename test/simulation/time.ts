/**
 * Time, timers and chance of the whole process, simulated: import this before anything else. Nothing moves by itself:
 * `run` takes the next timer when everything that the last one set off has come to rest.
 *
 * There is no other input or output in the process, so all of it depends on the seed alone.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import perfHooks, { performance } from "node:perf_hooks";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

import { START_MS } from "./beginning.ts";
import { chanceOf } from "./chance.ts";

/** What timers and sockets belong to: a node, or the world around the nodes. */
export type Owner = {
  readonly name: string;
  readonly number: number;
  state: "running" | "frozen" | "dead";
  /** What waits until the owner runs again. */
  readonly waiting: (() => void)[];
};

export const WORLD: Owner = { name: "world", number: 0, state: "running", waiting: [] };

const owners = new AsyncLocalStorage<Owner>();

export function ownerNow(): Owner {
  return owners.getStore() ?? WORLD;
}

/** Runs what belongs to the owner, in its name: now, once it runs again, or never. */
export function asOwner(owner: Owner, action: () => void): void {
  if (owner.state === "dead") return;
  if (owner.state === "frozen") owner.waiting.push(action);
  else owners.run(owner, action);
}

type Timer = {
  readonly dueMs: number;
  readonly order: number;
  readonly owner: Owner;
  action: (() => void) | null;
};

const RealDate = Date;
const realImmediate = setImmediate;
const realTimeout = setTimeout;

let elapsedMs = 0;
let order = 0;
let activity = 0;
const inFlight = new Set<Promise<void>>();
const jobs: (() => Promise<void>)[] = [];
/** A binary heap by due time, then by the order in which timers were set. */
const heap: Timer[] = [];

/** Milliseconds since the world began. */
export function worldMs(): number {
  return elapsedMs;
}

/** Calls `action` after `delayMs`, in the name of the caller. Returns what cancels it. */
export function after(delayMs: number, action: () => void, owner: Owner = ownerNow()): () => void {
  const timer: Timer = { dueMs: elapsedMs + Math.max(0, delayMs), order: order++, owner, action };
  push(timer);
  return () => {
    timer.action = null;
  };
}

/** Something happened that may set off more. */
export function stirred(): void {
  activity += 1;
}

/** A new world begins at its beginning, without anything from the last one. */
export function beginWorld(): void {
  elapsedMs = 0;
  order = 0;
  heap.length = 0;
  jobs.length = 0;
}

/** Moves time from timer to timer until `isOver` holds or `untilMs` is reached. */
export async function run(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
  for (;;) {
    await rest();
    const job = jobs.shift();
    if (job !== undefined) {
      await job();
      continue;
    }
    if (isOver()) return;
    while (heap[0]?.action === null) pop();
    const next = heap[0];
    if (next === undefined || next.dueMs > untilMs) break;
    pop();
    elapsedMs = Math.max(elapsedMs, next.dueMs);
    activity += 1;
    asOwner(next.owner, next.action!);
  }
  elapsedMs = Math.max(elapsedMs, untilMs);
}

/**
 * Turns of the event loop without anything new after which the process is at rest. Node's own parts go on by immediates
 * that nothing here sees: a few turns too few, and what they do falls into another moment in each run.
 */
const QUIET_TURNS = 8;

async function rest(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    while (inFlight.size > 0) await Promise.race(inFlight);
    const before = activity;
    await new Promise<void>((resolve) => realImmediate(resolve));
    quiet = before === activity ? quiet + 1 : 0;
  }
}

/** Runs what waits for the machine once all else is at rest, one after the other: nothing else happens beside it. */
export function onceAtRest(job: () => Promise<void>): void {
  jobs.push(job);
}

/** Time stands still until it has ended: it waits for the machine. */
export function busy<T>(work: Promise<T>): Promise<T> {
  const counted: Promise<void> = work
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => {
      inFlight.delete(counted);
      activity += 1;
    });
  inFlight.add(counted);
  return work;
}

/** Real milliseconds, while something is `busy`. */
export function realDelay(ms: number): Promise<void> {
  return new Promise((resolve) => realTimeout(resolve, ms));
}

/** What begins a file operation, which is busy until its end. */
function counting<Values extends readonly unknown[], Result>(begin: (...values: Values) => Promise<Result>) {
  return (...values: Values): Promise<Result> => {
    const begun = begin(...values);
    return begun instanceof Promise ? busy(begun) : begun;
  };
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}

function push(timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(timer, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = timer;
}

function pop(): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}

class SimulatedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(START_MS + elapsedMs);
    else super(...(values as []));
  }

  static override now(): number {
    return START_MS + elapsedMs;
  }
}

type Handle = { cancel: () => void };

function timeout(
  action: (...values: readonly unknown[]) => void,
  delayMs = 0,
  ...values: readonly unknown[]
) {
  const begin = () => after(delayMs, () => action(...values), owner);
  const owner = ownerNow();
  const handle: Handle = { cancel: begin() };
  return Object.assign(handle, {
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    refresh() {
      handle.cancel();
      handle.cancel = begin();
      return handle;
    },
    close: () => handle.cancel(),
    [Symbol.dispose]: () => handle.cancel(),
  });
}

function interval(
  action: (...values: readonly unknown[]) => void,
  delayMs = 1,
  ...values: readonly unknown[]
) {
  const handle = timeout(
    () => {
      handle.refresh();
      action(...values);
    },
    Math.max(1, delayMs),
  );
  return handle;
}

function clear(handle: Handle | null | undefined): void {
  handle?.cancel?.();
}

function immediate(action: (...values: readonly unknown[]) => void, ...values: readonly unknown[]) {
  activity += 1;
  const owner = ownerNow();
  return realImmediate(() => {
    activity += 1;
    asOwner(owner, () => action(...values));
  });
}

const replaced = {
  setTimeout: timeout,
  setInterval: interval,
  clearTimeout: clear,
  clearInterval: clear,
  setImmediate: immediate,
};
Object.assign(globalThis, replaced, { Date: SimulatedDate });
Object.assign(timers, replaced);
Object.assign(timersPromises, {
  setTimeout: (delayMs: number, value: unknown) =>
    new Promise((resolve) => timeout(() => resolve(value), delayMs)),
  setImmediate: (value: unknown) => new Promise((resolve) => immediate(() => resolve(value))),
});
for (const [name, one] of Object.entries(files))
  if (typeof one === "function") Object.assign(files, { [name]: counting(one as never) });
performance.now = () => elapsedMs;
// What they measure is the machine's, and each keeps a node that is gone in memory.
Object.assign(perfHooks, {
  PerformanceObserver: class {
    observe(): void {}
  },
  monitorEventLoopDelay: () => ({ enable: () => true, reset: () => undefined, percentile: () => 0 }),
});
syncBuiltinESMExports();

/** Chance of what asks for none of its own. */
export function seedChance(seed: number): void {
  Math.random = chanceOf(seed);
}
