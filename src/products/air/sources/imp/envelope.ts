/**
 * The messages in a text, without their envelope: IATA Type-B (priority and addresses, originator, SOH, STX and ETX),
 * EDIFACT, or none. Text between messages is skipped.
 */
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import { interchangeFrom, isInterchange, isServiceSegment, messageTypeOf } from "./edifact.ts";
import { linesBetween, restOf, type Line } from "./lines.ts";

export type MessageBody = {
  /** FSU, FSA, or a type that is not read. */
  readonly type: string;
  /** Null if the message gives none. */
  readonly version: number | null;
  /** The line or segment that names the type. */
  readonly head: Line;
  readonly lines: readonly Line[];
  /** The originator and the time of the envelope, as `t` (Type-B, SITATEX) or `u` (EDIFACT) and its text; null without. */
  readonly envelope: string | null;
};

type ScanState = {
  readonly bodies: MessageBody[];
  open: { lines: Line[] } | null;
  /** A UNH that no message has followed yet. */
  header: Line | null;
  envelope: string | null;
  /** In SITATEX, the heading that the next line is of, and the line under =SMI, which names the message under =TEXT. */
  heading: string | null;
  identifier: Line | null;
};

const ETX = "\u0003";

/** Each ends the message before it. */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(
  "FSU FSA FAD FBL FBR FDA FFA FFM FFR FHL FMA FNA FRP FSB FSL FSN FSR FUM FVA FVR FWB FWR FZA FZB".split(
    " ",
  ),
);

export function* bodiesIn(text: string): SlicedWork<readonly MessageBody[]> {
  const state: ScanState = {
    ...{ bodies: [], open: null, header: null },
    ...{ envelope: null, heading: null, identifier: null },
  };
  let skippedTo = 0;
  for (const [index, line] of linesBetween(text, 0, text.length).entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    if (line.start < skippedTo) continue;
    if (line.capitals.startsWith("UN") && isInterchange(line.capitals)) {
      const interchange = interchangeFrom(text, line.start);
      for (const segment of interchange.lines) scanLine(segment, state);
      skippedTo = interchange.end;
      endMessage(state);
      state.envelope = null;
    } else {
      scanLine(line, state);
      if (text.charAt(line.end) === ETX) endEnvelope(state);
    }
  }
  return state.bodies;
}

const LINES_PER_STEP = 1_000;

function scanLine(line: Line, state: ScanState): void {
  if (state.heading !== null && scanUnder(state.heading, line, state)) return;
  switch (roleOf(line.capitals)) {
    case "message":
      state.header = null;
      state.identifier = null;
      beginMessage(state, line);
      break;
    case "segment":
      endMessage(state);
      if (line.capitals.startsWith("UNH")) state.header = line;
      if (line.capitals.startsWith("UNB")) state.envelope = `u${line.text}`;
      break;
    case "envelope":
      endMessage(state);
      noteEnvelope(line, state);
      break;
    case "content":
      if (state.header !== null) beginByHeader(state, state.header);
      else if (state.identifier !== null && state.open === null) beginMessage(state, state.identifier);
      state.open?.lines.push(line);
  }
}

/** `.JFKFMLH 151430` names the originator and the time; other marks begin or end the envelope, or head a part of it. */
function noteEnvelope({ text, capitals }: Line, state: ScanState): void {
  if (capitals.startsWith("=") && capitals !== "=HEADER") state.heading = capitals;
  else {
    state.envelope = capitals.startsWith(".") ? `t${text}` : null;
    state.identifier = null;
  }
}

/** What SITATEX writes in lines of their own, as Type-B writes it in one; false: the line is read as any other. */
function scanUnder(heading: string, line: Line, state: ScanState): boolean {
  state.heading = null;
  if (line.capitals.startsWith("=")) return false;
  if (heading === "=ORIGIN") state.envelope = `t.${line.text}`;
  else if (heading === "=MSGID") state.envelope = `${state.envelope ?? "t."} ${line.text}`;
  else if (heading === "=SMI" && isHeading(line.capitals)) state.identifier = line;
  else return false;
  return true;
}

function endEnvelope(state: ScanState): void {
  endMessage(state);
  state.envelope = null;
}

/** The first character settles nearly all lines. */
function roleOf(capitals: string): "message" | "segment" | "envelope" | "content" {
  switch (capitals.charAt(0)) {
    case "F":
      return isHeading(capitals) ? "message" : "content";
    case "U":
      return isServiceSegment(capitals) ? "segment" : "content";
    case ".":
    case "=":
      return "envelope";
    case "Q":
    case "N":
    case "Z":
      return isTelexMark(capitals) ? "envelope" : "content";
    default:
      return "content";
  }
}

/** `FSU/14`, or `FSU` alone; what follows it is the first line. */
function beginMessage(state: ScanState, head: Line): void {
  const version = HEADING.exec(head.capitals)?.[1];
  const rest = restOf(head, version === undefined ? 3 : 4 + version.length);
  openMessage(state, head.capitals.slice(0, 3), version === undefined ? null : Number(version), head);
  if (rest.text !== "") state.open?.lines.push(rest);
}

function openMessage(state: ScanState, type: string, version: number | null, head: Line): void {
  const lines: Line[] = [];
  const { envelope } = state;
  state.open = { lines };
  state.identifier = null;
  state.bodies.push({ type, version, head, lines, envelope });
}

/** If the message does not name its type, the segment before it does. */
function beginByHeader(state: ScanState, header: Line): void {
  const { type, version } = messageTypeOf(header);
  state.header = null;
  openMessage(state, type, version, header);
}

function endMessage(state: ScanState): void {
  if (state.header !== null) beginByHeader(state, state.header);
  state.open = null;
}

function isHeading(capitals: string): boolean {
  return MESSAGE_TYPES.has(capitals.slice(0, 3)) && (capitals.length === 3 || HEADING.test(capitals));
}

/** Three letters of a type, and a version that is no part of a date or a flight. */
const HEADING = /^F[A-Z]{2}\/(\d{1,3})(?![\dA-Z])/;

/** `QD FRAFMLH` begins a message, NNNN ends one. */
function isTelexMark(capitals: string): boolean {
  return capitals === "NNNN" || capitals.startsWith("ZCZC") || /^Q[A-Z] [A-Z0-9]{7}\b/.test(capitals);
}
