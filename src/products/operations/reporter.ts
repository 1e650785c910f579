/**
 * Raises what has been reported: to the account that it concerns, and to overseers, the accounts that receive all. A
 * cell's reports leave it in the transaction that raises them there. An overseer may live in another cell, which no
 * transaction reaches as well: it gets the event first, and the event's key keeps it from coming twice.
 *
 *     settled, or a source turned ─▶ report ─(a wake, or everyMs)─▶ raised in other cells ─▶ raised here, and removed
 *                                      ▲                                  │
 *                                      └──(a cell is away: raised here, and kept)
 */
import type { Engine } from "../../engine/engine.ts";
import {
  sourceReportList,
  sourceReportNext,
  sourceReportRemove,
} from "../../freight/sources/store/sources.sql.ts";
import { createCellTurns, type CellTurns } from "../../freight/work/cell-turns.ts";
import type { OnWork } from "../../freight/work/wakes.ts";
import { failureLevel, StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { JsonObject } from "../../model/json.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../runtime/interval.ts";
import { accountListEntitled } from "../../store/accounts/accounts.sql.ts";
import { cellNumbered, directoryOf, type Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { reportList, reportNext, reportReceiverList, reportRemove } from "../../store/reports/reports.sql.ts";
import { operations, OVERSIGHT } from "./catalogue.ts";
import { dataOf, dataOfSource } from "./events.ts";

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
  const directory = directoryOf(cells[0]);
  const turns = createCellTurns(clock, cells, EVERY_MS);
  const ofSources = createCellTurns(clock, [directory], EVERY_MS);

  /** A cell that fails does not stop the others. */
  async function work(
    of: CellTurns,
    isStopped: () => boolean,
    readNext: (cell: Cell) => Promise<{ readonly at: Date | null }>,
    raise: (cell: Cell) => Promise<number>,
  ): Promise<void> {
    const next = async (cell: Cell) => (await readNext(cell)).at?.getTime() ?? null;
    for (const cell of of.next()) {
      const step = async () => {
        const raised = await of.ask(
          cell,
          () => next(cell),
          async () => Array<null>(await raise(cell)),
        );
        return raised.length === REPORTS_MAX;
      };
      await repeat(STEPS_MAX, isStopped, step).catch((cause: unknown) => {
        log[failureLevel(cause)](
          { cause, cell: cell.number },
          "operational events wait; the next round retries",
        );
        of.forget(cell);
      });
    }
  }

  const interval = createInterval(
    ports,
    { name: "operational events", everyMs: EVERY_MS },
    async (isStopped) => {
      await work(
        turns,
        isStopped,
        (cell) => reportNext(database, cell),
        (cell) => raiseReports(ports, cell),
      );
      await work(
        ofSources,
        isStopped,
        (cell) => sourceReportNext(database, cell),
        (cell) => raiseSourceReports(ports, cell),
      );
    },
    (cause) => log.error({ cause }, "operational events wait; the next round retries"),
  );
  onReported((cell) => {
    turns.wake(cell);
    ofSources.wake(directory);
    interval.wake();
  });
  return interval;
}

/** How many it has removed: raised, or heard by nobody. */
async function raiseReports({ database, cells, engine }: ReporterPorts, cell: Cell): Promise<number> {
  let count = 0;
  await engine.raiseWithin(cell, async (tx) => {
    const reports = await reportList(tx, cell, REPORTS_MAX);
    count = reports.length;
    if (count === 0) return null;
    const overseers = await listOverseers(database, cells[0]);
    const others = overseers.filter((one) => one.cell !== cell.number);
    const here = overseers.filter((one) => one.cell === cell.number).map(({ id }) => id);
    const accountIds = [...new Set([...reports.map(({ accountId }) => accountId), ...here])];
    const receivers = new Set(await listReceivers(tx, cell, accountIds));
    const notes = reports.flatMap((report) => {
      const { at, kind: type, subject, accountId } = report;
      const data = dataOf(report);
      return data === null ? [] : [{ at, type, subject, accountId, data }];
    });
    if (await raiseElsewhere({ database, cells, engine }, others, notes))
      await reportRemove(tx, cell, reports.map(inMs));
    else count = 0;
    return notes.flatMap((note) =>
      [...new Set([note.accountId, ...here])]
        .filter((id) => receivers.has(id))
        .map((id) => eventFor(id, note)),
    );
  });
  return count;
}

/** The same of sources, which concern overseers alone. */
async function raiseSourceReports(
  { database, cells, engine }: ReporterPorts,
  directory: Cell,
): Promise<number> {
  return database.transaction(async (tx) => {
    const reports = await sourceReportList(tx, directory, REPORTS_MAX);
    if (reports.length === 0) return 0;
    const notes = reports.map((report) => ({
      at: report.at,
      type: report.kind,
      subject: report.source,
      data: dataOfSource(report),
    }));
    const overseers = await listOverseers(tx, cells[0]);
    if (!(await raiseElsewhere({ database, cells, engine }, overseers, notes))) return 0;
    await sourceReportRemove(tx, directory, reports.map(inMs));
    return reports.length;
  });
}

function inMs<Report extends { readonly at: Date }>(report: Report) {
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

/** In transactions of their own. False: a cell is away, and they must be raised again. */
async function raiseElsewhere(
  { database, cells, engine }: Pick<ReporterPorts, "database" | "cells" | "engine">,
  overseers: readonly Overseer[],
  notes: readonly Note[],
): Promise<boolean> {
  try {
    for (const [number, some] of Map.groupBy(overseers, ({ cell }) => cell)) {
      const ids = await listReceivers(
        database,
        cellNumbered(cells, number),
        some.map(({ id }) => id),
      );
      const raised =
        ids.length > 0 && (await engine.raise(ids.flatMap((id) => notes.map((note) => eventFor(id, note)))));
      // It has just been removed.
      if (raised !== false && raised.kind === "unknown_account") return false;
    }
    return true;
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return false;
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
