/** What an intake reads, made longer, and its reader. */
import type { Clock } from "../../../src/runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../src/runtime/time-slices.ts";

type Read = (text: string, clock: Pick<Clock, "monotonicMs">) => unknown;

export type Intake = {
  readonly read: Read;
  /** How many, and the text that has so many. */
  readonly texts: Readonly<Record<string, readonly [n: number, text: (n: number) => string]>>;
};

export const NOW_MS = Date.UTC(2026, 10, 20, 12);

export const sliced =
  (steps: (text: string) => SlicedWork<unknown>): Read =>
  (text, clock) =>
    runInSlices(steps(text), clock);

export const many = (n: number, one: (at: number) => string, between = ""): string =>
  Array.from({ length: n }, (_, at) => one(at)).join(between);
export const listed = (n: number, one: (at: number) => object): string =>
  JSON.stringify(Array.from({ length: n }, (_, at) => one(at)));

export const minute = (at: number): string => new Date(Date.UTC(2026, 9, 1) + at * 60_000).toISOString();
export const letters = (at: number): string =>
  String.fromCharCode(...[676, 26, 1].map((by) => 65 + (Math.floor(at / by) % 26)));
