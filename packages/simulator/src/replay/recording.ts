/**
 * A recorded answer of a carrier, brought back to life: which of its events the carrier would have
 * answered with at any moment of the box's journey.
 *
 * A recording is one answer, taken at one moment. What it says happened became known when the carrier
 * says so; what it expects was expected from the beginning, in the latest version that was recorded.
 */
import { type JsonObject, isObject } from "../../../../src/model/json.ts";
import type { CarrierEvent } from "../../../../src/products/ocean/sources/carrier-event.ts";
import { parseAnswer } from "../../../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../../../src/freight/dcsa/spelling.ts";
import { checkDigit } from "../../../../src/freight/references/reference.ts";
import { identityKey } from "../../../../src/products/ocean/timeline/timeline.ts";

export type Recording = {
  readonly name: string;
  /** Where the list of events is inside the answer; null where the answer is the list. */
  readonly envelope: string | null;
  readonly events: readonly RecordedEvent[];
  readonly references: readonly ReplayedReference[];
  /** When the first and the last of its events appear, milliseconds since the epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
};

export type RecordedEvent = {
  readonly raw: JsonObject;
  readonly event: CarrierEvent;
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

/** Reads a recorded answer; null when it holds no event that can be used. */
export function readRecording(name: string, answer: unknown): Recording | null {
  const corrected = withValidCheckDigits(answer);
  const envelope = isObject(corrected)
    ? (DCSA_SPELLING.envelopes.find((key) => Array.isArray(corrected[key])) ?? null)
    : null;
  const list: unknown = envelope !== null && isObject(corrected) ? corrected[envelope] : corrected;
  if (!Array.isArray(list)) return null;
  const parsed = list.filter(isObject).flatMap((raw) => {
    const event = parseAnswer([raw], DCSA_SPELLING)?.events[0];
    return event === undefined ? [] : [{ raw, event }];
  });
  if (parsed.length === 0) return null;
  const events = withAppearanceTimes(parsed);
  const times = events.map(({ appearsMs }) => appearsMs);
  return {
    name,
    envelope,
    events,
    references: referencesOf(events.map(({ event }) => event)),
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
  };
}

/**
 * Recordings made anonymous carry container numbers that were never issued, their check digits wrong.
 * They are replayed under the same numbers with the right digit, since no other could be tracked.
 */
function withValidCheckDigits(answer: unknown): unknown {
  const right = JSON.stringify(answer).replaceAll(
    /"([A-Z]{3}[UJZ][0-9]{6})[0-9]"/g,
    (_, number: string) => `"${number}${checkDigit(number)}"`,
  );
  return JSON.parse(right);
}

type Parsed = { readonly raw: JsonObject; readonly event: CarrierEvent };

function withAppearanceTimes(parsed: readonly Parsed[]): readonly RecordedEvent[] {
  const actual = parsed
    .filter(({ event }) => event.classifier === "actual")
    .map((one) => ({ ...one, appearsMs: reportedMs(one.event) }));
  const expected = parsed.filter(({ event }) => event.classifier !== "actual");
  // The first thing that happened, or the first plan when that was made earlier: never a snapshot's time.
  const beginMs = Math.min(
    ...actual.map(({ appearsMs }) => appearsMs),
    ...expected.map(({ event }) => Math.min(event.createdAtMs ?? event.at.ms, event.at.ms)),
  );
  const versions = Map.groupBy(expected, ({ event }) => identityKey(event)).values();
  const estimates = [...versions].flatMap((versionsOfOne) =>
    versionsOfOne
      .toSorted((a, b) => (a.event.createdAtMs ?? 0) - (b.event.createdAtMs ?? 0))
      .map((one, version) => ({
        ...one,
        appearsMs: version === 0 ? beginMs : (one.event.createdAtMs ?? beginMs),
      })),
  );
  return [...actual, ...estimates].toSorted((a, b) => a.appearsMs - b.appearsMs);
}

function reportedMs({ at, createdAtMs }: CarrierEvent): number {
  const delayMs = (createdAtMs ?? at.ms) - at.ms;
  return delayMs >= 0 && delayMs <= REPORTING_DELAY_MS_MAX ? at.ms + delayMs : at.ms;
}

function referencesOf(events: readonly CarrierEvent[]): readonly ReplayedReference[] {
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
  const happened = new Set(
    known.filter(({ event }) => event.classifier === "actual").map(({ event }) => identityKey(event)),
  );
  const latest = new Map(
    known.filter(({ event }) => event.classifier !== "actual").map((one) => [identityKey(one.event), one]),
  );
  return known
    .filter((one) => {
      if (one.event.classifier === "actual") return true;
      return !happened.has(identityKey(one.event)) && latest.get(identityKey(one.event)) === one;
    })
    .map(({ raw, event, appearsMs }) =>
      event.createdAtMs !== null && event.createdAtMs > nowMs
        ? { ...raw, eventCreatedDateTime: new Date(appearsMs).toISOString() }
        : raw,
    );
}
