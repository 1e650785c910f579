/**
 * Parses long JSON in pieces: `JSON.parse` holds the event loop for as long as it takes, half a second for 8 MiB of
 * `{},`. A first pass finds commas between which `JSON.parse` reads what lies there, and arrays and objects that are
 * longer than a piece are put together.
 *
 *     { "a": 1, "events": [ …, …, │ …, …, │ … ], "b": 2 }
 */
import type { SlicedWork } from "../runtime/time-slices.ts";

/** Characters; a shorter text is one piece. */
export const PIECE_LENGTH = 64 * 1024;

export const CONTAINERS_MAX = 1_000_000;

/** Names of one object: to list those of a larger one takes long, too. */
const NAMES_MAX = 20_000;

/** Items of one array, which is copied whole when it grows. */
const ITEMS_MAX = 1_000_000;

/** The path begins with that of an item, `[3]`, or of a member, `.name`. */
export type JsonProblem = { readonly path: string; readonly what: string };

export type PiecesOptions = {
  /** Objects and arrays counted. */
  readonly depthMax: number;
  readonly revive?: (key: string, value: unknown, context: { readonly source: string }) => unknown;
  /** What is wrong with some items of an array, or some members of an object. */
  readonly problemIn?: (part: unknown) => JsonProblem | null;
  /** Objects and arrays: each takes up to twenty times as much memory as its text. */
  readonly containersMax?: number;
  readonly pieceLength?: number;
};

export type PiecesResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem | "syntax"; readonly message: string };

/** An array or object that has begun. */
type Open = {
  readonly start: number;
  readonly isArray: boolean;
  /** Null until its first piece is parsed. */
  parsed: unknown[] | Record<string, unknown> | null;
  /** Once some of it is parsed: the name of the member that has begun. */
  key: string;
  /** Its first character that is not parsed. */
  from: number;
  /** Whether its last bracket must come there. */
  isComplete: boolean;
  /** Counts one for each time that it comes. */
  names: number;
  /** Of its last string, which is a name where a member begins. A pair would be one for each string of a body. */
  stringStart: number;
  stringEnd: number;
};

/** Takes what `JSON.parse` takes, within the bounds. */
export function* parseInPieces(text: string, options: PiecesOptions): SlicedWork<PiecesResult> {
  try {
    return { ok: true, value: yield* read(text, options) };
  } catch (cause) {
    if (cause instanceof Refused) return { ok: false, problem: cause.problem, message: "" };
    if (cause instanceof SyntaxError) return { ok: false, problem: "syntax", message: cause.message };
    throw cause;
  }
}

class Refused extends Error {
  readonly problem: JsonProblem;
  constructor(path: string, what: string) {
    super(what);
    this.problem = { path, what };
  }
}

function* read(text: string, options: PiecesOptions): SlicedWork<unknown> {
  const { depthMax, containersMax = CONTAINERS_MAX, pieceLength = PIECE_LENGTH } = options;
  const open: Open[] = [];
  let [containers, parsedTo, pauseAt] = [0, 0, pieceLength];
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + pieceLength;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const around = open.at(-1);
      if (around !== undefined) {
        around.stringStart = at;
        around.stringEnd = end;
      }
      at = end - 1;
    } else if (code === COMMA && at - parsedTo >= pieceLength && open.length > 0) {
      parsePieces(text, open, at, options);
      parsedTo = at;
      yield;
    } else if (code === BRACKET || code === BRACE) {
      if (open.length === 0 && !isBlank(text, 0, at)) break;
      if (open.length === depthMax) throw new Refused(pathOf(open), "is nested too deeply; flatten it");
      if (++containers > containersMax) {
        throw new Refused("", `has more than ${containersMax} objects and arrays; send less at once`);
      }
      open.push(begun(at, code === BRACKET));
    } else if (code === BRACKET_END || code === BRACE_END) {
      const ended = open.pop();
      // What has no pieces is parsed with what is around it, or as a whole.
      if (ended === undefined || (ended.parsed === null && open.length === 0)) break;
      if (ended.parsed === null) continue;
      if (ended.isArray !== (code === BRACKET_END)) throw syntaxError(at, at + 1);
      if (!ended.isComplete) parseItems(text, ended, open, at, options);
      const parent = open.at(-1);
      if (parent === undefined) {
        if (!isBlank(text, at + 1, text.length)) throw syntaxError(at + 1, text.length);
        return ended.parsed;
      }
      at = attach(text, parent, ended.parsed, at + 1);
      parsedTo = at;
    }
  }
  if ((open[0]?.parsed ?? null) !== null) throw syntaxError(parsedTo, text.length);
  const whole: unknown = JSON.parse(text, options.revive!);
  refuseProblem(options.problemIn?.(whole) ?? null, "", 0);
  return whole;
}

