/**
 * A clock that waits for the work: its time moves only while the test's process is at rest (`rest.ts`), from one timer
 * to the next. So what happens, and at which time, is the same on every machine.
 *
 *     const clock = manualClock();                 // hand it to what is tested, in place of the system's
 *     await clock.advance(10_000);                 // all that ten seconds bring
 *     await clock.until(() => sent === 2, "two");  // as long as it takes, within a day
 *     await clock.atOnce(() => sent === 3, "one");   // without any time
 *     const answer = await clock.drive(ask());     // what only ends when time passes
 *     await clock.rest();                          // all that no time is needed for
 *
 * Never sleep beside it. What it cannot see by itself, as a worker's task, you count with `count` of `rest.ts`; a
 * statement that waits for a lock which your test holds, you `except`.
 */
import assert from "node:assert/strict";

import type { Clock } from "../../src/runtime/clock.ts";
import { atRest } from "./rest.ts";

export type ManualClock = Clock & {
  /**
   * Moves time on by `ms`, firing what falls due, each at its own time. What is due at one moment begins together;
   * all that it sets off ends before the next moment. Timers set by then also fire if they fall due.
   */
  advance(ms: number): Promise<void>;
  /** Moves time from timer to timer until the condition holds; fails after `msMax`, or if no timer waits. */
  until(condition: () => boolean | Promise<boolean>, what: string, msMax?: number): Promise<void>;
  /** Fails unless the condition holds when everything has ended that needs no time. */
  atOnce(condition: () => boolean | Promise<boolean>, what: string): Promise<void>;
  /** Moves time from timer to timer until the promise settles, and returns what it did. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Lets everything end that needs no time. */
  rest(): Promise<void>;
  /** Moves the wall clock alone by `ms`, back if negative, as an operator would who sets it. */
  jump(ms: number): void;
  /** Timers that wait. */
  pending(): number;
};

type Timer = { readonly dueMs: number; readonly action: () => void };

/** 2026-11-02T12:00:00Z: a time of day without meaning, in the middle of everything. */
export const START_MS = Date.UTC(2026, 10, 2, 12);

const DAY_MS = 86_400_000;
/** Timers that fire before something counts as not coming about. */
const STEPS_MAX = 100_000;

/** A clock that stands at `startMs` until it is moved. */
export function manualClock(startMs: number = START_MS): ManualClock {
  // In the order of their due times, and of their making where those are the same.
  const timers: Timer[] = [];
  let monotonicMs = 0;
  let offsetMs = startMs;
  let lastStep: Promise<unknown> = Promise.resolve();

  /** Fires what is due next, all of one moment, unless that is after `untilMs`. Says whether anything was. */
  async function fireNext(untilMs: number): Promise<boolean> {
    await atRest();
    if (timers[0] === undefined || timers[0].dueMs > untilMs) return false;
    monotonicMs = Math.max(monotonicMs, timers[0].dueMs);
    for (let due = timers[0]; due !== undefined && due.dueMs <= monotonicMs; due = timers[0]!) {
      timers.shift();
      due.action();
      await promisesSettled();
    }
    return true;
  }

  /** One step after the other, also of two callers at a time. */
  function step(untilMs: number): Promise<boolean> {
    const stepped = lastStep.then(() => fireNext(untilMs));
    lastStep = stepped.catch(() => undefined);
    return stepped;
  }

  const clock: ManualClock = {
    nowMs: () => offsetMs + monotonicMs,
    monotonicMs: () => monotonicMs,
    after(delayMs, action) {
      const timer = { dueMs: monotonicMs + Math.max(0, delayMs), action };
      const place = timers.findIndex((other) => other.dueMs > timer.dueMs);
      timers.splice(place === -1 ? timers.length : place, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index !== -1) timers.splice(index, 1);
      };
    },
    async advance(ms) {
      const untilMs = monotonicMs + ms;
      while (await step(untilMs));
      monotonicMs = Math.max(monotonicMs, untilMs);
    },
    async until(condition, what, msMax = DAY_MS) {
      const startedMs = monotonicMs;
      for (let steps = 0; ; steps++) {
        await clock.rest();
        if (await condition()) return;
        if (steps < STEPS_MAX && (await step(startedMs + msMax))) continue;
        const passed = `${steps} steps and ${monotonicMs - startedMs} ms; ${timers.length} timers wait`;
        assert.fail(`did not come about after ${passed}: ${what}`);
      }
    },
    atOnce: (condition, what) => clock.until(condition, what, 0),
    async drive(promise) {
      let isOver = false;
      void Promise.allSettled([promise]).then(() => (isOver = true));
      await clock.until(() => isOver, "the end of a call");
      return promise;
    },
    rest: () => clock.advance(0),
    jump(ms) {
      offsetMs += ms;
    },
    pending: () => timers.length,
  };
  return clock;
}

/** Ticks come after all promises, and before anything from outside. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
