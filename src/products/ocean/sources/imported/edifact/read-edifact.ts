/**
 * Rows of milestones from messages in EDIFACT, D.95B to D.16B: IFTSTA (statuses), CODECO (gates) and COARRI (loaded and
 * discharged). Every other type is refused by its name.
 *
 *     UNH ─▶ message ─(CNI)─▶ consignment ─(STS)─▶ status ─▶ rows       IFTSTA
 *            message ─(EQD)─▶ container ─▶ rows                         CODECO, COARRI
 */
import { SEGMENT_LENGTH_MAX, segmentsIn, type Segment } from "../../../../../freight/edifact/segments.ts";
import type { SlicedWork } from "../../../../../runtime/time-slices.ts";
import {
  afterSegment,
  NOTHING_SAID,
  textIn,
  timeIn,
  within,
  withoutContainers,
  type Level,
} from "./context.ts";
import { rowsOf, rowsOfStatus, type MessageFacts, type StatusRow, type StatusRows } from "./statuses.ts";

/** Of one message; the reports of the largest vessels name some thousand containers. */
const MESSAGE_SEGMENTS_MAX = 50_000;
const SEGMENTS_PER_STEP = 500;

/** How the reading ended; `stopped`: `give` returned false. */
export type EdifactEnd = "read" | "stopped" | "no_edifact" | "no_message" | "too_many_segments";

/** Gives each row, or what is wrong, to `give`. */
export function* readEdifact(
  text: string,
  segmentsMax: number,
  give: (row: StatusRow) => boolean,
): SlicedWork<EdifactEnd> {
  let message: Message | null = null;
  let isAny = false;
  let count = 0;
  for (const segment of segmentsIn(text)) {
    count += 1;
    if (count > segmentsMax) return "too_many_segments";
    if (count % SEGMENTS_PER_STEP === 0) yield;
    const isHeader = segment.tag === "UNH";
    const ends = isHeader || segment.tag === "UNT" || segment.tag === "UNZ";
    if (ends && message !== null && (yield* giveAll(lastOf(message), give)) === null) return "stopped";
    isAny ||= isHeader;
    if (ends) message = isHeader ? begin(segment) : null;
    else if (message !== null) {
      const step: Step = afterOne(message, segment);
      const given = yield* giveAll(step.rows, give);
      if (given === null) return "stopped";
      message = given === 0 ? step.message : { ...step.message, isStating: true };
    }
  }
  if (message !== null && (yield* giveAll(lastOf(message), give)) === null) return "stopped";
  if (count === 0) return "no_edifact";
  return isAny ? "read" : "no_message";
}

const ROWS_PER_STEP = 50;

/** How many rows there were; null once no more are wanted. */
function* giveAll(rows: Iterable<StatusRow>, give: (row: StatusRow) => boolean): SlicedWork<number | null> {
  let count = 0;
  for (const row of rows) {
    if (!give(row)) return null;
    count += 1;
    if (count % ROWS_PER_STEP === 0) yield;
  }
  return count;
}

/** Of a message, a consignment or a status. */
const LEVEL_CONTAINERS_MAX = 1_000;
const LEVEL_PARTS_MAX = 100;

function isTooLarge(level: Level | null | undefined): boolean {
  if (level === null || level === undefined) return false;
  const { containers, locations, dates, transports } = level;
  const called = transports.at(-1)?.locations.at(-1);
  const parts = [locations, transports, transports.at(-1)?.locations ?? []].map(({ length }) => length);
  return (
    containers.size > LEVEL_CONTAINERS_MAX ||
    Math.max(...parts, dates.size, called?.dates.size ?? 0) > LEVEL_PARTS_MAX
  );
}

type Message = {
  readonly type: string;
  /** Its UNH. */
  readonly begins: Segment;
  /** It has given a row, or what is wrong. */
  readonly isStating: boolean;
  readonly segments: number;
  /** What the BGM says: the milestone of a gate's or hatch's report. */
  readonly report: string | null;
  readonly facts: MessageFacts;
  readonly header: Level;
  /** Of the consignment; null before the first CNI. */
  readonly consignment: Level | null;
  /** Of the open status or container, and its first segment. */
  readonly open: { readonly segment: Segment; readonly level: Level } | null;
  /** Something of it cannot be read: nothing more of it is. */
  readonly isRefused: boolean;
};

type Step = { readonly message: Message; readonly rows: Iterable<StatusRow> };

function begin(header: Segment): Message {
  return {
    type: textIn(header, 1).toUpperCase(),
    begins: header,
    isStating: false,
    segments: 0,
    report: null,
    facts: {},
    header: NOTHING_SAID,
    consignment: null,
    open: null,
    isRefused: false,
  };
}

function afterOne(message: Message, segment: Segment): Step {
  if (message.isRefused) return { message, rows: [] };
  if (segment.isTooLong)
    return refuse(message, segment, `a segment has at most ${SEGMENT_LENGTH_MAX} characters`);
  const segments = message.segments + 1;
  if (segments > MESSAGE_SEGMENTS_MAX)
    return refuse(message, segment, `a message has at most ${MESSAGE_SEGMENTS_MAX} segments`);
  const read = READERS[message.type];
  if (read === undefined) return refuse(message, segment, unreadType(message.type));
  const step = read({ ...message, segments }, segment);
  const { header, consignment, open } = step.message;
  // Each segment copies the level that it adds to.
  if (![header, consignment, open?.level].some(isTooLarge)) return step;
  return refuse(
    message,
    segment,
    `a status has at most ${LEVEL_CONTAINERS_MAX} containers and ${LEVEL_PARTS_MAX} places, times and transports`,
  );
}

