/**
 * Raises what has been reported: to the account that it concerns, and to overseers, the accounts that receive all. A
 * cell's reports leave it in the transaction that raises them there. An overseer may live in another cell, which no
 * transaction reaches as well: it gets the event first, and the event's key keeps it from coming twice.
 *
 *     settled, or a source turned ─▶ report ─(a wake, or everyMs)─▶ raised in other cells ─▶ raised here, and removed
 *                                      ▲                                  │
 *                                      └──(a cell is away: raised here, and kept; the round goes on behind it)
 */
import type { Engine } from "../../engine/engine.ts";
import { sourceReportList, sourceReportRemove } from "../../freight/sources/store/sources.sql.ts";
import { createCellTurns } from "../../freight/work/cell-turns.ts";
import type { OnWork } from "../../freight/work/wakes.ts";
import { clientsError } from "../../http/webhooks/delivery.ts";
import { failureLevel, StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { JsonObject } from "../../model/json.ts";
import { wordsOf } from "../../model/source-words.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../runtime/interval.ts";
import { accountListEntitled } from "../../store/accounts/accounts.sql.ts";
import { cellNumbered, directoryOf, type Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { NodeContext } from "../../store/node-context.ts";
import {
  reportIsThere,
  reportList,
  reportReceiverList,
  reportRemove,
} from "../../store/reports/reports.sql.ts";
import type { RowOf } from "../../store/sql.ts";
import { operations, OVERSIGHT } from "./catalogue.ts";

export type ReporterPorts = Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops"> & {
  readonly engine: Pick<Engine, "raise" | "raiseWithin">;
  /** Something was reported in the cell. */
  readonly onReported: OnWork;
};

const EVERY_MS = 5 * SECOND_MS;
/** Raised in one transaction. */
const REPORTS_MAX = 500;
/** Of one cell in a round. */
const STEPS_MAX = 100;

export function createReporter(ports: ReporterPorts): Interval {
  const { database, cells, clock, log, onReported } = ports;
  const turns = createCellTurns(clock, cells, EVERY_MS);
  const failed = (cause: unknown, of: object) =>
    log[failureLevel(cause)]({ cause, ...of }, "operational events wait; the next round retries");
  // Whenever it was written: a clock may have been put back since.
  const next = async (cell: Cell) => ((await reportIsThere(database, cell)).found ? 0 : null);

  const interval = createInterval(
    ports,
    { name: "operational events", everyMs: EVERY_MS },
    async (isStopped) => {
      const away = new Set<number>();
      for (const cell of turns.next()) {
        const round = { behind: FIRST, away };
        const step = async () => {
          const raised = await turns.ask(
            cell,
            () => next(cell),
            async () => Array<null>(await raiseReports(ports, cell, round)),
          );
          return raised.length === REPORTS_MAX;
        };
        // A cell that fails does not stop the others.
        await repeat(STEPS_MAX, isStopped, step).catch((cause: unknown) => {
          failed(cause, { cell: cell.number });
          turns.forget(cell);
        });
      }
      await raiseSourceReports(ports, away);
    },
    (cause) => failed(cause, { of: "sources" }),
  );
  onReported((cell) => {
    turns.wake(cell);
    interval.wake();
  });
  return interval;
}

/** Cells that were away, and the last report of this one that is kept for them. */
type Round = { behind: Position; readonly away: Set<number> };

type Position = { readonly at: number; readonly kind: string; readonly subject: string };

/** Before all reports. */
const FIRST: Position = { at: 0, kind: "", subject: "00000000-0000-0000-0000-000000000000" };

/** How many it has read: raised, heard by nobody, or kept. */
async function raiseReports(ports: ReporterPorts, cell: Cell, round: Round): Promise<number> {
  const { database, cells, engine } = ports;
  let reports: readonly Report[] = [];
  let isKept = false;
  await engine.raiseWithin(cell, async (tx) => {
    reports = await reportList(tx, cell, { behind: round.behind, limit: REPORTS_MAX });
    if (reports.length === 0) return null;
    const known = await unlessAway(listOverseers(database, cells[0]));
    const overseers = known ?? [];
    const others = overseers.filter((one) => one.cell !== cell.number);
    const here = overseers.filter((one) => one.cell === cell.number).map(({ id }) => id);
    const accountIds = [...new Set([...reports.map(({ accountId }) => accountId), ...here])];
    const receivers = new Set(await listReceivers(tx, cell, accountIds));
    const notes = reports.flatMap((report) => {
      const { at, kind: type, subject, accountId } = report;
      const data = dataOf(report);
      return data === null ? [] : [{ at, type, subject, accountId, data }];
    });
    isKept = !(await raiseElsewhere(ports, others, notes, round.away)) || known === null;
    if (!isKept) await reportRemove(tx, cell, reports.map(inMs));
    return notes.flatMap((note) =>
      [...new Set([note.accountId, ...here])]
        .filter((id) => receivers.has(id))
        .map((id) => eventFor(id, note)),
    );
  });
  if (isKept) round.behind = inMs(reports.at(-1)!);
  return reports.length;
}

/** The same of sources, which concern overseers alone. */
async function raiseSourceReports(ports: ReporterPorts, away: Set<number>): Promise<void> {
  const { database, cells } = ports;
  const directory = directoryOf(cells[0]);
  await database.transaction(async (tx) => {
    const reports = await sourceReportList(tx, directory, REPORTS_MAX);
    if (reports.length === 0) return;
    const notes = reports.map((report) => ({
      at: report.at,
      type: report.kind,
      subject: report.source,
      data: dataOfSource(report),
    }));
    const overseers = await listOverseers(tx, cells[0]);
    if (await raiseElsewhere(ports, overseers, notes, away))
      await sourceReportRemove(tx, directory, reports.map(inMs));
  });
}

function inMs<One extends { readonly at: Date }>(report: One) {
  return { ...report, at: report.at.getTime() };
}

type Note = {
  readonly at: Date;
  readonly type: string;
  readonly subject: string;
  readonly data: JsonObject;
};

type Overseer = { readonly id: string; readonly cell: number };

function listOverseers(db: Connection, directory: Cell): Promise<readonly Overseer[]> {
  return accountListEntitled(db, directory, OVERSIGHT);
}

async function listReceivers(
  db: Connection,
  cell: Cell,
  accountIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await reportReceiverList(db, cell, { accountIds, product: operations.tag });
  return rows.map(({ accountId }) => accountId);
}

type RaisePorts = Pick<ReporterPorts, "database" | "cells" | "engine">;

/** In transactions of their own. False: a cell is away, which the others do not wait for; they must be raised again. */
async function raiseElsewhere(
  ports: RaisePorts,
  overseers: readonly Overseer[],
  notes: readonly Note[],
  away: Set<number>,
): Promise<boolean> {
  let isAll = true;
  for (const [number, some] of Map.groupBy(overseers, ({ cell }) => cell)) {
    if (!away.has(number) && (await unlessAway(raiseTo(ports, number, some, notes))) === true) continue;
    away.add(number);
    isAll = false;
  }
  return isAll;
}

/** False: one of them has just been removed. */
async function raiseTo(
  { database, cells, engine }: RaisePorts,
  number: number,
  overseers: readonly Overseer[],
  notes: readonly Note[],
): Promise<boolean> {
  const wanted = overseers.map(({ id }) => id);
  const ids = await listReceivers(database, cellNumbered(cells, number), wanted);
  if (ids.length === 0) return true;
  const raised = await engine.raise(ids.flatMap((id) => notes.map((note) => eventFor(id, note))));
  return raised.kind === "raised";
}

async function unlessAway<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return null;
    throw cause;
  }
}

