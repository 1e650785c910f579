/** A waybill of the simulated airport without I/O: every message and every answer → readers, record, changes. */
import { createHash } from "node:crypto";

import type { WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween } from "../../src/products/air/events.ts";
import { mergeStatements } from "../../src/products/air/sources/airline-answer.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";
import { readRecord } from "../../src/products/air/sources/one-record/read.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { nextRecord, type WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import {
  answeredAt,
  isToCome,
  reportTimes,
  pushedMessagesBetween,
  type Life,
} from "../../packages/simulator/src/airport/life.ts";
import { messageOf } from "../../packages/simulator/src/airport/message.ts";
import {
  eventCollection,
  linksOf,
  shipmentObject,
  waybillObject,
} from "../../packages/simulator/src/airport/one-record-writer.ts";
import { statementOf } from "../../packages/simulator/src/airport/statement.ts";
import type { Report } from "../../packages/simulator/src/airport/reporting.ts";
import type { TrueEvent, TrueStatusChange, TrueStatus } from "../../packages/simulator/src/airport/truth.ts";
import { checkEvents } from "../support/check-deliveries.ts";

export type LivedLife = {
  readonly events: readonly TrueEvent[];
  readonly statusChanges: readonly TrueStatusChange[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly records: readonly LivedRecord[];
};

export type LivedRecord = { readonly atMs: number; readonly record: WaybillRecord };

const STATUSES: readonly string[] = ["booked", "accepted", "in_transit", "arrived", "available", "delivered"];

export function liveAtAirport(life: Life, fromMs: number): LivedLife {
  const { waybill } = life;
  const lived = {
    events: [] as TrueEvent[],
    statusChanges: [] as TrueStatusChange[],
    data: [] as Record<string, unknown>[],
    records: [] as LivedRecord[],
  };
  const tracked = {
    id: waybill.awb,
    accountId: "account",
    airlineIata: waybill.airline.iata,
    sinceMs: fromMs,
  };
  const raisedKeys = new Set<string>();
  let previous: WaybillRecord | null = null;
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const atMs of reportTimes(life, fromMs)) {
    const statements = statementsAt(life, atMs, beforeMs);
    beforeMs = atMs;
    // Without a record, even an empty answer counts: the airline does not know the tracked waybill yet.
    if (previous !== null && statements.length === 0 && !hasComeTrue(life, atMs)) continue;
    const next = nextRecord(waybill.awb, statements, previous, atMs);
    const { record, events } = changesBetween(tracked, previous, next, atMs);
    checkEvents(events);
    for (const { type, data, dedupKey } of events) {
      // As the engine does with a key that it has seen.
      if (dedupKey !== undefined && raisedKeys.has(dedupKey)) continue;
      if (dedupKey !== undefined) raisedKeys.add(dedupKey);
      const fields = JSON.parse(data) as Record<string, unknown>;
      const happened = fields["event_date_time"];
      const happenedMs = typeof happened === "string" ? Date.parse(happened) : null;
      lived.events.push({ atMs, type: type as TrueEvent["type"], happenedMs });
      lived.data.push(fields);
    }
    const status = STATUSES.includes(record.status) ? (record.status as TrueStatus) : null;
    const isKnown = record.said.length > 0;
    if (isKnown && lived.statusChanges.at(-1)?.status !== status) lived.statusChanges.push({ atMs, status });
    if (isKnown) lived.records.push({ atMs, record });
    previous = record;
  }
  return lived;
}

/** Whether something counts from this moment on because its time has come. */
function hasComeTrue({ reports }: Life, atMs: number): boolean {
  return reports.some((report) => report.milestone.atMs === atMs && isToCome(report));
}

/** One statement for each message and each answer. */
export function statementsAt(life: Life, atMs: number, afterMs: number): readonly WaybillStatement[] {
  return [...answerAt(life, atMs), ...messagesOf(life, pushedMessagesBetween(life, afterMs, atMs))];
}

/** One message for what is said at once, received when it was sent. */
export function messagesOf(
  life: Life,
  messages: readonly (readonly Report[])[],
): readonly WaybillStatement[] {
  return messages.flatMap((reports) => {
    const { reportedMs } = reports[0]!;
    const message = createHash("sha256").update(messageOf("FSU", life.waybill, reports, reportedMs));
    const said = { saidMs: reportedMs, message: message.digest("hex") };
    return readImp("FSU", life, reports, reportedMs).map((statement) => ({ ...statement, ...said }));
  });
}

/** Empty without an answer. */
export function answerAt(life: Life, atMs: number): readonly WaybillStatement[] {
  const reports = answeredAt(life, atMs) ?? [];
  const { awb, airline } = life.waybill;
  if (reports.length === 0) return [];
  const isOneRecord = airline.protocol === "one-record";
  const read = isOneRecord ? [oneRecordOf(life, reports)] : readImp("FSA", life, reports, atMs);
  const merged = mergeStatements(awb, read, "last");
  return [{ ...merged, saidMs: atMs, answer: isOneRecord ? "one-record" : "fsr" }];
}

function readImp(
  type: "FSU" | "FSA",
  { waybill }: Life,
  reports: readonly Report[],
  atMs: number,
): readonly WaybillStatement[] {
  const text = messageOf(type, waybill, reports, atMs);
  return readMessages(text, atMs).map((message) => {
    if (message.kind === "refused") throw new Error(`${text}\n${JSON.stringify(message.problem)}`);
    const isGarbled = reports.some(({ isGarbled: is, milestone }) => is || milestone.isPartInHead);
    if (message.problems.length > 0 && !isGarbled)
      throw new Error(`${text}\n${JSON.stringify(message.problems)}`);
    return message.statement;
  });
}

/** The last answer of each life: it has no time of its own, and most polls find it unchanged. */
const lastRead = new WeakMap<Life, { reports: readonly Report[]; statement: WaybillStatement }>();

function oneRecordOf(life: Life, reports: readonly Report[]): WaybillStatement {
  const last = lastRead.get(life);
  const isSame =
    last?.reports.length === reports.length && reports.every((report, at) => report === last.reports[at]);
  if (last !== undefined && isSame) return last.statement;
  const statement = readOneRecord(life, reports);
  lastRead.set(life, { reports, statement });
  return statement;
}

function readOneRecord({ waybill }: Life, reports: readonly Report[]): WaybillStatement {
  const links = linksOf("http://airport", waybill.awb);
  const statement = statementOf(waybill, reports);
  const reportedMs = reports.map((report) => report.reportedMs);
  const documents = [
    waybillObject(links, statement),
    shipmentObject(links, statement),
    eventCollection(links, statement.events, reportedMs),
  ];
  const read = runToEnd(readRecord(JSON.parse(JSON.stringify(documents)), waybill.awb));
  if (read === null || read.skipped.length > 0) throw new Error(JSON.stringify(read));
  return read.statement;
}
