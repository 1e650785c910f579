/**
 * How many lines of an e-mail take the parser how long. A line takes it microseconds without a pause: one that stands as it
 * is five times as many as one in Base64 or quoted-printable, which attachments are in. What is encoded is found as the
 * parser finds it, part by part; where that is not clear, a line counts as one that stands as it is.
 */

const LF = 10;
const CR = 13;
const HYPHEN = 45;

const ENCODED_LINES_MAX = 60_000;
const PLAIN_LINE_COST = 5;
/** Only these can be so many. */
const SHORT_LINE_BYTES = 60;
const SHORT_LINES_MAX = 20_000;
const BOUNDARIES_MAX = 1_000;
/** Nested in each other. */
const OPEN_PARTS_MAX = 30;

/** Why the parser would take too long; null: it would not. */
export function excessOf(bytes: Buffer): string | null {
  const parts = createParts();
  let [cost, short, boundaries, start] = [0, 0, 0, 0];
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const isBoundary = bytes[start] === HYPHEN && bytes[start + 1] === HYPHEN;
    const isRead = isBoundary || parts.isInHeader();
    cost += parts.isEncoded() ? 1 : PLAIN_LINE_COST;
    if (isRead) parts.readLine(textBetween(bytes, start, end), isBoundary);
    if (end - start < SHORT_LINE_BYTES) short += 1;
    if (isBoundary) boundaries += 1;
    start = end + 1;
    const excess = excessIn(cost, short, boundaries);
    if (excess !== null) return excess;
  }
  return null;
}

function excessIn(cost: number, short: number, boundaries: number): string | null {
  if (cost > ENCODED_LINES_MAX) {
    return `more than ${ENCODED_LINES_MAX} lines, where a line in neither Base64 nor quoted-printable counts as ${PLAIN_LINE_COST}`;
  }
  if (short > SHORT_LINES_MAX)
    return `more than ${SHORT_LINES_MAX} lines shorter than ${SHORT_LINE_BYTES} bytes`;
  return boundaries > BOUNDARIES_MAX ? `more than ${BOUNDARIES_MAX} lines that begin like a boundary` : null;
}

function textBetween(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", start, bytes[end - 1] === CR ? end - 1 : end);
}

type Parts = {
  isInHeader(): boolean;
  isEncoded(): boolean;
  readLine(line: string, isBoundary: boolean): void;
};

/** Where in the e-mail a line stands: header, and body of a part that is encoded or not. */
function createParts(): Parts {
  const open: string[] = [];
  let header: string[] | null = [];
  let encoded = false;
  return {
    isInHeader: () => header !== null,
    isEncoded: () => encoded,
    readLine(line, isBoundary) {
      const found = isBoundary ? open.findLastIndex((boundary) => isOf(line, boundary)) : -1;
      if (found !== -1) {
        const isEnd = line.trimEnd() === `--${open[found]}--`;
        open.length = isEnd ? found : found + 1;
        header = isEnd ? null : [];
        encoded = false;
      } else if (header !== null && line !== "") {
        header.push(line);
      } else if (header !== null) {
        const part = partOf(header);
        if (part.boundary !== null && open.length < OPEN_PARTS_MAX) open.push(part.boundary);
        encoded = part.isEncoded;
        header = null;
      }
    },
  };
}

function isOf(line: string, boundary: string): boolean {
  const marked = line.trimEnd();
  return marked === `--${boundary}` || marked === `--${boundary}--`;
}

/** A header that says something twice, or in an unusual way, says nothing here. */
function partOf(header: readonly string[]): {
  readonly boundary: string | null;
  readonly isEncoded: boolean;
} {
  const unfolded = header
    .join("\n")
    .replaceAll(/\n[ \t]/g, " ")
    .split("\n");
  const valuesOf = (name: string): readonly string[] =>
    unfolded
      .filter((field) => field.slice(0, name.length + 1).toLowerCase() === `${name}:`)
      .map((field) => field.slice(name.length + 1).trim());
  const [type = "text/plain", ...otherTypes] = valuesOf("content-type");
  const [encoding = "", ...otherEncodings] = valuesOf("content-transfer-encoding");
  if (otherTypes.length > 0 || otherEncodings.length > 0) return { boundary: null, isEncoded: false };
  if (/^multipart\//i.test(type)) return { boundary: boundaryOf(type), isEncoded: false };
  const isEncoded = /^(?:base64|quoted-printable)$/i.test(encoding) && !/^message\//i.test(type);
  return { boundary: null, isEncoded };
}

function boundaryOf(type: string): string | null {
  const values = type
    .split(";")
    .slice(1)
    .map((parameter) => parameter.trim())
    .filter((parameter) => /^boundary\b/i.test(parameter));
  const written = /^boundary=(?:"([^"\\]{1,70})"|([^\s"]{1,70}))$/i.exec(
    values.length === 1 ? values[0]! : "",
  );
  return written === null ? null : (written[1] ?? written[2])!;
}
