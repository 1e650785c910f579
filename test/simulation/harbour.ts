/**
 * Carriers of a world, who know the truth: the service polls containers there through all that goes wrong, and what it
 * raises is judged. The harbour's time goes faster than the world's, so that minutes see a journey's end; carriers date
 * their answers by it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { carrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import {
  createHarbour,
  type Harbour,
  type HarbourBox,
} from "../../packages/simulator/src/harbour/harbour.ts";
import { serveHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { truthOf } from "../../packages/simulator/src/harbour/truth.ts";
import { START_MS, worldMs } from "./time.ts";

export type Sources = {
  /** Settings of nodes that poll there. */
  readonly environment: Readonly<Record<string, string>>;
  /** What can be tracked, in the order of the story's numbers. */
  readonly boxes: readonly HarbourBox[];
  readonly harbour: Harbour;
  /** From now on the carriers say nothing more. */
  stand(): void;
  /** What the carriers' statements about a container come to; null: its carrier does not answer, or says nothing. */
  statusOf(box: HarbourBox): string | null;
  close(): Promise<void>;
};

const PORT = 7_001;
const CONSIGNMENTS = 60;
const BOXES = 10;
/** A day in five seconds. */
const SPEED = 86_400 / 5;
export const POLL_INTERVAL_MS = 4_000;

/** `onAnswer` gets a line for each answer of a carrier. */
export async function openSources(seed: number, onAnswer: (line: string) => void): Promise<Sources> {
  const harbour = createHarbour({ seed, boxes: CONSIGNMENTS, startMs: START_MS });
  let standsMs = Number.POSITIVE_INFINITY;
  const clock = { nowMs: () => START_MS + Math.min(worldMs(), standsMs) };
  const noted: Harbour = {
    ...harbour,
    answer(scac, asked, headers, atMs) {
      const answer = harbour.answer(scac, asked, headers, atMs);
      onAnswer(`${scac} answers ${String(asked)} with ${answer.status}`);
      return answer;
    },
  };
  const { url, close } = await serveHarbour({
    harbour: noted,
    clock,
    startMs: START_MS,
    speed: SPEED,
    port: PORT,
  });
  const folder = mkdtempSync(join(tmpdir(), "boathook-sources-"));
  const file = join(folder, "carriers.json");
  const carriers = harbour.lines.map((line) => carrierEntry(line, url, "answer-date"));
  writeFileSync(file, JSON.stringify(carriers), { mode: 0o600 });
  return {
    environment: {
      BOATHOOK_ROLES: "api,deliver,poll",
      BOATHOOK_CARRIERS_FILE: file,
      BOATHOOK_POLL_INTERVAL: `${POLL_INTERVAL_MS}ms`,
      BOATHOOK_POLL_INTERVAL_NEAR: `${POLL_INTERVAL_MS}ms`,
    },
    boxes: Array.from({ length: harbour.boxCount }, (_, index) => harbour.boxAt(index))
      .filter((box) => isClear(harbour, box))
      .slice(0, BOXES),
    harbour,
    stand: () => (standsMs = worldMs()),
    statusOf: (box) => trueStatus(harbour, box, START_MS + (clock.nowMs() - START_MS) * SPEED),
    async close() {
      rmSync(folder, { recursive: true });
      await close();
    },
  };
}

/** Its carrier forgets nothing and answers with nothing old, so that rare polls end where frequent ones do. */
function isClear(harbour: Harbour, { index, type, knownMs }: HarbourBox): boolean {
  const { facts, older, single } = harbour.lifeAt(index);
  return (
    single &&
    type === "container_id" &&
    knownMs < START_MS &&
    older.length === 0 &&
    facts.every(({ prunedMs }) => prunedMs === Number.POSITIVE_INFINITY)
  );
}

function trueStatus(harbour: Harbour, { index }: HarbourBox, atMs: number): string | null {
  const life = harbour.lifeAt(index);
  if (life.outages.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)) return null;
  const { statusChanges } = truthOf(life, { fromMs: START_MS, armedFromMs: null, freeDays: 0 });
  return statusChanges.findLast((one) => one.atMs <= atMs)?.status ?? null;
}