function unreadType(type: string): string {
  const name = type === "" ? "a message without a type" : type.slice(0, 6);
  if (type === "COPARN")
    return "COPARN announces containers and states no milestone: nothing of it is stored";
  return `${name} is not read: send IFTSTA, CODECO or COARRI`;
}

function refuse(message: Message, segment: Segment, why: string): Step {
  return {
    message: { ...message, open: null, isRefused: true },
    rows: [{ kind: "refused", segment, message: why }],
  };
}

/** What its end gives; a message that has said nothing at all is cut, or not what it is called. */
function* lastOf(message: Message): StatusRows {
  let isStating = message.isStating;
  for (const row of endOf(message)) {
    isStating = true;
    yield row;
  }
  if (isStating || !Object.hasOwn(STATED_BY, message.type)) return;
  const why = `the message states nothing: ${message.type} has ${STATED_BY[message.type]}`;
  yield { kind: "refused", segment: message.begins, message: why };
}

/** The segments that state a milestone. */
const STATED_BY: Readonly<Record<string, string>> = {
  IFTSTA: "an STS for each status",
  CODECO: "a BGM, and an EQD+CN for each container",
  COARRI: "a BGM, and an EQD+CN for each container",
};

const READERS: Readonly<Record<string, (message: Message, segment: Segment) => Step>> = {
  IFTSTA: afterOfStatuses,
  CODECO: afterOfReport,
  COARRI: afterOfReport,
};

function endOf({ type, open, facts, report }: Message): Iterable<StatusRow> {
  if (open === null) return [];
  if (type === "IFTSTA") return rowsOfStatus(open.segment, open.level, facts);
  return report === null ? [] : rowsOf(open.segment, report, open.level, facts);
}

function afterOfStatuses(message: Message, segment: Segment): Step {
  const { header, consignment, open } = message;
  switch (segment.tag) {
    case "BGM":
      return { message: { ...message, facts: withFunction(message.facts, segment) }, rows: [] };
    case "CNI":
      return {
        message: { ...message, consignment: consignmentOf(header, segment), open: null },
        rows: endOf(message),
      };
    case "STS":
      return {
        message: { ...message, open: { segment, level: within(consignment ?? header) } },
        rows: endOf(message),
      };
    default:
      break;
  }
  if (open !== null) {
    // Containers of the status take the place of those of the consignment.
    const isFirst = segment.tag === "EQD" && !open.level.hasOwnContainers;
    const level = afterSegment(isFirst ? withoutContainers(open.level) : open.level, segment);
    return { message: { ...message, open: { ...open, level } }, rows: [] };
  }
  if (consignment !== null)
    return { message: { ...message, consignment: afterSegment(consignment, segment) }, rows: [] };
  return { message: withHeader(message, segment), rows: [] };
}

/** DE 1225, or the code for a status that the message withdraws. */
const CANCELLATION = "1";

function withFunction(facts: MessageFacts, bgm: Segment): MessageFacts {
  return textIn(bgm, 2) === CANCELLATION ? { ...facts, withdrawn: true } : facts;
}

/** When the message was written: by UTC, where it does not say by which clock. */
function withHeader(message: Message, segment: Segment): Message {
  if (segment.tag !== "DTM" || textIn(segment, 0) !== "137")
    return { ...message, header: afterSegment(message.header, segment) };
  const time = timeIn(segment);
  if (time.kind === "refused") return message;
  const stated_at = /(?:Z|[+-]\d{2}:\d{2})$/.test(time.text) ? time.text : `${time.text}Z`;
  return { ...message, facts: { ...message.facts, stated_at } };
}

function consignmentOf(header: Level, cni: Segment): Level {
  const level = within(header);
  const number = textIn(cni, 1);
  if (level.numbers.bill !== undefined || !/[A-Z0-9]{5}/i.test(number)) return level;
  return { ...level, numbers: { ...level.numbers, bill: number } };
}

/** DE 1001 of the reports, by type: as D.95B has it, and as directories since D.98B do. Terminals write either in both. */
const REPORTS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  CODECO: new Map([
    ["34", "gate_in"],
    ["36", "gate_out"],
    ["109", "gate_in"],
    ["111", "gate_out"],
  ]),
  COARRI: new Map([
    ["44", "discharged"],
    ["46", "loaded_on_vessel"],
    ["119", "discharged"],
    ["122", "loaded_on_vessel"],
  ]),
};

function afterOfReport(message: Message, segment: Segment): Step {
  const { header, open, type } = message;
  if (segment.tag === "BGM") {
    const code = textIn(segment, 0);
    const report = REPORTS[type]?.get(code) ?? null;
    if (report === null) {
      const known = [...(REPORTS[type] ?? [])].map(([key, name]) => `${key} (${name})`);
      return refuse(message, segment, `BGM ${code} of ${type} is not read: it must be ${known.join(" or ")}`);
    }
    return { message: { ...message, report, facts: withFunction(message.facts, segment) }, rows: [] };
  }
  if (segment.tag === "EQD" && textIn(segment, 0) === "CN") {
    const level = { ...withoutContainers(header), dates: new Map() };
    return {
      message: { ...message, open: { segment, level: afterSegment(level, segment) } },
      rows: endOf(message),
    };
  }
  if (open === null) return { message: withHeader(message, segment), rows: [] };
  return { message: { ...message, open: { ...open, level: afterContainer(open.level, segment) } }, rows: [] };
}

/** Behind a container its own places and times, though the vessel before it has some. */
function afterContainer(level: Level, segment: Segment): Level {
  if (segment.tag !== "DTM" && segment.tag !== "LOC") return afterSegment(level, segment);
  return { ...afterSegment({ ...level, transports: [] }, segment), transports: level.transports };
}
