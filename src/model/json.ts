/**
 * Reads JSON from outside. It refuses what would do harm later: nesting too deep for receivers' parsers, text that
 * PostgreSQL or UTF-8 cannot hold, and the key `__proto__`.
 */
import { isUtf8 } from "node:buffer";

import { runToEnd, type SlicedWork } from "../runtime/time-slices.ts";
import {
  parseInPieces,
  PIECE_LENGTH,
  type JsonProblem,
  type PiecesOptions,
  type PiecesResult,
} from "./json-pieces.ts";

declare global {
  // ECMAScript 2026, which the compiler's own library does not know yet.
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type JsonReading =
  /** `roundedFrom` is the text if JavaScript rounds one of its numbers: see `parseLossless`. */
  | { readonly ok: true; readonly value: unknown; readonly roundedFrom?: string }
  /** `message` says what to change. */
  | { readonly ok: false; readonly message: string };

/** The usual limit on nesting, objects and arrays counted. */
export const JSON_DEPTH_MAX = 64;

/** The most of a path that a message repeats, characters. */
const PATH_LENGTH_MAX = 120;

/** In time slices, since a long body takes long. */
export function* readJsonSteps(bytes: Buffer, depthMax: number = JSON_DEPTH_MAX): SlicedWork<JsonReading> {
  if (!isUtf8(bytes)) return { ok: false, message: "the body is not valid UTF-8; encode it as UTF-8" };
  const text = bytes.toString("utf8");
  // In valid UTF-8, a JSON string can spell NUL or half a surrogate pair only by an escape, and the
  // search for one costs a tenth of checking every string.
  const scan: Scan = { checksText: text.includes("\\u") || text.includes("__proto__"), isRounded: false };
  const problemIn = (part: unknown): JsonProblem | null => findProblem(part, depthMax, scan);
  const read =
    text.length <= PIECE_LENGTH
      ? parseAtOnce(text, problemIn)
      : yield* parseInPieces(text, { depthMax, problemIn });
  if (read.ok) return scan.isRounded ? { ...read, roundedFrom: text } : read;
  if (read.problem === "syntax") {
    return { ok: false, message: `the body is not valid JSON: ${read.message}` };
  }
  const { path, what } = read.problem;
  const shown = path.length > PATH_LENGTH_MAX ? `${path.slice(0, PATH_LENGTH_MAX)}…` : path;
  return { ok: false, message: `body${shown} ${what}` };
}

function parseAtOnce(text: string, problemIn: (value: unknown) => JsonProblem | null): PiecesResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { ok: false, problem: "syntax", message: (cause as Error).message };
  }
  const problem = problemIn(value);
  return problem === null ? { ok: true, value } : { ok: false, problem, message: "" };
}

/** At once, where it is known to be short. */
export function readJson(bytes: Buffer, depthMax?: number): JsonReading {
  return runToEnd(readJsonSteps(bytes, depthMax));
}

/** An upstream's answer; undefined: it is no JSON, or beyond the bounds. */
export function* parseJsonSteps(text: string): SlicedWork<unknown> {
  if (text.length <= PIECE_LENGTH) return parseJson(text);
  const read = yield* parseInPieces(text, { depthMax: JSON_DEPTH_MAX });
  return read.ok ? read.value : undefined;
}

/**
 * Reads the text so that `JSON.stringify` gives its numbers back digit by digit: rounded numbers become `JSON.rawJSON`.
 * Many times slower than `readJson`, and for writing only. The text has been read before.
 */
export function* parseLosslessSteps(text: string): SlicedWork<unknown> {
  const revive: PiecesOptions["revive"] = (_key, value, { source }) =>
    typeof value === "number" && String(value) !== source ? JSON.rawJSON(source) : value;
  const read = yield* parseInPieces(text, { depthMax: Number.POSITIVE_INFINITY, revive });
  if (!read.ok) throw new Error("a body that was read cannot be read again");
  return read.value;
}

/** Whether it surely takes more characters than that; it may take more than is counted. Stops counting there. */
export function isLongerAsJson(value: unknown, charactersMax: number): boolean {
  let left = charactersMax;
  const count = (one: unknown): boolean => {
    left -= typeof one === "string" ? one.length + 2 : 1;
    if (left < 0) return true;
    if (Array.isArray(one)) return one.some((item) => count(item));
    if (!isObject(one)) return false;
    for (const name in one) {
      left -= name.length + 3;
      if (count(one[name])) return true;
    }
    return false;
  };
  return count(value);
}

/** A double keeps 15 digits of any number, and the whole of an integer up to 2^53. */
function mayBeRounded(value: number): boolean {
  if (Number.isSafeInteger(value)) return false;
  return Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16;
}

type Scan = { readonly checksText: boolean; isRounded: boolean };

/** The recursion ends at `depthLeft`. */
function findProblem(value: unknown, depthLeft: number, scan: Scan): JsonProblem | null {
  if (typeof value === "string") return scan.checksText ? textProblem(value) : null;
  if (typeof value === "number" && mayBeRounded(value)) scan.isRounded = true;
  if (typeof value !== "object" || value === null) return null;
  if (depthLeft === 0) return { path: "", what: "is nested too deeply; flatten it" };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findProblem(value[index], depthLeft - 1, scan);
      if (found !== null) return { ...found, path: `[${index}]${found.path}` };
    }
    return null;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    const found = (scan.checksText ? keyProblem(key) : null) ?? findProblem(member, depthLeft - 1, scan);
    if (found !== null) return { ...found, path: `.${key.toWellFormed()}${found.path}` };
  }
  return null;
}

function keyProblem(key: string): JsonProblem | null {
  return key === "__proto__"
    ? { path: "", what: "is a name that is not accepted; rename it" }
    : textProblem(key);
}

function textProblem(text: string): JsonProblem | null {
  if (text.includes("\0")) return { path: "", what: "holds a NUL character; remove it" };
  if (!text.isWellFormed()) {
    return { path: "", what: "holds half of a surrogate pair; send whole characters" };
  }
  return null;
}
