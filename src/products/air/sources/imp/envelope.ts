/**
 * The messages in a text, taken out of what carries them: an IATA Type-B envelope (priority and addresses,
 * originator, SOH, STX and ETX), an EDIFACT one, or nothing. What stands between messages is passed over.
 */
import { interchangeFrom, isInterchange, isServiceSegment, messageTypeOf } from "./edifact.ts";
import { linesBetween, restOf, type Line } from "./lines.ts";

/** One message, from the line that names its kind. */
export type MessageBody = {
  /** FSU, FSA, or a kind that is not read here. */
  readonly type: string;
  /** Null where the message tells none. */
  readonly version: number | null;
  /** The line, or the segment, that names the kind. */
  readonly head: Line;
  /** Those after it. */
  readonly lines: readonly Line[];
};

/** What has been found so far. */
type ScanState = {
  readonly bodies: MessageBody[];
  open: { lines: Line[] } | null;
  /** A UNH that no message has followed yet. */
  header: Line | null;
};

const ETX = "\u0003";

/** Messages that come the same way: each ends the one before it. */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(
  "FSU FSA FAD FBL FBR FDA FFA FFM FFR FHL FMA FNA FRP FSB FSL FSN FSR FUM FVA FVR FWB FWR FZA FZB".split(
    " ",
  ),
);

export function bodiesIn(text: string): readonly MessageBody[] {
  const finding: ScanState = { bodies: [], open: null, header: null };
  let passedTo = 0;
  for (const line of linesBetween(text, 0, text.length)) {
    if (line.start < passedTo) continue;
    if (line.capitals.startsWith("UN") && isInterchange(line.capitals)) {
      const interchange = interchangeFrom(text, line.start);
      for (const segment of interchange.lines) scanLine(segment, finding);
      passedTo = interchange.end;
      endMessage(finding);
    } else {
      scanLine(line, finding);
      if (text.charAt(line.end) === ETX) endMessage(finding);
    }
  }
  return finding.bodies;
}

function scanLine(line: Line, finding: ScanState): void {
  switch (roleOf(line.capitals)) {
    case "message":
      finding.header = null;
      beginMessage(finding, line);
      break;
    case "segment":
      endMessage(finding);
      if (line.capitals.startsWith("UNH")) finding.header = line;
      break;
    case "envelope":
      endMessage(finding);
      break;
    case "content":
      if (finding.header !== null) beginByHeader(finding, finding.header);
      finding.open?.lines.push(line);
  }
}

/** Nearly all lines are told apart by their first character. */
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

/** By `FSU/14`, or `FSU` alone; what stands behind it is the first line. */
function beginMessage(finding: ScanState, head: Line): void {
  const version = HEADING.exec(head.capitals)?.[1];
  const rest = restOf(head, version === undefined ? 3 : 4 + version.length);
  openMessage(finding, head.capitals.slice(0, 3), version === undefined ? null : Number(version), head);
  if (rest.text !== "") finding.open?.lines.push(rest);
}

function openMessage(finding: ScanState, type: string, version: number | null, head: Line): void {
  const lines: Line[] = [];
  finding.open = { lines };
  finding.bodies.push({ type, version, head, lines });
}

/** A message that does not name its kind: the segment before it does. */
function beginByHeader(finding: ScanState, header: Line): void {
  const { type, version } = messageTypeOf(header);
  finding.header = null;
  openMessage(finding, type, version, header);
}

function endMessage(finding: ScanState): void {
  if (finding.header !== null) beginByHeader(finding, finding.header);
  finding.open = null;
}

function isHeading(capitals: string): boolean {
  return MESSAGE_TYPES.has(capitals.slice(0, 3)) && (capitals.length === 3 || HEADING.test(capitals));
}

/** The three letters of a kind, and a version behind which nothing makes it a date or a flight. */
const HEADING = /^F[A-Z]{2}\/(\d{1,3})(?![\dA-Z])/;

/** `QD FRAFMLH` and NNNN: the next message's heading, and this one's end. */
function isTelexMark(capitals: string): boolean {
  return capitals === "NNNN" || capitals.startsWith("ZCZC") || /^Q[A-Z] [A-Z0-9]{7}\b/.test(capitals);
}
