/** A recording lived through without any I/O: what the service would have known and raised, look by look. */
import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { changesBetween } from "../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type {
  RecordContext,
  ShipmentRecord,
  Statements,
} from "../../src/products/ocean/record/shipment-record.ts";
import { answerAt, type Recording } from "../../packages/simulator/src/replay/recording.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { checkEvents } from "../support/check-deliveries.ts";

export type Poll = {
  readonly atMs: number;
  readonly record: ShipmentRecord;
  readonly raised: readonly RaisedEvent[];
};

export const TRACKED = {
  id: "01890000-0000-7000-8000-000000000001",
  accountId: "01890000-0000-7000-8000-0000000000aa",
  reference: "HRNU4000017",
};

/** No tariffs, and demurrage alerting not armed. */
export const UNARMED: RecordContext = { tariffs: [], armedFromMs: null };

/** One poll for each changed answer, and one re-evaluation when time alone changes something. */
export function liveThrough(recording: Recording, fromMs: number = recording.firstMs): readonly Poll[] {
  const news = [...new Set(recording.events.map(({ appearsMs }) => appearsMs))].filter((ms) => ms >= fromMs);
  const polls: Poll[] = [];
  const due = [fromMs, ...news.filter((ms) => ms > fromMs)];
  for (let atMs = due.shift(); atMs !== undefined; atMs = due.shift()) {
    const events = parseAnswer(answerAt(recording, atMs), DCSA_SPELLING)?.events ?? [];
    const poll = lookAt(events, polls.at(-1)?.record ?? null, atMs);
    polls.push(poll);
    const { changesAtMs } = poll.record;
    if (changesAtMs !== null && changesAtMs < (due[0] ?? Number.POSITIVE_INFINITY)) due.unshift(changesAtMs);
  }
  return polls;
}

/** All that a recording says, whenever the carrier said it. */
export function statementsOf({ events }: Recording): CarrierEvent[] {
  return events.flatMap(({ raw }) => parseAnswer([raw], DCSA_SPELLING)?.events ?? []);
}

/** What an answer says beside its events. */
export type About = Partial<Omit<Statements, "events">>;

/** Polls a carrier's answer at each of the times. */
export function pollThrough(
  answers: readonly (readonly [atMs: number, stated: readonly CarrierEvent[]])[],
  about: About = {},
): readonly Poll[] {
  const polls: Poll[] = [];
  for (const [atMs, stated] of answers) polls.push(lookAt(stated, polls.at(-1)?.record ?? null, atMs, about));
  return polls;
}

export function lookAt(
  events: readonly CarrierEvent[],
  previous: ShipmentRecord | null,
  atMs: number,
  about: About = {},
): Poll {
  const whole = { carrier: "TEST", identifierType: "container_id", events, freeDays: [] } as const;
  const next = nextRecord({ ...whole, ...about }, previous, UNARMED, atMs);
  const { record, events: raised } = changesBetween(TRACKED, previous, next, UNARMED, atMs);
  checkEvents(raised);
  return { atMs, record, raised };
}

/** One line a poll: `2026-03-10T10:50 in_transit vessel_departed`. */
export function raisedIn(polls: readonly Poll[]): readonly string[] {
  return polls.map(({ atMs, record, raised }) => {
    const names = raised.map(({ type, data }) =>
      type === "shipment_updated" ? `updated(${changedFields(data).join(",")})` : type,
    );
    return [new Date(atMs).toISOString().slice(0, 16), record.status, ...names].join(" ");
  });
}

function changedFields(data: string): readonly string[] {
  return (JSON.parse(data) as { changed_fields: string[] }).changed_fields;
}

/** What a poll should show, with the reason why. */
export type Expected = readonly (readonly [line: string, reason: string])[];

export function lines(expected: Expected): readonly string[] {
  return expected.map(([line]) => line);
}

/** When each departure that was raised happened. */
export function departures(polls: readonly Poll[]): readonly unknown[] {
  return polls
    .flatMap(({ raised }) => raised)
    .filter(({ type }) => type === "vessel_departed")
    .map(({ data }) => (JSON.parse(data) as Record<string, unknown>)["event_date_time"]);
}

/** Of each box, in the order of their numbers. */
export function statuses({ boxes }: ShipmentRecord): readonly string[] {
  return boxes.map(({ status }) => status);
}