function eventFor(accountId: string, { at, type, subject, data }: Note): RaisedEvent {
  return {
    product: operations.tag,
    accountId,
    type,
    data: JSON.stringify(data),
    occurredAtMs: at.getTime(),
    dedupKey: `${type} ${subject} ${at.toISOString()}`,
  };
}

type Report = RowOf<typeof reportList>;
type SourceReport = RowOf<typeof sourceReportList>;

/** Null: the endpoint is gone, and its history with it. */
function dataOf(report: Report): JsonObject | null {
  const { accountId, endpointId, product, url, error } = report;
  if (product === null || url === null) return null;
  const ofEndpoint = {
    ...{ account_id: accountId, endpoint_id: endpointId, product, url },
    last_error: clientsError(error),
  };
  if (report.kind !== "delivery_dead") {
    return {
      ...ofEndpoint,
      failure_count: report.failureCount,
      failing_since: report.failingSince?.toISOString() ?? null,
    };
  }
  const { eventId, eventType, createdAt } = report;
  if (eventId === null || eventType === null || createdAt === null) return null;
  return {
    ...ofEndpoint,
    delivery_id: report.subject,
    event_id: eventId,
    event_type: eventType,
    attempt_count: report.attemptCount,
    last_status_code: report.lastStatusCode,
    created_at: createdAt.toISOString(),
  };
}

function dataOfSource({ source, downSince, failure }: SourceReport): JsonObject {
  return {
    source,
    down_since: downSince.toISOString(),
    failure,
    text: failure === null ? null : wordsOf(failure),
  };
}
