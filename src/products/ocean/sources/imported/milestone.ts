/** One milestone as somebody wrote it, in a row of a table or in a message → a statement of its source. */
import type { Classifier, Mode } from "../../../../freight/dcsa/spelling.ts";
import { readDateTime, readWallClock } from "../../../../freight/dcsa/time.ts";
import { portsAt, zoneAt } from "../../../../freight/places/known-ports.ts";
import type { EventTime } from "../../../../freight/places/local-time.ts";
import { readUnlocode } from "../../../../freight/places/ports.ts";
import {
  compileTimePattern,
  TIME_PATTERN_FORM,
  type ReadByPattern,
} from "../../../../freight/places/time-pattern.ts";
import { readImoNumber } from "../../../../freight/references/imo-number.ts";
import { BILL_PREFIXES } from "../../../../freight/references/owner-codes.ts";
import { readReference } from "../../../../freight/references/reference.ts";
import { mustBe, ValidationError, type ReadField } from "../../../../freight/tables/field.ts";
import { fieldsReader, unknownFields } from "../../../../freight/tables/rows.ts";
import { didYouMean } from "../../../../runtime/did-you-mean.ts";
import { plainReference } from "../../timeline/transport-documents.ts";
import type { CarrierEvent, DocumentReference, Place, Vessel } from "../carrier-event.ts";
import { MILESTONE_NAMES, milestoneNamed, type Milestone } from "./milestone-names.ts";
import { plainText, shortText } from "./plain-text.ts";

/** Of a row of JSON and CSV; a message is read into the same. */
export const MILESTONE_FIELDS = [
  ...[
    "container",
    "milestone",
    "classifier",
    "time",
    "time_form",
    "location",
    "place",
    "facility",
    "facility_type",
  ],
  ...["mode", "vessel", "imo", "voyage", "carrier", "booking", "bill", "load", "iso_code", "stated_at"],
  "withdrawn",
] as const;

export type MilestoneField = (typeof MILESTONE_FIELDS)[number];

export type MilestoneRow = { readonly [field in MilestoneField]?: unknown };

export type ImportedStatement = {
  readonly event: CarrierEvent;
  /** SCAC; null: not stated. */
  readonly carrier: string | null;
  /** What shipments may be tracked by that it concerns, as normalised: the container, the bill, the booking. */
  readonly references: readonly string[];
  /** The source takes it back. */
  readonly withdrawn: boolean;
};

export type FieldProblem = { readonly field: MilestoneField | null; readonly message: string };

export type ReadMilestone =
  | { readonly kind: "statement"; readonly statement: ImportedStatement }
  | { readonly kind: "refused"; readonly problems: readonly FieldProblem[] };

export function readMilestone(row: MilestoneRow, source: string): ReadMilestone {
  const problems: string[] = unknownFields(NAMED_FIELDS, Object.keys(row)).slice();
  const read = fieldsReader(row, problems);
  const milestone = read("milestone", readName);
  const place = placeOf(read, milestone?.facilityType ?? null);
  const statement = { ...numbersOf(read), withdrawn: read("withdrawn", readWithdrawn) };
  const stated = read("stated_at", readStatedAt);
  const classifier = read("classifier", readClassifier);
  const mode = read("mode", readMode);
  const laden = read("load", readLoad);
  const isoCode = read("iso_code", shortText(ISO_CODE_LENGTH_MAX));
  const vessel = vesselOf(read);
  const voyage = read("voyage", shortText());
  const form = read("time_form", readTimeForm) ?? null;
  const at = read("time", (written) => readTime(written, place, form));
  if (problems.length === 0 && statement.references.length === 0)
    problems.push("container is missing: give the container, the booking or the bill of lading");
  if (problems.length > 0) return { kind: "refused", problems: problems.map(problemOf) };
  const { equipment, documents, ...about } = statement;
  const event: CarrierEvent = {
    kind: milestone.kind,
    code: milestone.code,
    classifier: classifier ?? milestone.classifier ?? "actual",
    at,
    createdAtMs: stated,
    place,
    mode: mode ?? milestone.mode ?? modeBy(milestone, vessel),
    vessel,
    voyage,
    equipment,
    ...(isoCode === null ? {} : { isoCode: isoCode.toUpperCase() }),
    laden: laden ?? milestone.laden ?? null,
    documentType: milestone.documentType ?? null,
    documents,
    source,
  };
  return { kind: "statement", statement: { event, ...about } };
}

