/**
 * Asks the AIS feed about the vessels that bring tracked boxes somewhere about now. All nodes share one list
 * of who has been asked for and when, and all boxes of a vessel one question; no look waits for any of it.
 *
 *     idle ─(some time, and the feed is well)─▶ claiming ─▶ asking ─▶ telling ─▶ claiming ─▶ … ─▶ idle
 *       │                                          └─ nobody is left to ask for ──────────────────▲
 *       │                                                       └─ no quota, or the feed is down ─┘
 *       └────── stop: what is under way ends ──────▶ stopped
 */
import type { Cancel, Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { claimAsking, vesselsNear } from "../../../store/vessels.ts";
import type { AisAnswer, AisDesk } from "./ais-desk.ts";
import type { AisFeed } from "./ais-file.ts";
import { tellReports } from "./vessel-reports.ts";

export type VesselWatchPorts = {
  readonly database: Connection;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly desk: AisDesk;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of every answer. */
  readonly onAnswer?: (kind: AisAnswer["kind"]) => void;
};

export type VesselWatch = {
  start(): void;
  /** Asks for nobody any more. */
  stop(): void;
  /** Resolves when nothing is under way. */
  ended(): Promise<void>;
};

const ROUND_EVERY_MS = 30_000;
const FRESH_MS_DEFAULT = 5 * 60_000;
const REQUESTS_MAX_DEFAULT = 4;
/** Vessels of one cell that are asked for; there are fewer container ships in the world. */
const VESSELS_MAX = 10_000;

export function createVesselWatch(
  { requestsMax = REQUESTS_MAX_DEFAULT, freshMs = FRESH_MS_DEFAULT }: AisFeed,
  { database, cells, desk, clock, log, onAnswer }: VesselWatchPorts,
): VesselWatch {
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  const round = async (): Promise<void> => {
    let goesOn = true;
    while (goesOn) {
      const near = await nearNow();
      const untilMs = clock.monotonicMs() + ROUND_EVERY_MS;
      goesOn = near.length > 0;
      // A slow feed may keep a round going for ever, and other vessels come near meanwhile.
      while (goesOn && clock.monotonicMs() < untilMs) goesOn = !isStopped && (await askSome(near));
    }
  };

  const nearNow = async (): Promise<readonly string[]> => {
    const found = new Set<string>();
    for (const cell of cells) {
      for (const imo of await vesselsNear(database, cell, clock.nowMs(), VESSELS_MAX)) found.add(imo);
    }
    return [...found];
  };

  /** False: there is nobody left to ask for, or nothing to be asked now. */
  const askSome = async (near: readonly string[]): Promise<boolean> => {
    const atMs = clock.nowMs();
    const claim = { atMs, sinceMs: atMs - freshMs, limit: requestsMax };
    const claimed = await claimAsking(database, cells[0], near, claim);
    const answers = await Promise.all(
      claimed.map(async (imo) => {
        const answer = await desk.ask(imo);
        onAnswer?.(answer.kind);
        return { imo, answer };
      }),
    );
    const reports = answers.flatMap(({ imo, answer }) =>
      answer.kind === "reported"
        ? [{ imo, status: answer.report.status, seenAtMs: answer.report.seenMs }]
        : [],
    );
    if (reports.length > 0) await tellReports(database, cells[0], reports, clock.nowMs());
    const isPostponed = answers.some(({ answer }) => answer.kind === "postponed");
    return claimed.length === requestsMax && !isPostponed && !desk.isOpen();
  };

  const go = (): void => {
    if (isStopped) return;
    cancel = clock.after(ROUND_EVERY_MS, go);
    if (desk.isOpen()) return;
    underWay ??= round()
      .catch((error: unknown) => {
        // The poller says that the database is away.
        if (!isStopped) log.debug({ error }, "vessels could not be asked for");
      })
      .finally(() => {
        underWay = null;
      });
  };

  return {
    start: go,
    stop() {
      isStopped = true;
      cancel();
    },
    async ended() {
      await underWay;
    },
  };
}
