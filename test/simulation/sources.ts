/**
 * Carriers, airlines and liner services of a world, who know the truth: the service polls containers, waybills and
 * schedules there through all that goes wrong, and what it raises is judged. Their time goes faster than the world's, so
 * that minutes see a journey's end, and carriers and airlines date their answers by it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { airlineEntry } from "../../packages/simulator/src/airport/airlines-file.ts";
import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { reportTimes } from "../../packages/simulator/src/airport/life.ts";
import { outagesBetween } from "../../packages/simulator/src/airport/outages.ts";
import { serveAirport } from "../../packages/simulator/src/airport/server.ts";
import { truthOf as truthOfWaybill } from "../../packages/simulator/src/airport/truth.ts";
import { carrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import {
  createHarbour,
  type Harbour,
  type HarbourBox,
} from "../../packages/simulator/src/harbour/harbour.ts";
import { createOutageCalendar } from "../../packages/simulator/src/harbour/outages.ts";
import { serveHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { truthOf as truthOfBox } from "../../packages/simulator/src/harbour/truth.ts";
import { type Story, STORY_MS, storyOf } from "./story.ts";
import { START_MS } from "./beginning.ts";
import { stirred, worldMs } from "./time.ts";
import { openTrade, type Trade, TRADE_SPEED } from "./trade.ts";

/** What can be tracked. */
export type Trackable = {
  readonly product: "tracking" | "air";
  readonly reference: string;
  /** Of a container: without it, one whose journey is over may be nobody's. */
  readonly carrier: string | null;
  /** What the statements about it come to; null: its source does not answer, or says nothing that decides. */
  trueStatus(): string | null;
};

export type Sources = {
  /** Settings of nodes that poll there. */
  readonly environment: Readonly<Record<string, string>>;
  /** In the order of the story's numbers: containers and waybills in turn. */
  readonly trackable: readonly Trackable[];
  readonly trade: Trade;
  /** From now on the sources say nothing more. */
  stand(): void;
  close(): Promise<void>;
};

type Ports = {
  /** The sources' time. */
  readonly nowMs: () => number;
  readonly onAnswer: (line: string) => void;
  /** A carrier says of a container what it did not say before. */
  readonly onChanged: () => void;
  /** When the story tracks, in the sources' time: containers and waybills in turn. */
  readonly trackedMs: readonly number[];
};

const HARBOUR_PORT = 7_001;
const AIRPORT_PORT = 7_002;
export const isSource = (place: string): boolean =>
  place.endsWith(`:${HARBOUR_PORT}`) || place.endsWith(`:${AIRPORT_PORT}`);
const LOOKED_THROUGH = 60;
/** A day in five seconds. */
const SPEED = 86_400 / 5;
const ENDS_MS = START_MS + STORY_MS * SPEED;
export const POLL_INTERVAL_MS = 4_000;
const AIR_POLL_INTERVAL_MS = 1_000;
/** Nodes lie frozen for longer, so that others overtake their polls. */
export const POLL_LEASE_MS = 20_000;

/** `onAnswer` gets a line for each answer of a source. */
export async function openSources(
  { seed, lastsMs }: Story,
  { onAnswer, onChanged }: Pick<Ports, "onAnswer" | "onChanged">,
): Promise<Sources> {
  let standsMs = Number.POSITIVE_INFINITY;
  const nowMs = () => Math.floor(START_MS + Math.min(worldMs(), standsMs) * SPEED);
  // Of the whole story: a step that is left out changes nothing else.
  const tracked = storyOf(seed).steps.filter((step) => step.do === "track");
  const trackedMs = tracked
    .toSorted((one, other) => one.number - other.number)
    .map(({ atMs }) => START_MS + atMs * SPEED);
  const ports = { nowMs, onAnswer, onChanged, trackedMs };
  const tradeMs = () => Math.floor(START_MS + Math.min(worldMs(), lastsMs) * TRADE_SPEED);
  const trade = await openTrade(seed, { nowMs: tradeMs, onAnswer });
  const folder = mkdtempSync(join(tmpdir(), "boathook-sources-"));
  const [harbour, airport] = [await openHarbour(seed, ports), await openAirport(seed, ports)];
  const fileOf = (name: string, entries: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(entries), { mode: 0o600 });
    return file;
  };
  const every = `${POLL_INTERVAL_MS}ms`;
  return {
    environment: {
      BOATHOOK_ROLES: "api,deliver,poll",
      BOATHOOK_CARRIERS_FILE: fileOf("carriers.json", harbour.entries),
      BOATHOOK_POLL_INTERVAL: every,
      BOATHOOK_POLL_LEASE: `${POLL_LEASE_MS}ms`,
      BOATHOOK_POLL_INTERVAL_NEAR: every,
      BOATHOOK_AIRLINES_FILE: fileOf("airlines.json", airport.entries),
      BOATHOOK_AIR_POLL_INTERVAL: `${AIR_POLL_INTERVAL_MS}ms`,
      BOATHOOK_SCHEDULES_FILE: fileOf("schedules.json", trade.entries),
    },
    trade,
    trackable: harbour.trackable.flatMap((one, at) => [one, ...airport.trackable.slice(at, at + 1)]),
    stand: () => (standsMs = Math.min(standsMs, worldMs())),
    async close() {
      rmSync(folder, { recursive: true });
      await harbour.close();
      await airport.close();
      await trade.close();
    },
  };
}

