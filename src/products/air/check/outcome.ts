/** What an answer becomes: the record that a first poll would store, and the events that polls would have raised. */
import { claimedAs, createRaised, momentsOf } from "../../../freight/source-check/live-through.ts";
import type { Raised } from "../../../freight/source-check/report.ts";
import { createEventDataCheck } from "../../../model/event-check.ts";
import { air } from "../catalogue.ts";
import { reduceStatements } from "../record/reduce-statements.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";
import { hasTime, timeOf } from "../timeline/event-order.ts";
import { waybillView, type WaybillView } from "../tracking/waybill-view.ts";

export type Outcome = {
  /** As clients would see it. */
  readonly waybill: WaybillView;
  readonly raised: readonly Raised[];
  /** Parts of the answer that could not be used, each with its place. */
  readonly skipped: readonly string[];
  /** Events of the answer that were read, announced ones included. */
  readonly events: number;
  readonly planned: number;
};

export function outcomeOf(
  airline: Airline,
  statement: WaybillStatement,
  problems: readonly string[],
  nowMs: number,
): Outcome {
  const { awb, events } = statement;
  const happened = events.filter(hasHappened).filter((event) => timeOf(event) < nowMs);
  const check = createEventDataCheck([air]);
  const { raised, add } = createRaised();
  let record: string | null = null;
  let late: readonly string[] = [];
  for (const atMs of momentsOf(happened.map(timeOf), nowMs, true)) {
    const known = events.filter((event) => atMs === nowMs || !hasHappened(event) || timeOf(event) <= atMs);
    const said = { ...statement, events: known, saidMs: atMs };
    const claimed = claimedAs({ reference: awb });
    const reduced = reduceStatements(check, claimed, airline, [said], record, atMs);
    record = reduced.known.record;
    late = reduced.problems;
    add(reduced.events, atMs);
  }
  return {
    waybill: waybillView(awb, airline, record === null ? null : readWaybillRecord(record)),
    raised,
    skipped: [...problems, ...late],
    events: events.length,
    planned: events.filter(({ planned }) => planned === true).length,
  };
}

/** At a time that it names. */
const hasHappened = (event: AirEvent): boolean => event.planned !== true && hasTime(event);
