/**
 * The lines of the messages in an EDIFACT interchange (CIMFSU, CIMFSA). Between UNH and UNT a message is plain, with
 * lines ended by CRLF or by the segment terminator, or in FTX segments, one line a component.
 */
import {
  delimitersFrom,
  partsOf,
  segmentEnd,
  UNA_CHARS,
  withoutRelease,
  type Delimiters,
} from "../../../../freight/edifact/syntax.ts";
import { lineBetween, lineOf, linesBetween, type Line } from "./lines.ts";

/** `FTX+CIM+++` */
const ELEMENTS_BEFORE_TEXT = 4;

/** Whether a line begins an interchange. */
export function isInterchange(capitals: string): boolean {
  return /^UN(?:A[^A-Z0-9]{6}|[BH]\W)/.test(capitals);
}

/** UNB, UNG, UNH, UNT, UNE and UNZ, which enclose messages. */
export function isServiceSegment(capitals: string): boolean {
  return /^UN[BGHTEZ]\W/.test(capitals);
}

/** `UNH+1+CIMFSU:12`: the type of a message that does not name its own. */
export function messageTypeOf({ capitals }: Line): {
  readonly type: string;
  readonly version: number | null;
} {
  const found = /CIM([A-Z]{3})(?:\W(\d{1,3})\b)?/.exec(capitals);
  const version = found?.[2] === undefined ? null : Number(found[2]);
  return { type: found?.[1] ?? "", version };
}

/** The service segments with the lines between them, and where the interchange ends. */
export function interchangeFrom(
  text: string,
  from: number,
): { readonly lines: Line[]; readonly end: number } {
  const { delimiters, start } = delimitersFrom(text, from);
  const lines: Line[] = [];
  let bodyStart: number | null = null;
  let end = start;
  while (end < text.length) {
    const segment = segmentAt(text, end, text.length, delimiters);
    if (isServiceSegment(segment.capitals)) {
      if (bodyStart !== null) addAll(lines, linesOf(text, bodyStart, segment.start, delimiters));
      lines.push(segment);
      bodyStart = segment.capitals.startsWith("UNH") ? segment.end + 1 : null;
    } else if (bodyStart === null && segment.text !== "") break;
    end = segment.end + 1;
  }
  if (bodyStart !== null) addAll(lines, linesOf(text, bodyStart, text.length, delimiters));
  return { lines, end };
}

/** As many as there are: arguments of a call are bounded by its stack. */
function addAll(lines: Line[], more: readonly Line[]): void {
  for (const line of more) lines.push(line);
}

function segmentAt(text: string, from: number, to: number, delimiters: Delimiters): Line {
  return lineBetween(text, from, segmentEnd(text, from, to, delimiters));
}

function linesOf(text: string, from: number, to: number, delimiters: Delimiters): readonly Line[] {
  const isFreeText = /^\s*ftx/i.test(text.slice(from, from + UNA_CHARS));
  const lines = isFreeText
    ? freeTextLines(text, from, to, delimiters)
    : plainLines(text, from, to, delimiters);
  return lines.map((line) => unescapeReleased(line, delimiters)).filter((line) => line.text !== "");
}

/** If CRLF ends the lines, an apostrophe within one belongs to a name. */
function plainLines(text: string, from: number, to: number, delimiters: Delimiters): readonly Line[] {
  const { text: inner } = lineBetween(text, from, to);
  if (/[\r\n]/.test(withoutTerminators(inner, delimiters))) {
    return linesBetween(text, from, to).map((line) =>
      lineOf(withoutTerminators(line.text, delimiters), line.start, line.end, line.released),
    );
  }
  return segmentsBetween(text, from, to, delimiters);
}

function withoutTerminators(text: string, { terminator }: Delimiters): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === terminator || text.charAt(end - 1) <= " ")) end -= 1;
  return text.slice(0, end);
}

function segmentsBetween(text: string, from: number, to: number, delimiters: Delimiters): readonly Line[] {
  const segments: Line[] = [];
  for (let start = from; start < to;) {
    const segment = segmentAt(text, start, to, delimiters);
    segments.push(segment);
    start = segment.end + 1;
  }
  return segments;
}

/** `FTX+CIM+++FSA/12:020-12345675FRAJFK/T10'`: the text is the fifth element. */
function freeTextLines(text: string, from: number, to: number, delimiters: Delimiters): readonly Line[] {
  return segmentsBetween(text, from, to, delimiters).flatMap((segment) => {
    const data = partsOf(segment.text, delimiters.element, delimiters.release, ELEMENTS_BEFORE_TEXT + 1)[
      ELEMENTS_BEFORE_TEXT
    ];
    if (data === undefined) return [];
    const start = segment.start + data.index;
    return partsOf(data.value, delimiters.component, delimiters.release, Infinity).map(({ index, value }) =>
      lineBetween(text, start + index, start + index + value.length),
    );
  });
}

function unescapeReleased(line: Line, delimiters: Delimiters): Line {
  if (!line.text.includes(delimiters.release)) return line;
  const { text, released } = withoutRelease(line.text, delimiters);
  return lineOf(text, line.start, line.end, released);
}
