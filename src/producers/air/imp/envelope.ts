/**
 * The messages in a text, taken out of what carries them: an IATA Type-B envelope (priority and addresses,
 * originator, SOH, STX and ETX), an EDIFACT one, or nothing. What stands between messages is passed over.
 */
import { interchangeFrom, isInterchange, isServiceSegment, messageTypeOf } from "./edifact.ts";
import { linesBetween, restOf, type Line } from "./lines.ts";

/** One message, from the line that names its kind. */
export type Body = {
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
type Finding = {
  readonly bodies: Body[];
  open: { lines: Line[] } | null;
  /** A UNH that no message has followed yet. */
  header: Line | null;
};

const ETX = "\u0003";

/** Messages that come the same way: each ends the one before it. */
const KINDS: ReadonlySet<string> = new Set(
  "FSU FSA FAD FBL FBR FDA FFA FFM FFR FHL FMA FNA FRP FSB FSL FSN FSR FUM FVA FVR FWB FWR FZA FZB".split(
    " ",
  ),
);

export function bodiesIn(text: string): readonly Body[] {
  const finding: Finding = { bodies: [], open: null, header: null };
  let passedTo = 0;
  for (const line of linesBetween(text, 0, text.length)) {
    if (line.start < passedTo) continue;
    if (isInterchange(line.capitals)) {
      const interchange = interchangeFrom(text, line.start);
      for (const segment of interchange.lines) findIn(segment, finding);
      passedTo = interchange.end;
      end(finding);
    } else {
      findIn(line, finding);
      if (text.charAt(line.end) === ETX) end(finding);
    }
  }
  return finding.bodies;
}

function findIn(line: Line, finding: Finding): void {
  const { capitals } = line;
  const kind = kindOf(line);
  if (kind !== null) {
    finding.header = null;
    begin(finding, kind.type, kind.version, line, kind.rest === null ? [] : [kind.rest]);
  } else if (isServiceSegment(capitals)) {
    end(finding);
    if (capitals.startsWith("UNH")) finding.header = line;
  } else if (isEnvelope(capitals)) {
    end(finding);
  } else {
    if (finding.header !== null) beginByHeader(finding, finding.header);
    finding.open?.lines.push(line);
  }
}

function begin(finding: Finding, type: string, version: number | null, head: Line, lines: Line[]): void {
  finding.open = { lines };
  finding.bodies.push({ type, version, head, lines });
}

/** A message that does not name its kind: the segment before it does. */
function beginByHeader(finding: Finding, header: Line): void {
  const { type, version } = messageTypeOf(header);
  finding.header = null;
  begin(finding, type, version, header, []);
}

function end(finding: Finding): void {
  if (finding.header !== null) beginByHeader(finding, finding.header);
  finding.open = null;
}

/** `FSU/14`, or `FSU` alone, and what stands behind it; null for a line of a message or of an envelope. */
function kindOf(line: Line) {
  const { capitals } = line;
  const type = capitals.slice(0, 3);
  if (!KINDS.has(type)) return null;
  if (capitals.length === 3) return { type, version: null, rest: null };
  const version = /^\/(\d{1,3})(?![\dA-Z])/.exec(capitals.slice(3))?.[1];
  if (version === undefined) return null;
  const rest = restOf(line, 4 + version.length);
  return { type, version: Number(version), rest: rest.text === "" ? null : rest };
}

/** `QD FRAFMLH`, `.JFKFMAA 121530`, `=TEXT`, NNNN: the next message's heading, or this one's end. */
function isEnvelope(capitals: string): boolean {
  return (
    capitals.startsWith(".") ||
    capitals.startsWith("=") ||
    capitals === "NNNN" ||
    capitals.startsWith("ZCZC") ||
    /^Q[A-Z] [A-Z0-9]{7}\b/.test(capitals)
  );
}
