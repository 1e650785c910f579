/** The syntax of EDIFACT (ISO 9735): where a segment ends, its elements and components, and what is released. */

/** `release` takes the special meaning from the next character. */
export type Delimiters = {
  readonly component: string;
  readonly element: string;
  readonly release: string;
  readonly terminator: string;
};

const DEFAULT_DELIMITERS: Delimiters = { component: ":", element: "+", release: "?", terminator: "'" };

/** Those of level B (ISO 9735), which no UNA names: they occur in no data, and nothing is released. */
const LEVEL_B_DELIMITERS: Delimiters = {
  component: "\x1F",
  element: "\x1D",
  release: "",
  terminator: "\x1C",
};

/** `UNA:+.? '` */
export const UNA_CHARS = 9;

/** The delimiters of an interchange that begins there, and where its first segment does. */
export function delimitersFrom(
  text: string,
  from: number,
): { readonly delimiters: Delimiters; readonly start: number } {
  if (!/^una/i.test(text.slice(from, from + 3))) {
    const isLevelB = text.charAt(from + 3) === LEVEL_B_DELIMITERS.element;
    return { delimiters: isLevelB ? LEVEL_B_DELIMITERS : DEFAULT_DELIMITERS, start: from };
  }
  const [component = ":", element = "+", , release = "?", , terminator = "'"] = text.slice(
    from + 3,
    from + UNA_CHARS,
  );
  return {
    delimiters: { component, element, release, terminator },
    start: Math.min(text.length, from + UNA_CHARS),
  };
}

/** The next terminator that is not released, at most `to`. */
export function segmentEnd(
  text: string,
  from: number,
  to: number,
  { release, terminator }: Delimiters,
): number {
  let end = from;
  while (end < to && text.charAt(end) !== terminator) {
    end += text.charAt(end) === release && text.charAt(end + 1) === terminator ? 2 : 1;
  }
  return Math.min(end, to);
}

/** At most `partsMax` parts; the last one keeps the rest. */
export function partsOf(text: string, delimiter: string, release: string, partsMax: number) {
  const parts: { readonly index: number; readonly value: string }[] = [];
  let start = 0;
  for (let index = 0; index < text.length && parts.length < partsMax - 1; index += 1) {
    if (text.charAt(index) === release) index += 1;
    else if (text.charAt(index) === delimiter) {
      parts.push({ index: start, value: text.slice(start, index) });
      start = index + 1;
    }
  }
  parts.push({ index: start, value: text.slice(start) });
  return parts;
}

/** Without release characters that precede a special character, and where those were; any other stands for itself. */
export function withoutRelease(
  written: string,
  { release, terminator, element, component }: Delimiters,
): { readonly text: string; readonly released: readonly number[] } {
  const specials = new Set([release, terminator, element, component]);
  const released: number[] = [];
  let text = "";
  for (let index = 0; index < written.length; index += 1) {
    if (written.charAt(index) === release && specials.has(written.charAt(index + 1))) {
      released.push(text.length);
      index += 1;
    }
    text += written.charAt(index);
  }
  return { text, released };
}
