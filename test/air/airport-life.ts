/**
 * A waybill of the simulated airport lived through without any I/O: every message and every answer of its
 * airline through the readers, the record and its changes.
 */
import type { WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween } from "../../src/products/air/events.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";
import { readRecord } from "../../src/products/air/sources/one-record/read.ts";
import { nextRecord, type WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import {
  answeredAt,
  reportTimes,
  pushedReportsBetween,
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
  readonly looks: readonly TrueStatusChange[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
};

const STATUSES: readonly string[] = ["accepted", "in_transit", "arrived", "available", "delivered"];

export function liveAtAirport(life: Life, fromMs: number): LivedLife {
  const { waybill } = life;
  const kept = {
    events: [] as TrueEvent[],
    looks: [] as TrueStatusChange[],
    data: [] as Record<string, unknown>[],
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
    const statements = spokenAt(life, atMs, beforeMs);
    beforeMs = atMs;
    // Nothing that is answered is known as well: the waybill is tracked, and the airline has not heard of it.
    if (previous !== null && statements.length === 0) continue;
    const next = nextRecord(waybill.awb, statements, previous);
    const { record, events } = changesBetween(tracked, previous, next, atMs);
    checkEvents(events);
    for (const { type, data, dedupKey } of events) {
      // As the engine does with a key that it has seen.
      if (dedupKey !== undefined && raisedKeys.has(dedupKey)) continue;
      if (dedupKey !== undefined) raisedKeys.add(dedupKey);
      const told = JSON.parse(data) as Record<string, unknown>;
      const happened = told["event_date_time"];
      const happenedMs = typeof happened === "string" ? Date.parse(happened) : null;
      kept.events.push({ atMs, type: type as TrueEvent["type"], happenedMs });
      kept.data.push(told);
    }
    const status = STATUSES.includes(record.status) ? (record.status as TrueStatus) : null;
    const isKnown = record.said.length > 0;
    if (isKnown && kept.looks.at(-1)?.status !== status) kept.looks.push({ atMs, status });
    previous = record;
  }
  return kept;
}

/** A statement for each message, and one for each answer; none where nothing is heard. */
export function spokenAt(life: Life, atMs: number, afterMs: number): readonly WaybillStatement[] {
  const pushed = pushedReportsBetween(life, afterMs, atMs);
  const messages = pushed.flatMap((saying) => readImp("FSU", life, [saying], saying.reportedMs));
  return [...answerAt(life, atMs), ...messages];
}

/** What the airline answers who asks it; none where it does not. */
export function answerAt(life: Life, atMs: number): readonly WaybillStatement[] {
  const heard = answeredAt(life, atMs) ?? [];
  if (heard.length === 0) return [];
  const isOneRecord = life.waybill.airline.protocol === "one-record";
  return isOneRecord ? [readOneRecord(life, heard)] : readImp("FSA", life, heard, atMs);
}

export function readImp(
  type: "FSU" | "FSA",
  { waybill }: Life,
  heard: readonly Report[],
  atMs: number,
): readonly WaybillStatement[] {
  const text = messageOf(type, waybill, heard, atMs);
  return readMessages(text, atMs).map((message) => {
    if (message.kind === "refused") throw new Error(`${text}\n${JSON.stringify(message.problem)}`);
    if (message.problems.length > 0) throw new Error(`${text}\n${JSON.stringify(message.problems)}`);
    return message.statement;
  });
}

function readOneRecord({ waybill }: Life, heard: readonly Report[]): WaybillStatement {
  const links = linksOf("http://airport", waybill.awb);
  const statement = statementOf(waybill, heard);
  const saidMs = heard.map((saying) => saying.reportedMs);
  const documents = [
    waybillObject(links, statement),
    shipmentObject(links, statement),
    eventCollection(links, statement.events, saidMs),
  ];
  const read = readRecord(JSON.parse(JSON.stringify(documents)), waybill.awb);
  if (read === null || read.skipped.length > 0) throw new Error(JSON.stringify(read));
  return read.statement;
}
