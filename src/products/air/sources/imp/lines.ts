/** The lines of a message, each with its position in the text received. */

export type Line = {
  /** Trimmed of blanks and control characters. */
  readonly text: string;
  /** `text` with a to z as capitals. */
  readonly capitals: string;
  /** Offset of `text`. */
  readonly start: number;
  /** Offset of the separator that ends the line. */
  readonly end: number;
  /** Indices in `text` before which a release character of EDIFACT was removed. */
  readonly released: readonly number[];
};

/** A line and its continuations, which begin with a slant. */
export type JoinedLine = { readonly head: Line; readonly continuations: readonly Line[] };

const NONE: readonly number[] = [];
const SOH = 1;
const ETX = 3;
const LF = 10;
const CR = 13;

/** The offset of an index of a line. */
export function offsetIn({ start, released }: Line, index: number): number {
  let offset = start + index;
  for (const before of released) if (before <= index) offset += 1;
  return offset;
}

/** Without blank lines. SOH, STX and ETX separate lines like CR and LF. */
export function linesBetween(text: string, from: number, to: number): readonly Line[] {
  const lines: Line[] = [];
  let start = from;
  for (let index = from; index <= to; index += 1) {
    const code = index === to ? LF : text.charCodeAt(index);
    if (code > CR || (code !== LF && code !== CR && (code < SOH || code > ETX))) continue;
    const line = lineBetween(text, start, index);
    if (line.text !== "") lines.push(line);
    start = index + 1;
  }
  return lines;
}

export function lineBetween(text: string, from: number, to: number): Line {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return lineOf(text.slice(start, end), start, to, NONE);
}

export function lineOf(text: string, start: number, end: number, released: readonly number[]): Line {
  return { text, capitals: capitalsOf(text), start, end, released };
}

/** From an index on, as a line. */
export function restOf(line: Line, from: number): Line {
  const text = line.text.slice(from).trimStart();
  const index = line.text.length - text.length;
  const released = line.released.filter((before) => before > index).map((before) => before - index);
  return lineOf(text, offsetIn(line, index), line.end, released);
}

/** Splits a line at these indices. */
export function brokenAt(line: Line, indices: readonly number[]): readonly Line[] {
  const { text, start, released } = line;
  let skipped = 0;
  return [0, ...indices].map((from, number) => {
    const to = indices[number] ?? text.length;
    while (released[skipped]! <= from) skipped += 1;
    const first = skipped;
    while (released[skipped]! <= to) skipped += 1;
    const inPart = released.slice(first, skipped).map((before) => before - from);
    return lineOf(text.slice(from, to).trimEnd(), start + from + first, start + to + skipped, inPart);
  });
}

export function joinContinuations(lines: readonly Line[]): readonly JoinedLine[] {
  const joined: { head: Line; continuations: Line[] }[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last === undefined || !line.text.startsWith("/")) joined.push({ head: line, continuations: [] });
    else last.continuations.push(line);
  }
  return joined;
}

/** Only a to z, so that indices do not change. */
function capitalsOf(text: string): string {
  return /[a-z]/.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text;
}

/** Blanks, control characters, and the byte order mark. */
function isBlank(code: number): boolean {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xfeff;
}