/** Of the candidates, for each moment the one whose status changes most often from then on. */
function liveliest<One>(
  candidates: readonly One[],
  moments: readonly number[],
  changesOf: (one: One, fromMs: number) => readonly { readonly atMs: number }[],
): readonly One[] {
  const left = new Set(candidates);
  return moments.flatMap((fromMs) => {
    const isSeen = ({ atMs }: { readonly atMs: number }) => fromMs < atMs && atMs < ENDS_MS;
    const counted = [...left].map((one) => ({ one, count: changesOf(one, fromMs).filter(isSeen).length }));
    const [most] = counted.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
    if (most !== undefined) left.delete(most.one);
    return most === undefined ? [] : [most.one];
  });
}

async function openHarbour(seed: number, { nowMs, onAnswer, onChanged, trackedMs }: Ports) {
  const harbour = createHarbour({ seed, boxes: LOOKED_THROUGH, startMs: START_MS });
  const said = new Map<string, string>();
  const noted: Harbour = {
    ...harbour,
    answer(scac, asked, headers) {
      const answer = harbour.answer(scac, asked, headers, nowMs());
      onAnswer(`${scac} answers ${String(asked)} with ${answer.status}`);
      if (answer.status === 200) {
        const before = said.get(String(asked));
        if (before !== undefined && before !== answer.body) onChanged();
        said.set(String(asked), answer.body);
      }
      return answer;
    },
    token: (scac, form) => harbour.token(scac, form, nowMs(), SPEED),
  };
  const clock = { nowMs: () => START_MS + worldMs() };
  const served = await serveHarbour({
    harbour: noted,
    clock,
    startMs: START_MS,
    speed: SPEED,
    port: HARBOUR_PORT,
  });
  const boxes = Array.from({ length: harbour.boxCount }, (_, index) => harbour.boxAt(index));
  return {
    entries: harbour.lines.map((line) => carrierEntry(line, served.url, "answer-date")),
    trackable: liveliest(
      boxes.filter((box) => isClear(harbour, box)),
      trackedMs.filter((_ms, at) => at % 2 === 0),
      ({ index }, fromMs) => changesOfBox(harbour, index, fromMs),
    ).map((box): Trackable => ({
      product: "tracking",
      reference: box.reference,
      carrier: box.scac,
      trueStatus: () => statusOfBox(seed, harbour, box, nowMs()),
    })),
    close: served.close,
  };
}

/**
 * Its carrier forgets nothing and answers with nothing old, and it is delivered once, so that rare polls end where frequent
 * ones do.
 */
function isClear(harbour: Harbour, { index, type, knownMs }: HarbourBox): boolean {
  const { facts, older, single } = harbour.lifeAt(index);
  return (
    single &&
    type === "container_id" &&
    knownMs < START_MS &&
    older.length === 0 &&
    changesOfBox(harbour, index, START_MS).filter(({ status }) => status === "delivered").length < 2 &&
    facts.every(({ prunedMs }) => prunedMs === Number.POSITIVE_INFINITY)
  );
}

const changesOfBox = (harbour: Harbour, index: number, fromMs: number) =>
  truthOfBox(harbour.lifeAt(index), { fromMs, armedFromMs: null, freeDays: 0 }).statusChanges;

/** Null also where it depends on since when the service has asked: of a plan that is gone, the carrier says nothing. */
function statusOfBox(seed: number, harbour: Harbour, { index }: HarbourBox, atMs: number): string | null {
  if (createOutageCalendar(seed).at(harbour.lifeAt(index).line, atMs) !== null) return null;
  const askedFrom = (fromMs: number): string | null =>
    changesOfBox(harbour, index, fromMs).findLast((one) => one.atMs <= atMs)?.status ?? null;
  const status = askedFrom(START_MS);
  return status === askedFrom(atMs) ? status : null;
}

async function openAirport(seed: number, { nowMs, onAnswer, trackedMs }: Ports) {
  const airport = createAirport({ seed, waybills: LOOKED_THROUGH, startMs: START_MS });
  const served = await serveAirport({
    airport,
    nowMs() {
      stirred();
      onAnswer("an airline is asked");
      return nowMs();
    },
    speed: SPEED,
    port: AIRPORT_PORT,
  });
  const statusAt = (life: ReturnType<typeof airport.lifeOf>, moments: readonly number[]): string | null =>
    truthOfWaybill(life, START_MS, moments).statusChanges.at(-1)?.status ?? null;
  const waybills = Array.from({ length: airport.waybillCount }, (_, index) => airport.waybillAt(index));
  return {
    entries: airport.airlines.map((airline) => airlineEntry(airline, served.url, "answer-date")),
    trackable: liveliest(
      waybills.filter(
        ({ airline: { protocol, alsoPushes, answers } }) =>
          protocol !== "fsu" && !alsoPushes && answers === "history",
      ),
      trackedMs.filter((_ms, at) => at % 2 === 1),
      (waybill, fromMs) => {
        const { statusChanges } = truthOfWaybill(airport.lifeOf(waybill), fromMs);
        // One that its airline does not know yet is asked for with growing waits.
        return statusChanges[0]?.atMs === fromMs ? statusChanges : [];
      },
    ).map((waybill): Trackable => {
      const life = airport.lifeOf(waybill);
      return {
        product: "air",
        reference: waybill.awb,
        carrier: null,
        trueStatus() {
          const atMs = nowMs();
          // After an outage it is polled again with growing waits.
          if (outagesBetween(seed, waybill.airline, START_MS, atMs).length > 0) return null;
          const often = [...reportTimes(life, START_MS).filter((ms) => ms < atMs), atMs];
          const status = statusAt(life, often);
          return status === statusAt(life, [atMs]) ? status : null;
        },
      };
    }),
    close: served.close,
  };
}