const TOO_MANY_ITEMS = `is an array of more than ${ITEMS_MAX} items; send less at once`;
const TOO_MANY_NAMES = `is an object of more than ${NAMES_MAX} names; send less at once`;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

function begun(start: number, isArray: boolean): Open {
  return {
    start,
    isArray,
    parsed: null,
    key: "",
    from: start + 1,
    isComplete: false,
    names: 0,
    stringStart: 0,
    stringEnd: 0,
  };
}

/** The index behind the quote that ends a string; the text's end if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

/** On each level what is complete: before what has begun below it, and on the last up to the comma. */
function parsePieces(text: string, open: readonly Open[], comma: number, options: PiecesOptions): void {
  for (const [level, one] of open.entries()) {
    const below = open[level + 1];
    if (below === undefined) parseItems(text, one, open.slice(0, level), comma, options);
    else if (below.parsed === null) parseBeginning(text, one, open.slice(0, level), below.start, options);
  }
}

/** Items or members from `from` to a comma or the end: one at least, since one is due there. */
function parseItems(text: string, one: Open, above: readonly Open[], end: number, options: PiecesOptions) {
  const part = parsePiece(text, one, end, "", options);
  if ((Array.isArray(part) ? part : Object.keys(part)).length === 0) throw syntaxError(one.from, end);
  append(one, part, above, options);
  one.from = end + 1;
}

/** What lies before an item or a member that has begun and is not parsed yet: a null stands for it. */
function parseBeginning(
  text: string,
  one: Open,
  above: readonly Open[],
  end: number,
  options: PiecesOptions,
) {
  const part = parsePiece(text, one, end, "null", options);
  if (Array.isArray(part)) part.pop();
  else one.key = JSON.parse(text.slice(one.stringStart, one.stringEnd)) as string;
  append(one, part, above, options);
}

function parsePiece(text: string, one: Open, end: number, last: string, { revive }: PiecesOptions): object {
  const piece = text.slice(one.from, end) + last;
  try {
    return JSON.parse(one.isArray ? `[${piece}]` : `{${piece}}`, revive!) as object;
  } catch {
    throw syntaxError(one.from, end);
  }
}

function append(one: Open, part: object, above: readonly Open[], { problemIn }: PiecesOptions): void {
  const index = Array.isArray(one.parsed) ? one.parsed.length : 0;
  refuseProblem(problemIn?.(part) ?? null, pathOf(above), index);
  one.parsed ??= one.isArray ? [] : {};
  if (Array.isArray(one.parsed)) {
    if (index + (part as unknown[]).length > ITEMS_MAX) throw new Refused(pathOf(above), TOO_MANY_ITEMS);
    for (const item of part as unknown[]) one.parsed.push(item);
    return;
  }
  const members = Object.entries(part);
  one.names += members.length;
  if (one.names > NAMES_MAX) throw new Refused(pathOf(above), TOO_MANY_NAMES);
  for (const [name, value] of members) setMember(one.parsed, name, value);
}

/** As `JSON.parse` does: `__proto__` is a name like others. */
function setMember(into: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") into[name] = value;
  else Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Puts what has ended at `end` into its parent. Returns the place of the comma, or the one before the last bracket. */
function attach(text: string, parent: Open, value: unknown, end: number): number {
  if (Array.isArray(parent.parsed)) parent.parsed.push(value);
  else setMember(parent.parsed!, parent.key, value);
  let next = end;
  while (isSpace(text.charCodeAt(next))) next += 1;
  const code = text.charCodeAt(next);
  if (code === COMMA) {
    parent.from = next + 1;
    return next;
  }
  if (code !== BRACKET_END && code !== BRACE_END) throw syntaxError(end, next + 1);
  parent.isComplete = true;
  return next - 1;
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function refuseProblem(problem: JsonProblem | null, path: string, index: number): void {
  if (problem === null) return;
  const own = problem.path.replace(/^\[(\d+)\]/, (_, within: string) => `[${Number(within) + index}]`);
  throw new Refused(path + own, problem.what);
}

/** The path to what has begun, as far as it is parsed. */
function pathOf(open: readonly Open[]): string {
  return open
    .map(({ parsed, key }) =>
      parsed === null ? "" : Array.isArray(parsed) ? `[${parsed.length}]` : `.${key}`,
    )
    .join("");
}

function syntaxError(from: number, to: number): SyntaxError {
  return new SyntaxError(`something is wrong within its characters ${from + 1} to ${to}`);
}
