/** The segments of a text in EDIFACT, one at a time: a text of any size is never held as a list. */
import { delimitersFrom, partsOf, segmentEnd, UNA_CHARS, withoutRelease, type Delimiters } from "./syntax.ts";

export type Segment = {
  /** In capitals. */
  readonly tag: string;
  /** The components of each element behind the tag, without release characters. */
  readonly elements: readonly (readonly string[])[];
  /** Of its first character, counted from 1. */
  readonly line: number;
  readonly column: number;
  /** It is longer than {@link SEGMENT_LENGTH_MAX} and has no elements here. */
  readonly isTooLong: boolean;
};

/** Characters. */
export const SEGMENT_LENGTH_MAX = 2_000;
const ELEMENTS_MAX = 30;
const COMPONENTS_MAX = 20;

/** From the first UNA, UNB or UNH on; a later UNA changes the delimiters. Empty: the text has none of them. */
export function* segmentsIn(text: string): Generator<Segment, void, undefined> {
  const from = text.search(/(?:^|[\s'])UN(?:A[^A-Z0-9]{6}|[BH]\W)/i);
  if (from === -1) return;
  let position: Position = { line: 1, lineStart: 0, lineEnd: lineEndFrom(text, 0) };
  let { delimiters, start } = delimitersFrom(text, firstLetter(text, from));
  while (start < text.length) {
    const first = firstLetter(text, start);
    if (/^una[^a-z0-9]{6}/i.test(text.slice(first, first + UNA_CHARS))) {
      ({ delimiters, start } = delimitersFrom(text, first));
      continue;
    }
    const end = segmentEnd(text, first, text.length, delimiters);
    position = advance(text, position, first);
    const place = { line: position.line, column: first - position.lineStart + 1 };
    if (end > first) yield segmentOf(text, first, end, delimiters, place);
    start = end + 1;
  }
}

/** Line breaks between segments belong to none, and neither do control characters and marks before the first. */
function firstLetter(text: string, from: number): number {
  let first = from;
  while (first < text.length && isNone(text.charAt(first))) first += 1;
  return first;
}

function isNone(character: string): boolean {
  return character <= " " || character === "'" || character === "\uFEFF";
}

/** `lineEnd`: the next line break, behind the text where there is none. */
type Position = { readonly line: number; readonly lineStart: number; readonly lineEnd: number };

function advance(text: string, from: Position, to: number): Position {
  let { line, lineStart, lineEnd } = from;
  while (lineEnd < to) {
    line += 1;
    lineStart = lineEnd + 1;
    lineEnd = lineEndFrom(text, lineStart);
  }
  return { line, lineStart, lineEnd };
}

function lineEndFrom(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found === -1 ? text.length : found;
}

function segmentOf(
  text: string,
  from: number,
  end: number,
  delimiters: Delimiters,
  place: Pick<Segment, "line" | "column">,
): Segment {
  const { element, component, release } = delimiters;
  const isTooLong = end - from > SEGMENT_LENGTH_MAX;
  const written = isTooLong ? text.slice(from, from + 3) : text.slice(from, end).replaceAll(/[\r\n]/g, "");
  const [tag, ...elements] = partsOf(written, element, release, ELEMENTS_MAX).map(({ value }) =>
    partsOf(value, component, release, COMPONENTS_MAX).map((part) =>
      withoutRelease(part.value, delimiters).text.trim(),
    ),
  );
  return { tag: (tag?.[0] ?? "").toUpperCase(), elements, ...place, isTooLong };
}
