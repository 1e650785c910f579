/** What somebody imports, in CSV, JSON or EDIFACT → statements of a source, and what is wrong with the others. */
import { isUtf8 } from "node:buffer";

import { parseRows, type Table } from "../../../../freight/tables/rows.ts";
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import { fieldOfHeading, timeFormIn } from "./columns.ts";
import { readEdifact } from "./edifact/read-edifact.ts";
import { MILESTONE_FIELDS, readMilestone, type ImportedStatement, type MilestoneRow } from "./milestone.ts";

export const IMPORT_FORMATS = ["csv", "json", "edi"] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type ImportBounds = {
  readonly bytesMax: number;
  readonly milestonesMax: number;
  /** Of EDIFACT. */
  readonly segmentsMax: number;
};

/** Of one request, which others wait beside. */
export const REQUEST_BOUNDS: ImportBounds = {
  bytesMax: 4 * 1024 * 1024,
  milestonesMax: 10_000,
  // Of twenty segments each.
  segmentsMax: 200_000,
};

/** Of a file that a command imports, in a process of its own. */
export const FILE_BOUNDS: ImportBounds = {
  bytesMax: 64 * 1024 * 1024,
  milestonesMax: 200_000,
  segmentsMax: 4_000_000,
};

/** Problems that are listed of one import; the others are counted alone. */
export const PROBLEMS_MAX = 100;
/** Characters of one message. */
const PROBLEM_LENGTH_MAX = 500;

export type ImportProblem = {
  /** The line of CSV or EDIFACT; the place in a list of JSON. From 1. */
  readonly line: number;
  /** The column of CSV, the character of EDIFACT, from 1; null where none is wrong by itself. */
  readonly column: number | null;
  /** The field, the heading of CSV or the segment of EDIFACT; null likewise. */
  readonly field: string | null;
  /** False: the milestone is still stored. */
  readonly refused: boolean;
  /** What to change. */
  readonly message: string;
};

export type ReadImport =
  | {
      readonly kind: "read";
      readonly statements: readonly ImportedStatement[];
      /** Milestones that are refused, whatever is wrong with each. */
      readonly refused: number;
      readonly problems: readonly ImportProblem[];
    }
  /** Nothing of it can be read, or there is too much of it: nothing is stored. */
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

export function* readImport(
  bytes: Buffer,
  format: ImportFormat,
  source: string,
  bounds = REQUEST_BOUNDS,
): SlicedWork<ReadImport> {
  if (isUtf16(bytes)) return { kind: "unreadable", problems: ["it is UTF-16; save it as UTF-8"] };
  const { segmentsMax } = bounds;
  const reading = createReading(source, bounds);
  if (format !== "edi") return yield* readTable(bytes, format, reading);
  // What is no UTF-8 is Latin-1, as UNOC has it: codes and numbers are the same in both.
  const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  const end = yield* readEdifact(text, segmentsMax, (given) => {
    const { line, column, tag } = given.segment;
    const at = { line, column, field: tag };
    if (given.kind === "refused") return reading.refuse([{ ...at, message: given.message }]);
    return reading.take(given.row, () => at);
  });
  if (end === "no_edifact")
    return { kind: "unreadable", problems: ["it is no EDIFACT: it must begin with UNA, UNB or UNH"] };
  if (end === "no_message") return { kind: "unreadable", problems: [NO_MESSAGE] };
  if (end === "too_many_segments")
    return {
      kind: "unreadable",
      problems: [`it has more than ${segmentsMax} segments; import it in parts`],
    };
  return reading.result();
}

const NO_MESSAGE =
  "it has no message that begins with UNH: where its separators are not + : and ', it must begin with a UNA that names them";

/** By the mark that programs begin it with, or a NUL in every other byte of its first characters. */
function isUtf16(bytes: Buffer): boolean {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes.subarray(0, 4);
  const mark = bytes.subarray(0, 2).toString("hex");
  return mark === "fffe" || mark === "feff" || isOther(first, third) || isOther(second, fourth);
}

function isOther(one: number, other: number): boolean {
  return one === 0 && other === 0;
}

type Place = Pick<ImportProblem, "line" | "column" | "field">;

/** Counts and bounds what is read. `take` and `refuse` return false once there is too much. */
function createReading(source: string, { milestonesMax }: ImportBounds) {
  const statements: ImportedStatement[] = [];
  const problems: ImportProblem[] = [];
  let refused = 0;
  let count = 0;
  const note = (problem: Omit<ImportProblem, "message">, message: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push({ ...problem, message: shortened(message) });
  };
  const refuse = (all: readonly (Place & { readonly message: string })[]): boolean => {
    refused += 1;
    count += 1;
    for (const { message, ...place } of all) note({ ...place, refused: true }, message);
    return count <= milestonesMax;
  };
  return {
    refuse,
    note: (place: Place, message: string) => note({ ...place, refused: false }, message),
    take(row: MilestoneRow, placeOf: (field: string | null) => Place): boolean {
      const read = readMilestone(row, source);
      if (read.kind === "refused")
        return refuse(read.problems.map(({ field, message }) => ({ ...placeOf(field), message })));
      statements.push(read.statement);
      count += 1;
      return count <= milestonesMax;
    },
    result: (): ReadImport =>
      count > milestonesMax
        ? {
            kind: "unreadable",
            problems: [`it has more than ${milestonesMax} milestones; import it in parts`],
          }
        : { kind: "read", statements, refused, problems },
  };
}

type Reading = ReturnType<typeof createReading>;

/** Without characters that PostgreSQL or a terminal cannot show. */
function shortened(message: string): string {
  return message
    .replaceAll(/[\u0000-\u001F\u007F]/g, "\uFFFD")
    .toWellFormed()
    .slice(0, PROBLEM_LENGTH_MAX);
}

const TABLE: Table = {
  name: "milestones",
  fields: MILESTONE_FIELDS,
  required: ["milestone", "time"],
  outputOnly: [],
  exactNumbers: true,
  takesSemicolons: true,
  fieldOf: fieldOfHeading,
};

const ROWS_PER_STEP = 50;

function* readTable(bytes: Buffer, format: "csv" | "json", reading: Reading): SlicedWork<ReadImport> {
  const table = yield* parseRows(bytes, format, TABLE);
  if (table.kind === "unreadable") return table;
  const { headings } = table;
  const columns = headings.map(fieldOfHeading);
  const ignored = headings.filter((heading, at) => columns[at] === null && heading !== "");
  if (ignored.length > 0)
    reading.note(
      { line: 1, column: null, field: null },
      `columns of no field are ignored: ${ignored.join(", ")}`,
    );
  const timeForm = timeFormIn(headings);
  const named = timeForm === null ? {} : { time_form: timeForm };
  let count = 0;
  for (const row of table.rows) {
    count += 1;
    if (row === null || count % ROWS_PER_STEP === 0) yield;
    if (row === null) continue;
    const { line, fields } = row;
    const placeOf = (field: string | null): Place => {
      const at = columns.findIndex((one) => one !== null && one === field);
      return { line, column: at === -1 ? null : at + 1, field: at === -1 ? field : headings[at]! };
    };
    const goesOn =
      typeof fields === "string"
        ? reading.refuse([{ line, column: null, field: null, message: fields }])
        : reading.take({ ...named, ...fields }, placeOf);
    if (!goesOn) break;
  }
  return reading.result();
}
