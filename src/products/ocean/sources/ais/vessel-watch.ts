/**
 * Asks the AIS feed about the vessels that bring tracked boxes somewhere about now. All nodes share one list
 * of who has been asked for and when, and all boxes of a vessel one question; no look waits for any of it.
 *
 *     idle ─(some time, and the feed is well)─▶ claiming ─▶ asking ─▶ telling ─▶ claiming ─▶ … ─▶ idle
 *       │                                          └─ nobody is left to ask for ──────────────────▲
 *       │                                                       └─ no quota, or the feed is down ─┘
 *       └────── stop: what is under way ends ──────▶ stopped
 */
import type { Clock } from "../../../../runtime/clock.ts";
import { createInterval, type Interval } from "../../../../runtime/interval.ts";
import type { Log } from "../../../../runtime/log.ts";
import type { Loops } from "../../../../runtime/loops.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import { claimAsking, vesselsNear } from "../../store/vessels.ts";
import type { AisAnswer, AisDesk } from "./ais-desk.ts";
import type { AisFeed } from "./ais-file.ts";
import { tellReports } from "./vessel-reports.ts";

export type VesselWatchPorts = {
  readonly database: Connection;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly desk: AisDesk;
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: Loops;
  /** Told of every answer. */
  readonly onAnswer?: (kind: AisAnswer["kind"]) => void;
};

const ROUND_EVERY_MS = 30_000;
const FRESH_MS_DEFAULT = 5 * 60_000;
const REQUESTS_MAX_DEFAULT = 4;
/** Vessels of one cell that are asked for; there are fewer container ships in the world. */
const VESSELS_MAX = 10_000;

export function createVesselWatch(
  { requestsMax = REQUESTS_MAX_DEFAULT, freshMs = FRESH_MS_DEFAULT }: AisFeed,
  ports: VesselWatchPorts,
): Interval {
  const { database, cells, desk, clock, log, onAnswer } = ports;

  const round = async (isStopped: () => boolean): Promise<void> => {
    let goesOn = !desk.isOpen();
    while (goesOn) {
      const near = await nearNow();
      const untilMs = clock.monotonicMs() + ROUND_EVERY_MS;
      goesOn = near.length > 0;
      // A slow feed may keep a round going for ever, and other vessels come near meanwhile.
      while (goesOn && clock.monotonicMs() < untilMs) goesOn = !isStopped() && (await askSome(near));
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

  return createInterval(ports, { name: "AIS feed", everyMs: ROUND_EVERY_MS }, round, (error) =>
    // The poller says that the database is away.
    log.debug({ error }, "vessels could not be asked for"),
  );
}
