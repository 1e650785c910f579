/**
 * Reads JSON from strangers. What is refused here would harm somebody further on: nesting that no
 * parser of a receiver takes, text that PostgreSQL or UTF-8 cannot hold, and the key that has poisoned
 * many a merge of objects.
 */
import { isUtf8 } from "node:buffer";

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  /** `message` says what to change. */
  | { readonly ok: false; readonly message: string };

/** The nesting that requests may have where nothing else is said, objects and arrays counted. */
export const JSON_DEPTH_MAX = 64;

/** How much of the way to a flaw is named. */
const PATH_LENGTH_MAX = 120;

/** Reads one JSON text; `depthMax` counts objects and arrays. */
export function readJson(bytes: Buffer, depthMax: number = JSON_DEPTH_MAX): JsonReading {
  if (!isUtf8(bytes)) return { ok: false, message: "the body is not valid UTF-8; encode it as UTF-8" };
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { ok: false, message: `the body is not valid JSON: ${(cause as Error).message}` };
  }
  // In valid UTF-8, a JSON string can spell NUL or half a surrogate pair only by an escape, and the
  // search for one costs a tenth of looking at every string.
  const looksAtText = text.includes("\\u") || text.includes("__proto__");
  const flaw = flawOf(value, depthMax, looksAtText);
  if (flaw === null) return { ok: true, value };
  const path = flaw.path.length > PATH_LENGTH_MAX ? `${flaw.path.slice(0, PATH_LENGTH_MAX)}…` : flaw.path;
  return { ok: false, message: `body${path} ${flaw.what}` };
}

type Flaw = { readonly path: string; readonly what: string };

/** The first flaw of a value that JSON.parse made. The recursion ends at `depthLeft`. */
function flawOf(value: unknown, depthLeft: number, looksAtText: boolean): Flaw | null {
  if (typeof value === "string") return looksAtText ? textFlaw(value) : null;
  if (typeof value !== "object" || value === null) return null;
  if (depthLeft === 0) return { path: "", what: "is nested too deeply; flatten it" };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const flaw = flawOf(value[index], depthLeft - 1, looksAtText);
      if (flaw !== null) return { ...flaw, path: `[${index}]${flaw.path}` };
    }
    return null;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    const flaw = (looksAtText ? keyFlaw(key) : null) ?? flawOf(member, depthLeft - 1, looksAtText);
    if (flaw !== null) return { ...flaw, path: `.${key.toWellFormed()}${flaw.path}` };
  }
  return null;
}

function keyFlaw(key: string): Flaw | null {
  return key === "__proto__"
    ? { path: "", what: "is a name that is not accepted; rename it" }
    : textFlaw(key);
}

function textFlaw(text: string): Flaw | null {
  if (text.includes("\0")) return { path: "", what: "holds a NUL character; remove it" };
  if (!text.isWellFormed()) {
    return { path: "", what: "holds half of a surrogate pair; send whole characters" };
  }
  return null;
}
