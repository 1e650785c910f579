/**
 * Polls the AIS feed for the vessels that bring tracked boxes somewhere about now. All nodes share one list of which
 * vessel was polled when, and all boxes of a vessel one poll; no poll of a shipment waits for any of it
 * (freight/work/worker.ts).
 *
 *     near, and not polled lately ─▶ claimed: noted as polled ─▶ polled ─▶ its report is stored
 *                                                                  └─ no quota, or the feed is down: all wait
 */
import { MINUTE_MS, SECOND_MS } from "../../../../runtime/durations.ts";
import type { Interval } from "../../../../runtime/interval.ts";
import type { Connection } from "../../../../store/database.ts";
import { inCells } from "../../../../store/in-cells.ts";
import type { NodeContext } from "../../../../store/node-context.ts";
import { createBatch } from "../../../../engine/batch-writer.ts";
import { createQueue } from "../../../../freight/work/source-queues.ts";
import { createWorker, type JobKind } from "../../../../freight/work/worker.ts";
import { claimVesselPolls, vesselsToPoll, type VesselReportRow } from "../../store/vessels.ts";
import type { AisAnswer, AisClient } from "./ais-client.ts";
import type { AisFeed } from "./ais-file.ts";
import { ingestReports } from "./vessel-reports.ts";

export type AisPollerPorts = Pick<NodeContext, "cells" | "clock" | "log" | "loops"> & {
  readonly database: Connection;
  readonly client: AisClient;
  /** Called with every answer. */
  readonly onAnswer?: (kind: AisAnswer["kind"]) => void;
};

const INTERVAL_MS = 30_000;
const FRESH_MS_DEFAULT = 5 * MINUTE_MS;
const REQUESTS_MAX_DEFAULT = 4;
/** Longer than the requests of one claim may take. */
const SILENT_MS_MAX = 5 * MINUTE_MS;
/** Vessels of one cell that are polled; there are fewer container ships in the world. */
const VESSELS_MAX = 10_000;
/** A cell that takes longer waits for the next round. */
const CELL_MS_MAX = 10 * SECOND_MS;
/** Reports that one statement stores. */
const REPORTS_MAX = 1_000;

export function createAisPoller(
  { requestsMax = REQUESTS_MAX_DEFAULT, freshMs = FRESH_MS_DEFAULT }: AisFeed,
  ports: AisPollerPorts,
): Interval {
  return createWorker(ports, vesselJobs(ports, requestsMax, freshMs), {
    everyMs: INTERVAL_MS,
    runningMax: requestsMax,
    unfinishedMax: REPORTS_MAX,
    silentMsMax: INTERVAL_MS + SILENT_MS_MAX,
  });
}

/** A job is a vessel's IMO number. */
function vesselJobs(ports: AisPollerPorts, requestsMax: number, freshMs: number): JobKind<string, AisAnswer> {
  const { database, cells, client, clock, log } = ports;
  const store = createBatch<VesselReportRow, void>(
    { batchMax: REPORTS_MAX, gatherMs: 0 },
    clock,
    async (reports) => {
      await ingestReports(database, cells[0], reports, clock.nowMs());
      return reports.map(() => undefined);
    },
  );
  let near: readonly string[] = [];
  let nearUntilMs = Number.NEGATIVE_INFINITY;
  return {
    name: "AIS feed",
    queues: createQueue(requestsMax, { claims: "when_empty", isBreakerOpen: client.isBreakerOpen }),
    async claim([limits], progress) {
      const { limit } = limits!;
      // A slow feed may keep polls going for ever, while other vessels come near.
      if (clock.monotonicMs() >= nearUntilMs) {
        near = await vesselsNear(ports, progress);
        nearUntilMs = clock.monotonicMs() + INTERVAL_MS;
      }
      const atMs = clock.nowMs();
      const claim = { atMs, sinceMs: atMs - freshMs, limit };
      const claimed = near.length === 0 ? [] : await claimVesselPolls(database, cells[0], near, claim);
      if (claimed.length < limit) nearUntilMs = Number.NEGATIVE_INFINITY;
      return claimed;
    },
    async run(imo) {
      const answer = await client.fetch(imo);
      ports.onAnswer?.(answer.kind);
      if (answer.kind === "postponed") return { kind: "postponed", waitMs: answer.retryAfterMs };
      return { kind: "ran", result: answer, answered: true };
    },
    async finish(imo, answer) {
      if (answer.kind !== "reported") return;
      const { status, seenMs, position = null } = answer.report;
      await store({ imo, status, seenAtMs: seenMs, position });
    },
    onBroken: (imo, error) => log.error({ error, imo }, "a vessel could not be polled"),
  };
}

/** Those of a cell that does not answer are polled when it does. */
async function vesselsNear(
  { database, cells, clock, log }: AisPollerPorts,
  progress: () => void,
): Promise<readonly string[]> {
  const { answers, failures } = await inCells(clock, cells, CELL_MS_MAX, (cell) => {
    progress();
    return vesselsToPoll(database, cell, clock.nowMs(), VESSELS_MAX);
  });
  const [cause] = failures;
  if (cause !== undefined && answers.length === 0) throw cause;
  if (cause !== undefined) log.debug({ cause }, "vessels of some cells are not polled");
  return [...new Set(answers.flat())];
}
