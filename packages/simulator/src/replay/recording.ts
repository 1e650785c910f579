/**
 * A recorded answer of a carrier, brought back to life: which of its events the carrier would have
 * answered with at any moment of the box's journey.
 *
 * A recording is one answer, taken at one moment. An event that happened appears when the carrier says it was reported.
 * The first estimate of an event is there from the beginning; each later version appears when it was written.
 */
import { isObject, readRecordedEvent, type JsonObject, type RecordedEvent } from "./recorded-event.ts";

export type Recording = {
  readonly name: string;
  /** Where the list of events is inside the answer; null where the answer is the list. */
  readonly envelope: string | null;
  readonly events: readonly ReplayedEvent[];
  readonly references: readonly ReplayedReference[];
  /** When the first and the last of its events appear, milliseconds since the epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
};

export type ReplayedEvent = RecordedEvent & {
  /** From when on the carrier knows of it. */
  readonly appearsMs: number;
};

/** A name the recording is asked for by, in DCSA's query parameters. */
export type ReplayedReference = {
  readonly parameter: "equipmentReference" | "carrierBookingReference" | "transportDocumentReference";
  readonly value: string;
};

/** A carrier that knew of an event later than this wrote the time of the answer, not of the event's creation. */
const REPORTING_DELAY_MS_MAX = 3 * 24 * 3_600_000;

const ENVELOPES = ["events", "data", "items"];

/** Reads a recorded answer; null when it holds no event that can be used. */
export function readRecording(name: string, answer: unknown): Recording | null {
  const envelope = isObject(answer) ? (ENVELOPES.find((key) => Array.isArray(answer[key])) ?? null) : null;
  const list: unknown = envelope !== null && isObject(answer) ? answer[envelope] : answer;
  if (!Array.isArray(list)) return null;
  const read = list.filter(isObject).flatMap((raw) => readRecordedEvent(raw) ?? []);
  if (read.length === 0) return null;
  const events = withAppearanceTimes(read);
  const times = events.map(({ appearsMs }) => appearsMs);
  return {
    name,
    envelope,
    events,
    references: referencesOf(events),
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
  };
}

function withAppearanceTimes(events: readonly RecordedEvent[]): readonly ReplayedEvent[] {
  const actual = events
    .filter(({ isActual }) => isActual)
    .map((event) => ({ ...event, appearsMs: reportedMs(event) }));
  const expected = events.filter(({ isActual }) => !isActual);
  // The first event that happened, or the first plan if that was made earlier: never the time of the recording.
  const beginMs = Math.min(
    ...actual.map(({ appearsMs }) => appearsMs),
    ...expected.map(({ atMs, createdAtMs }) => Math.min(createdAtMs ?? atMs, atMs)),
  );
  const versions = Map.groupBy(expected, ({ identity }) => identity).values();
  const estimates = [...versions].flatMap((versionsOfOne) =>
    versionsOfOne
      .toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0))
      .map((event, version) => ({
        ...event,
        appearsMs: version === 0 ? beginMs : (event.createdAtMs ?? beginMs),
      })),
  );
  return [...actual, ...estimates].toSorted((a, b) => a.appearsMs - b.appearsMs);
}

function reportedMs({ atMs, createdAtMs }: RecordedEvent): number {
  const delayMs = (createdAtMs ?? atMs) - atMs;
  return delayMs >= 0 && delayMs <= REPORTING_DELAY_MS_MAX ? atMs + delayMs : atMs;
}

function referencesOf(events: readonly RecordedEvent[]): readonly ReplayedReference[] {
  const found = new Map<string, ReplayedReference>();
  const add = (parameter: ReplayedReference["parameter"], value: string): void => {
    found.set(`${parameter} ${value}`, { parameter, value });
  };
  for (const { equipment, documents } of events) {
    if (equipment !== null) add("equipmentReference", equipment);
    for (const { type, value } of documents) {
      if (type === "BKG") add("carrierBookingReference", value);
      if (type === "TRD") add("transportDocumentReference", value);
    }
  }
  return [...found.values()];
}

/**
 * The events of the carrier's answer at `nowMs`: what has been reported, and the latest expectation
 * of what has not. No event claims to have been written in the future.
 */
export function answerAt(recording: Recording, nowMs: number): readonly JsonObject[] {
  const known = recording.events.filter(({ appearsMs }) => appearsMs <= nowMs);
  const happened = new Set(known.filter(({ isActual }) => isActual).map(({ identity }) => identity));
  const latest = new Map(known.filter(({ isActual }) => !isActual).map((event) => [event.identity, event]));
  return known
    .filter(
      (event) => event.isActual || (!happened.has(event.identity) && latest.get(event.identity) === event),
    )
    .map(({ raw, createdAtMs, appearsMs }) =>
      createdAtMs !== null && createdAtMs > nowMs
        ? { ...raw, eventCreatedDateTime: new Date(appearsMs).toISOString() }
        : raw,
    );
}