const NAMED_FIELDS = { fields: MILESTONE_FIELDS, outputOnly: [] };

type ReadRowField = ReturnType<typeof fieldsReader>;

/** The first word of a problem is its field, where one is wrong. */
function problemOf(problem: string): FieldProblem {
  const [word] = problem.split(" ", 1);
  const field = MILESTONE_FIELDS.find((name) => name === word) ?? null;
  return { field, message: problem };
}

function modeBy({ code }: Milestone, vessel: Vessel | null): Mode | null {
  return vessel !== null && ["LOAD", "DISC", "ARRI", "DEPA"].includes(code) ? "vessel" : null;
}

const ISO_CODE_LENGTH_MAX = 10;

const readName: ReadField<Milestone> = (written) => {
  const text = plainText(written);
  const milestone = text === null ? null : milestoneNamed(text);
  if (milestone !== null) return milestone;
  const near =
    text === null ? null : didYouMean(text.toLowerCase().replaceAll(/[ -]/g, "_"), MILESTONE_NAMES);
  throw mustBe(`a milestone such as ${near ?? "gate_in, loaded_on_vessel or discharged"}`, written);
};

/** Of fields that take some words: the meaning of each, in small letters. */
function wordOf<Meaning>(meanings: Readonly<Record<string, Meaning>>): ReadField<Meaning | null> {
  return (written) => {
    const text = plainText(written);
    if (text === null) return null;
    const word = text.toLowerCase();
    if (!Object.hasOwn(meanings, word)) throw mustBe(`one of ${Object.keys(meanings).join(", ")}`, written);
    return meanings[word]!;
  };
}

const readClassifier = wordOf<Classifier>({
  ...{ actual: "actual", estimated: "estimated", planned: "planned" },
  ...{ act: "actual", est: "estimated", pln: "planned" },
});
const readMode = wordOf<Mode>({
  vessel: "vessel",
  rail: "rail",
  truck: "truck",
  barge: "barge",
  road: "truck",
});
const readLoad = wordOf<boolean>({ laden: true, empty: false, full: true });
const readFacilityType = wordOf<string>(
  Object.fromEntries(
    ["POTE", "INTE", "RAMP", "DEPO", "CLOC", "COFS", "OFFD", "COYA", "BRTH", "ANCH", "PBPL"].map((type) => [
      type.toLowerCase(),
      type,
    ]),
  ),
);
const isWithdrawn = wordOf<boolean>({ true: true, false: false, yes: true, no: false });
const readWithdrawn: ReadField<boolean> = (written) => isWithdrawn(written) ?? false;

const readContainer: ReadField<string | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const reference = readReference(text, []);
  if (reference.kind === "invalid") throw new ValidationError(`is wrong: ${reference.message}`);
  if (reference.type !== "container_id") throw mustBe("a container number such as HRNU4000017", written);
  return reference.text;
};

const readDocument: ReadField<string | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const reference = readReference(text, []);
  if (reference.kind === "invalid") throw new ValidationError(`is wrong: ${reference.message}`);
  return reference.text;
};

const readScac: ReadField<string | null> = (written) => {
  const text = plainText(written)?.toUpperCase() ?? null;
  if (text === null || /^[A-Z]{2,4}$/.test(text)) return text;
  throw mustBe("a SCAC, two to four letters", written);
};

