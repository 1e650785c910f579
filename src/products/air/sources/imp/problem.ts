/** What is wrong with a message, and where in the text received. */
import type { Line } from "./lines.ts";

export type Problem = {
  /** From 1; CRLF, CR and LF each end a line. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
};

/** Reports a problem at an index of a line; reading continues. */
export type Report = (line: Line, index: number, message: string) => void;

/** Reported of one message. */
export const PROBLEMS_MAX = 100;

const QUOTED_CHARS_MAX = 40;

/** Shortened to fit a sentence. */
export function quoted(text: string): string {
  if (text === "") return "nothing";
  return text.length > QUOTED_CHARS_MAX ? `"${text.slice(0, QUOTED_CHARS_MAX)}…"` : `"${text}"`;
}

/** Lines and columns of offsets. The text is scanned once, at the first problem. */
export function positionsIn(
  text: string,
): (offset: number) => { readonly line: number; readonly column: number } {
  let starts: readonly number[] | null = null;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}
