/**
 * What an answer becomes: the record that a first poll would store, and the events that polls would have raised on the
 * way. The answer is lived through by the reducer of polling itself, at each moment that it says something happened:
 * what is planned is known from the beginning, what happened from its time on.
 */
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
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
  readonly raised: readonly { readonly at: string; readonly type: string; readonly data: unknown }[];
  /** Parts of the answer that could not be used, each with its place. */
  readonly skipped: readonly string[];
  /** Events of the answer that were read, announced ones included. */
  readonly events: number;
  readonly planned: number;
};

/** The moments of one answer; the earliest are left out of longer ones. */
const MOMENTS_MAX = 500;

const ID = "00000000-0000-7000-8000-000000000000";

export function outcomeOf(
  airline: Airline,
  statement: WaybillStatement,
  problems: readonly string[],
  nowMs: number,
): Outcome {
  const { awb, events } = statement;
  const happened = events.filter(hasHappened).filter((event) => timeOf(event) < nowMs);
  const moments = [...new Set(happened.map(timeOf))].toSorted((one, other) => one - other);
  // A moment before all of them: what holds at the first poll is never raised.
  const first = moments[0] === undefined ? [] : [moments[0] - 1];
  const check = createEventDataCheck([air]);
  const raised: Outcome["raised"][number][] = [];
  const keys = new Set<string>();
  let record: string | null = null;
  let late: readonly string[] = [];
  for (const atMs of [...first, ...moments.slice(-MOMENTS_MAX), nowMs]) {
    const known = events.filter((event) => atMs === nowMs || !hasHappened(event) || timeOf(event) <= atMs);
    const said = { ...statement, events: known, saidMs: atMs };
    const reduced = reduceStatements(check, claimedAs(awb, record), airline, [said], record, atMs);
    record = reduced.known.record;
    late = reduced.problems;
    for (const { type, data, dedupKey } of reduced.events) {
      if (dedupKey !== undefined && keys.has(dedupKey)) continue;
      if (dedupKey !== undefined) keys.add(dedupKey);
      raised.push({ at: new Date(atMs).toISOString(), type, data: JSON.parse(data) as unknown });
    }
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

/** A waybill that nobody stores, as a poll would claim it: tracked from the beginning. */
function claimedAs(awb: string, record: string | null): ClaimedShipment {
  return {
    id: ID,
    accountId: ID,
    reference: awb,
    createdAt: new Date(0),
    endedAt: null,
    record,
  } as unknown as ClaimedShipment;
}