function numbersOf(read: ReadRowField) {
  const equipment = read("container", readContainer);
  const bill = read("bill", readDocument);
  const booking = read("booking", readDocument);
  const carrier = read("carrier", readScac);
  const documents: DocumentReference[] = [];
  if (booking) documents.push({ type: "BKG", value: booking });
  if (bill) documents.push({ type: "TRD", value: bill });
  const references = [equipment, booking, ...(bill ? formsOf(bill, carrier) : [])].filter(
    (one) => one !== null && one !== undefined,
  );
  return { equipment, documents, carrier, references: [...new Set(references)] };
}

/** What stays of a bill of lading without its prefix. */
const BARE_LENGTH_MIN = 5;

/** A bill of lading with its line's prefix and without it: a client may track it by either. */
function formsOf(bill: string, carrier: string | null): readonly string[] {
  const plain = plainReference(bill);
  const start = plain.slice(0, 4);
  const isPrefixed = start === carrier || BILL_PREFIXES.includes(start);
  if (isPrefixed) return plain.length - 4 < BARE_LENGTH_MIN ? [plain] : [plain, plain.slice(4)];
  return carrier?.length === 4 ? [plain, `${carrier}${plain}`] : [plain];
}

const readLocation: ReadField<string | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const unlocode = readUnlocode(text);
  if (unlocode === null) throw mustBe("a UN/LOCODE such as NLRTM", written);
  return unlocode;
};

/** A name that the table of ports knows once is that port. */
function placeOf(read: ReadRowField, usualType: string | null): Place | null {
  const unlocode = read("location", readLocation) ?? null;
  const name = read("place", plainText) ?? null;
  const facility = read("facility", plainText) ?? null;
  const facilityType = read("facility_type", readFacilityType) ?? usualType;
  if (unlocode === null && name === null && facility === null) return null;
  const [port, ...others] = unlocode === null && name !== null ? portsAt({ unlocode, name }) : [];
  const known = port !== undefined && others.length === 0 ? port.unlocode : null;
  return { unlocode: unlocode ?? known, name, facility, facilityType };
}

const readImo: ReadField<string | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const read = readImoNumber(text);
  if (read.kind === "invalid") throw new ValidationError(read.message);
  return read.imo;
};

function vesselOf(read: ReadRowField): Vessel | null {
  const name = read("vessel", plainText) ?? null;
  const imo = read("imo", readImo) ?? null;
  return name === null && imo === null ? null : { name, imo };
}

const readTimeForm: ReadField<ReadByPattern | null> = (written) => {
  const text = plainText(written);
  const form = text === null ? null : compiledPattern(text);
  if (text !== null && form === null) throw mustBe(TIME_PATTERN_FORM, written);
  return form;
};

/** The same for nearly all rows of a file. */
const compiledPattern = lastAnswer(compileTimePattern);

function lastAnswer<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  let last: { readonly text: string; readonly answer: Answer } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, answer: ask(text) };
    return last.answer;
  };
}

const TIME =
  "a time such as 2026-11-01T08:00:00+01:00, or 2026-11-01 08:00 by the clock of the place; another form needs its name in time_form, such as dd/MM/yyyy HH:mm";

function readTime(written: unknown, place: Place | null, form: ReadByPattern | null): EventTime {
  const plain = plainText(written);
  const text = plain === null ? null : (form?.(plain) ?? plain);
  const at = text === null ? null : readDateTime(text);
  if (at !== null) return at;
  const isLocal = text !== null && readDateTime(`${text}Z`) !== null;
  if (!isLocal) throw mustBe(TIME, written);
  const zone = zoneAt(place);
  const local = zone === null ? null : readWallClock(text, zone);
  if (local !== null) return local;
  throw new ValidationError(
    "has no offset, and no zone is known for its place: give the offset, or the place's UN/LOCODE as location",
  );
}

const readStatedAt: ReadField<number | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const at = readDateTime(text);
  if (at === null) throw mustBe("a time with an offset, such as 2026-11-01T08:00:00Z", written);
  return at.ms;
};
