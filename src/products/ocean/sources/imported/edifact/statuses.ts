/** Rows of milestones from what a message says of a status, a gate or a vessel's hatch. */
import type { Segment } from "../../../../../freight/edifact/segments.ts";
import type { Mode } from "../../../../../freight/dcsa/spelling.ts";
import { milestoneNamed } from "../milestone-names.ts";
import type { MilestoneRow } from "../milestone.ts";
import {
  firstDate,
  STOWAGE,
  textIn,
  timeIn,
  type Container,
  type Dates,
  type Level,
  type Location,
  type LocationOf,
  type Transport,
} from "./context.ts";
import { milestoneOfStatus, uncertaintyOf } from "./status-codes.ts";

/** A row and the segment that a problem of it is reported at; or what is wrong, of the whole status. */
export type StatusRow = { readonly segment: Segment } & (
  | { readonly kind: "row"; readonly row: MilestoneRow }
  | { readonly kind: "refused"; readonly message: string }
);

/** One at a time: a status may have more rows than an import takes. */
export type StatusRows = Generator<StatusRow, void, undefined>;

/** What all rows of a message share. */
export type MessageFacts = Pick<MilestoneRow, "stated_at" | "withdrawn">;

/** Where goods or boxes are by their own words: activity location, location of goods, warehouse, stowage. */
const HERE = ["175", "165", "14", "18", STOWAGE];
const OUTBOUND = ["9", "5", "76", "125", "88"];
const INBOUND = ["11", "8", "60", "7"];

const ACTUAL_DATES = ["334", "7", "178", "186", "203", "35", "11", "137"];
const ESTIMATED_DATES = ["132", "133"];

/** The rows of one IFTSTA status: the milestone of each container, and the calls that its transports state. */
export function* rowsOfStatus(status: Segment, level: Level, facts: MessageFacts): StatusRows {
  const transport = level.transports.at(-1) ?? null;
  const code = textIn(status, 1);
  const words = textIn(status, 1, 3);
  const name = milestoneOfStatus(code, words, transport?.mode ?? null);
  if (name === null) {
    const shown = [code, words].filter((one) => one !== "").join(", ");
    const open = uncertaintyOf(code);
    const why = open === null ? "which no table here has" : `which is no milestone (${open})`;
    const message = shown === "" ? "STS has no status" : `STS has the status ${shown}, ${why}`;
    yield refusedAt(status, `${message}; docs/importing-milestones.md lists the others`);
    return;
  }
  yield* rowsOf(status, name, level, facts);
  yield* callsOf(level, facts);
}

/** One row for each container, or one for the documents alone. */
export function* rowsOf(segment: Segment, milestone: string, level: Level, facts: MessageFacts): StatusRows {
  const transport = level.transports.at(-1) ?? null;
  const call = placeOf(level, transport, endOf(segment, milestone, level));
  const dated = dateOf(level.dates, call);
  if (dated === null)
    return yield refusedAt(segment, `${segment.tag} has no DTM with the time of the status`);
  const time = timeIn(dated.segment);
  if (time.kind === "refused") return yield refusedAt(dated.segment, time.message);
  const row: MilestoneRow = {
    milestone,
    time: time.text,
    ...(dated.isEstimated ? { classifier: "estimated" } : {}),
    ...level.numbers,
    ...call?.location,
    ...aboutTransport(milestone, transport),
    ...facts,
  };
  for (const container of containersOf(level)) yield { kind: "row", segment, row: { ...row, ...container } };
}

function containersOf({ containers }: Level): readonly Partial<Container>[] {
  return containers.size === 0 ? [{}] : [...containers.values()];
}

function refusedAt(segment: Segment, message: string): StatusRow {
  return { kind: "refused", segment, message };
}

/** Of a move by rail the vessel is not stated; of a gate, the truck or train that came. */
function aboutTransport(milestone: string, transport: Transport | null) {
  if (transport === null) return {};
  const { mode, about } = transport;
  const own: Mode | undefined = milestoneNamed(milestone)?.mode;
  if (own === undefined) return mode === null || mode === "vessel" ? {} : { mode };
  return mode === null || own === mode ? about : {};
}

