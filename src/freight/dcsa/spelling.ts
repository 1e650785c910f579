import { type JsonObject, isObject } from "../../model/json.ts";

/** How sure a statement is: it happened, or is expected or planned to. */
export type Classifier = "actual" | "estimated" | "planned";

export type Mode = "vessel" | "rail" | "truck" | "barge";

/**
 * How carriers spell DCSA's Track & Trace. Their differences are data: here, and in a carrier's own entry where it
 * contradicts the others. The parser asks this table and knows no carrier by name.
 */
export type Spelling = {
  /** Where the list of events is when the answer is an object and not the list itself: `events`, `data.events`. */
  readonly envelopes: readonly string[];
  /** A carrier's own: it may keep each kind of event in a list of its own. */
  readonly ownEnvelopes: readonly string[];
  /** For each field as the standard spells it: all spellings, the standard's own first. */
  readonly fields: { readonly [standard: string]: readonly string[] };
  readonly classifiers: { readonly [written: string]: Classifier };
  readonly modes: { readonly [written: string]: Mode };
  readonly emptiness: { readonly [written: string]: "laden" | "empty" };
};

/** How fields are spelled, without what stands in them. */
export type FieldNames = Pick<Spelling, "fields">;

export const DCSA_SPELLING: Spelling = {
  envelopes: ["events", "data", "items"],
  ownEnvelopes: [],
  fields: {
    eventID: ["eventID", "eventId"],
    UNLocationCode: ["UNLocationCode", "unLocationCode", "unLocode"],
    eventCreatedDateTime: ["eventCreatedDateTime", "eventCreated"],
    vesselIMONumber: ["vesselIMONumber", "vesselImoNumber"],
    facilityTypeCode: ["facilityTypeCode", "facilityType"],
    modeOfTransport: ["modeOfTransport", "modeOfTransportCode"],
    documentID: ["documentID", "documentId"],
    transportCallID: ["transportCallID", "transportCallId"],
    loadTransportCallID: ["loadTransportCallID", "loadTransportCallId"],
    dischargeTransportCallID: ["dischargeTransportCallID", "dischargeTransportCallId"],
    lastFreeDay: ["lastFreeDay", "lastFreeDate"],
  },
  classifiers: {
    ACT: "actual",
    EST: "estimated",
    REQ: "estimated",
    PLN: "planned",
    PLAN: "planned",
  },
  modes: {
    ...{ VESSEL: "vessel", RAIL: "rail", TRUCK: "truck", BARGE: "barge", FEEDER: "vessel" },
    // UN/ECE Recommendation 19, as before 2.1.
    ...{ 1: "vessel", 2: "rail", 3: "truck", 8: "barge" },
  },
  emptiness: { LADEN: "laden", EMPTY: "empty", FULL: "laden" },
};

/** A carrier's own spellings; they go before the common ones. */
export type SpellingOverrides = {
  readonly envelopes?: readonly string[];
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly classifiers?: Readonly<Record<string, Classifier>>;
  readonly modes?: Readonly<Record<string, Mode>>;
  readonly emptiness?: Readonly<Record<string, "laden" | "empty">>;
};

export function spellingWith(own: SpellingOverrides | undefined): Spelling {
  if (own === undefined) return DCSA_SPELLING;
  const ownFields = Object.fromEntries(
    Object.entries(own.fields ?? {}).map(([standard, written]) => [
      standard,
      [...written, ...(DCSA_SPELLING.fields[standard] ?? [standard])],
    ]),
  );
  return {
    ...DCSA_SPELLING,
    ownEnvelopes: own.envelopes ?? [],
    fields: { ...DCSA_SPELLING.fields, ...ownFields },
    classifiers: { ...DCSA_SPELLING.classifiers, ...own.classifiers },
    modes: { ...DCSA_SPELLING.modes, ...own.modes },
    emptiness: { ...DCSA_SPELLING.emptiness, ...own.emptiness },
  };
}

/** A field of `from` under any of its spellings; undefined where absent or null. */
export function field(from: JsonObject, standard: string, spelling: FieldNames): unknown {
  const spellings = spelling.fields[standard];
  if (spellings === undefined) return member(from, standard);
  for (const written of spellings) {
    const value = member(from, written);
    if (value !== undefined) return value;
  }
  return undefined;
}

function member(from: JsonObject, name: string): unknown {
  return Object.hasOwn(from, name) ? (from[name] ?? undefined) : undefined;
}

/** A field that holds text: trimmed, null where absent, empty or not text. Numbers count as text. */
export function text(from: JsonObject, standard: string, spelling: FieldNames): string | null {
  const value = field(from, standard, spelling);
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return null;
  // PostgreSQL stores no NUL, and one in a name is not to keep a whole answer out.
  const trimmed = value.replaceAll("\0", "").trim();
  return trimmed === "" ? null : trimmed.slice(0, TEXT_LENGTH_MAX);
}

/** A field that holds an object; empty where it does not. */
export function object(from: JsonObject, standard: string, spelling: FieldNames): JsonObject {
  const value = field(from, standard, spelling);
  return isObject(value) ? value : {};
}

/** The longest text taken over from a carrier, in characters. */
const TEXT_LENGTH_MAX = 200;
