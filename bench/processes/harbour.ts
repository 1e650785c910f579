/**
 * The simulated harbour, in its own process: ten carriers that answer as of a moment that the runner sets. No carrier
 * has a bad spell unless the runner makes it fail.
 */
import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import { carrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
import { LINES } from "../../packages/simulator/src/harbour/lines.ts";
import { serveHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { createOutageCalendar, type OutageCalendar } from "../../packages/simulator/src/harbour/outages.ts";
import { answerCalls } from "./calls.ts";

/** `silent` keeps every request until its asker gives up; `failing` answers 503. */
export type FailureMode = "silent" | "failing";

const HOUR_MS = 3_600_000;
const HOURS_MAX = 10_000;

const failures = new Map<string, FailureMode>();
let outages: OutageCalendar;
let nowMs = 0;

/** The first moment from then on at which no carrier is in a bad spell. */
function firstMsWithoutOutage(atMs: number): number {
  let calmMs = atMs;
  while (LINES.some((line) => outages.at(line, calmMs) !== null)) calmMs += HOUR_MS;
  return calmMs;
}

const calls = {
  /** Serves a world at a moment; the carriers are entries of the carriers file. */
  async open(world: {
    readonly seed: number;
    readonly boxes: number;
    readonly startMs: number;
    readonly atMs: number;
  }): Promise<readonly Carrier[]> {
    outages = createOutageCalendar(world.seed);
    nowMs = firstMsWithoutOutage(world.atMs);
    const harbour = createHarbour(world);
    const { url } = await serveHarbour({
      harbour: {
        ...harbour,
        answer(scac, asked, headers, atMs) {
          const death = failures.get(scac);
          if (death === undefined) return harbour.answer(scac, asked, headers, atMs);
          return { status: death === "silent" ? 0 : 503, headers: {}, body: "" };
        },
        // Tokens outlive every move of the clock.
        token: (scac, form, atMs) => harbour.token(scac, form, atMs, HOURS_MAX),
      },
      clock: { nowMs: () => nowMs },
      startMs: nowMs,
      speed: 1,
    });
    return harbour.lines.map((line) => carrierEntry(line, url, "now"));
  },
  moveTo({ atMs }: { atMs: number }): void {
    nowMs = firstMsWithoutOutage(atMs);
  },
  kill({ scac, death }: { scac: string; death: FailureMode | null }): void {
    if (death === null) failures.delete(scac);
    else failures.set(scac, death);
  },
};

export type HarbourCalls = typeof calls;

answerCalls(calls);
