/** What a storm cost: the gaps of cells that were well, and the calls that were refused. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import type { Scene } from "./scene.ts";

/** What befell, when, and which cells it befell. */
export type Trouble = {
  readonly name: string;
  readonly cells: ReadonlySet<string>;
  readonly fromMs: number;
  untilMs: number;
};

export type Call = {
  readonly cell: string;
  readonly status: number;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly hasRetryAfter: boolean;
};

/** After its server is back, a cell may refuse for this long: its nodes look for it each second. */
export const RECOVERY_MS = 5_000;
export const GAP_MS_MAX = 2_000;
const ANSWER_MS_MAX = 7_000;

/** A time in which this process itself did nothing: neither its callers nor its receiver. */
export type Stall = { readonly fromMs: number; readonly untilMs: number };

const LOOK_MS = 20;
/** A timer is late by some milliseconds on any machine. */
const STALL_MS_MIN = 50;

/** Records when this process stands still, on a machine that does more than it can, until it is stopped. */
export function watchStalls(): { readonly stalls: readonly Stall[]; stop(): void } {
  const stalls: Stall[] = [];
  let atMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - atMs > LOOK_MS + STALL_MS_MIN) stalls.push({ fromMs: atMs + LOOK_MS, untilMs: nowMs });
    atMs = nowMs;
  }, LOOK_MS);
  return { stalls, stop: () => clearInterval(timer) };
}

export type Gap = {
  /** Without what this process stood still. */
  readonly ms: number;
  readonly stalledMs: number;
  /** How long after the begin of the trouble. */
  readonly afterMs: number;
};

export type Stormed = {
  readonly t: TestContext;
  readonly scene: Scene;
  readonly schemas: readonly string[];
  /** The schemas of accounts. */
  readonly homes: Map<string, string>;
  readonly troubles: Trouble[];
  readonly calls: Call[];
  /** Of this process. */
  readonly stalls: readonly Stall[];
};

/** Before that, processes still compile their code, and endpoints have no connections. */
const WARM_ARRIVALS = 100;

/** Whether each cell has delivered enough for its gaps to say something. */
export function isWarm(storm: Pick<Stormed, "scene" | "homes" | "schemas">): boolean {
  const byCell = arrivalsByCell(storm);
  return storm.schemas.every((schema) => (byCell.get(schema)?.length ?? 0) >= WARM_ARRIVALS);
}

function arrivalsByCell({ scene, homes }: Pick<Stormed, "scene" | "homes">) {
  const cellOf = new Map(scene.endpoints.map(({ path, accountId }) => [path, homes.get(accountId)!]));
  return Map.groupBy(scene.receiver.arrivals, ({ path }) => cellOf.get(path));
}

/** The longest silence of a cell that was well, by trouble. */
export function gapsOf(storm: Stormed): Record<string, Gap> {
  const { schemas, troubles, stalls } = storm;
  const byCell = arrivalsByCell(storm);
  const gaps: Record<string, Gap> = {};
  for (const { name, cells, fromMs, untilMs } of troubles) {
    for (const schema of schemas.filter((one) => !cells.has(one))) {
      const times = (byCell.get(schema) ?? []).map(({ atMs }) => atMs);
      const marks = [fromMs, ...times.filter((atMs) => atMs > fromMs && atMs < untilMs), untilMs];
      for (const [index, mark] of marks.slice(1).entries()) {
        const gap = gapIn(marks[index]!, mark, fromMs, stalls);
        if (gap.ms > (gaps[name]?.ms ?? -1)) gaps[name] = gap;
      }
    }
  }
  return gaps;
}

function gapIn(beganMs: number, endedMs: number, fromMs: number, stalls: readonly Stall[]): Gap {
  const within = ({ fromMs: since, untilMs }: Stall): number =>
    Math.max(0, Math.min(untilMs, endedMs) - Math.max(since, beganMs));
  const stalledMs = stalls.reduce((ms, stall) => ms + within(stall), 0);
  const [ms, afterMs] = [endedMs - beganMs - stalledMs, beganMs - fromMs];
  return { ms: Math.round(ms), stalledMs: Math.round(stalledMs), afterMs: Math.round(afterMs) };
}

/** What was refused, and how soon. */
export function checkCalls({ calls, troubles, t }: Stormed): {
  readonly answerMs: number;
  readonly answerOfWellMs: number;
} {
  const mayRefuse = ({ cell, startedMs, endedMs }: Call): boolean =>
    troubles.some(
      ({ cells, fromMs, untilMs }) =>
        cells.has(cell) && endedMs >= fromMs && startedMs <= untilMs + RECOVERY_MS,
    );
  const refused = calls.filter(({ status }) => status === 503);
  const wrongly = refused.filter((call) => !mayRefuse(call));
  for (const { cell, startedMs, endedMs } of wrongly.slice(0, 20)) {
    const during = troubles.findLast(({ fromMs }) => fromMs <= startedMs);
    const [after, took] = [startedMs - (during?.fromMs ?? 0), endedMs - startedMs].map(Math.round);
    t.diagnostic(`${cell} refused ${after} ms after the begin of ${during?.name}, after ${took} ms`);
  }
  assert.equal(wrongly.length, 0, "a healthy cell refused calls");
  assert.ok(
    refused.every(({ hasRetryAfter }) => hasRetryAfter),
    "a refusal tells when to come again",
  );
  const slowest = (some: readonly Call[]): number =>
    Math.round(some.reduce((ms, call) => Math.max(ms, call.endedMs - call.startedMs), 0));
  const answerMs = slowest(calls);
  assert.ok(answerMs < ANSWER_MS_MAX, `a call was answered only after ${answerMs} ms`);
  return { answerMs, answerOfWellMs: slowest(calls.filter((call) => !mayRefuse(call))) };
}