/** The end of a voyage at which something happens. */
type End = {
  readonly qualifiers: readonly string[];
  /** Null: a place at the other end is none of it. */
  readonly otherwise: readonly string[] | null;
};

const ORIGIN: End = { qualifiers: OUTBOUND, otherwise: INBOUND };
const DESTINATION: End = { qualifiers: INBOUND, otherwise: OUTBOUND };

/**
 * A gate is at the port that a box is to leave by, or has come by: at one of them its report names the other, too. What
 * the report says of the box decides (DE 8249: export, import), else whether it is laden.
 */
function endOf({ tag, elements }: Segment, milestone: string, { containers }: Level): End {
  const { code = "", laden } = milestoneNamed(milestone) ?? {};
  if (code !== "GTIN" && code !== "GTOT") return /^(?:LOAD|DEPA|STUF)$/.test(code) ? ORIGIN : DESTINATION;
  const direction = tag === "EQD" ? elements[4]?.[0] : undefined;
  const isLaden = laden ?? [...containers.values()].at(-1)?.load !== "empty";
  const isExport = direction === "2" || (direction !== "3" && (code === "GTIN") === isLaden);
  const end = isExport ? ORIGIN : DESTINATION;
  return tag === "EQD" ? { ...end, otherwise: null } : end;
}

/** The status' own place, else the end of the transport that the milestone is at. */
function placeOf(
  level: Level,
  transport: Transport | null,
  { qualifiers, otherwise }: End,
): LocationOf | null {
  const inOrder = [...HERE, ...qualifiers, ...(otherwise ?? [])];
  const find = (all: readonly LocationOf[]): LocationOf | null => {
    for (const qualifier of inOrder) {
      const found = all.findLast((one) => one.qualifier === qualifier);
      if (found !== undefined) return found;
    }
    return otherwise === null ? null : (all[0] ?? null);
  };
  return find(level.locations) ?? find(transport?.locations ?? []);
}

function dateOf(own: Dates, call: LocationOf | null) {
  for (const dates of [own, call?.dates ?? new Map<string, Segment>()]) {
    const actual = firstDate(dates, ACTUAL_DATES);
    if (actual !== null) return { segment: actual, isEstimated: false };
    const estimated = firstDate(dates, ESTIMATED_DATES);
    if (estimated !== null) return { segment: estimated, isEstimated: true };
  }
  return null;
}

/** When a vessel calls at the ports of loading and discharge. Days without an hour are no times, and left out. */
const CALLS = [
  { qualifier: "9", dates: ["186", "133"], milestone: "vessel_departed" },
  { qualifier: "11", dates: ["178", "132"], milestone: "vessel_arrived" },
] as const;

function* callsOf(level: Level, facts: MessageFacts): StatusRows {
  const sea = level.transports.filter(
    ({ mode, stage }) => mode === "vessel" || (mode === null && stage === "20"),
  );
  for (const { locations, about } of sea) {
    for (const { qualifier, location, dates } of locations) {
      const call = CALLS.find((one) => one.qualifier === qualifier);
      const segment = call === undefined ? null : firstDate(dates, call.dates);
      if (call !== undefined && segment !== null)
        yield* callRows({ ...call, segment, location, about }, level, facts);
    }
  }
}

type Call = Pick<Transport, "about"> & {
  readonly milestone: string;
  readonly segment: Segment;
  readonly location: Location;
};

function* callRows(
  { milestone, segment, location, about }: Call,
  level: Level,
  facts: MessageFacts,
): StatusRows {
  const time = timeIn(segment);
  if (time.kind === "refused") return;
  const isEstimated = ESTIMATED_DATES.includes(textIn(segment, 0));
  const row: MilestoneRow = {
    milestone,
    time: time.text,
    ...(isEstimated ? { classifier: "estimated" } : {}),
    ...level.numbers,
    ...location,
    ...about,
    ...facts,
  };
  for (const { container } of containersOf(level)) {
    yield { kind: "row", segment, row: container === undefined ? row : { ...row, container } };
  }
}
