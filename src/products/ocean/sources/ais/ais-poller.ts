/**
 * Asks the AIS feed about the vessels that bring tracked boxes somewhere about now. All nodes share one list
 * of who has been asked for and when, and all boxes of a vessel one question; no look waits for any of it.
 *
 *     idle ─(some time, and the feed is well)─▶ claiming ─▶ asking ─▶ telling ─▶ claiming ─▶ … ─▶ idle
 *       │                                          └─ nobody is left to ask for ──────────────────▲
 *       │                                                       └─ no quota, or the feed is down ─┘
 *       └────── stop: what is under way ends ──────▶ stopped
 */
import { MINUTE_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { createInterval, type Interval } from "../../../../runtime/interval.ts";
import type { Log } from "../../../../runtime/log.ts";
import type { LoopMonitor } from "../../../../runtime/loop-monitor.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import { claimVesselPolls, vesselsToPoll } from "../../store/vessels.ts";
import type { AisAnswer, AisClient } from "./ais-client.ts";
import type { AisFeed } from "./ais-file.ts";
import { ingestReports } from "./vessel-reports.ts";

export type AisPollerPorts = {
  readonly database: Connection;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly client: AisClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
  /** Told of every answer. */
  readonly onAnswer?: (kind: AisAnswer["kind"]) => void;
};

const INTERVAL_MS = 30_000;
const FRESH_MS_DEFAULT = 5 * MINUTE_MS;
const REQUESTS_MAX_DEFAULT = 4;
/** Vessels of one cell that are asked for; there are fewer container ships in the world. */
const VESSELS_MAX = 10_000;

export function createAisPoller(
  { requestsMax = REQUESTS_MAX_DEFAULT, freshMs = FRESH_MS_DEFAULT }: AisFeed,
  ports: AisPollerPorts,
): Interval {
  const { database, cells, client, clock, log, onAnswer } = ports;

  const round = async (isStopped: () => boolean): Promise<void> => {
    let goesOn = !client.isBreakerOpen();
    while (goesOn) {
      const near = await nearNow();
      const untilMs = clock.monotonicMs() + INTERVAL_MS;
      goesOn = near.length > 0;
      // A slow feed may keep a round going for ever, and other vessels come near meanwhile.
      while (goesOn && clock.monotonicMs() < untilMs) goesOn = !isStopped() && (await askSome(near));
    }
  };

  const nearNow = async (): Promise<readonly string[]> => {
    const found = new Set<string>();
    for (const cell of cells) {
      for (const imo of await vesselsToPoll(database, cell, clock.nowMs(), VESSELS_MAX)) found.add(imo);
    }
    return [...found];
  };

  /** False: there is nobody left to ask for, or nothing to be asked now. */
  const askSome = async (near: readonly string[]): Promise<boolean> => {
    const atMs = clock.nowMs();
    const claim = { atMs, sinceMs: atMs - freshMs, limit: requestsMax };
    const claimed = await claimVesselPolls(database, cells[0], near, claim);
    const answers = await Promise.all(
      claimed.map(async (imo) => {
        const answer = await client.fetch(imo);
        onAnswer?.(answer.kind);
        return { imo, answer };
      }),
    );
    const reports = answers.flatMap(({ imo, answer }) =>
      answer.kind === "reported"
        ? [{ imo, status: answer.report.status, seenAtMs: answer.report.seenMs }]
        : [],
    );
    if (reports.length > 0) await ingestReports(database, cells[0], reports, clock.nowMs());
    const isPostponed = answers.some(({ answer }) => answer.kind === "postponed");
    return claimed.length === requestsMax && !isPostponed && !client.isBreakerOpen();
  };

  return createInterval(ports, { name: "AIS feed", everyMs: INTERVAL_MS }, round, (error) =>
    // The poller says that the database is away.
    log.debug({ error }, "vessels could not be asked for"),
  );
}
