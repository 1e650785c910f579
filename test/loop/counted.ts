/**
 * Counts what readers do, where time would judge the machine: a step for each call of a function and each turn of a
 * loop, and one for each element that is copied or looked through natively. A module that is imported with `?counted`
 * counts so, and so do the sources that it imports, and the parser of e-mails; without it, the same modules do not.
 *
 * What one native function does by itself is not counted: a regular expression, which `npm run check:patterns` shows to
 * be linear, a schema's check, whose code is generated, and `JSON.parse` beyond one step a character.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { countingText } from "./counting.ts";

type Searched = { readonly length: number; indexOf(item: never, from?: number): number };
type Finder = "includes" | "indexOf" | "lastIndexOf";

/** What counted code calls. */
const counted = {
  steps: 0,
  all<Value>(value: Value): Value {
    counted.steps += sizeOf(value);
    return value;
  },
  /** A slice of a text is no copy. */
  list<Value>(made: Value): Value {
    if (Array.isArray(made)) counted.steps += made.length;
    return made;
  },
  find(within: Searched, how: Finder, ...[item, from = 0]: readonly unknown[]): unknown {
    const isList = typeof within === "string" || Array.isArray(within) || ArrayBuffer.isView(within);
    if (isList && how === "lastIndexOf") counted.steps += within.length;
    else if (isList) {
      const found = within.indexOf(item as never, Number(from));
      counted.steps += Math.max(0, (found === -1 ? within.length : found) - Number(from));
    }
    const search: (...wanted: readonly unknown[]) => unknown = Reflect.get(Object(within), how);
    return search.call(within, item, ...(from === 0 ? [] : [from]));
  },
};
Reflect.set(globalThis, Symbol.for("boathook.counted"), counted);

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Map || value instanceof Set) return value.size;
  return ArrayBuffer.isView(value) ? value.byteLength : Object.keys(value).length;
}

/** Since the process began. */
export const stepsCounted = (): number => counted.steps;

/** Behind the path of what is to count. */
export const COUNTED = "?counted";
const COUNTING = /\/(?:src\/[^?]*\.ts|node_modules\/postal-mime\/[^?]*\.js)$/;
/** They import the sources, and their own steps are none of a reader's. */
const BETWEEN = /\/test\/[^?]*\.ts$/;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier.replace(COUNTED, ""), context);
    const isMarked = specifier.endsWith(COUNTED) || context.parentURL?.endsWith(COUNTED) === true;
    const isOurs = COUNTING.test(resolved.url) || BETWEEN.test(resolved.url);
    return isMarked && isOurs ? { ...resolved, url: resolved.url + COUNTED } : resolved;
  },
  load(url, context, next) {
    if (!url.endsWith(COUNTED)) return next(url, context);
    const path = fileURLToPath(url.slice(0, -COUNTED.length));
    const text = readFileSync(path, "utf8");
    const source = BETWEEN.test(path) ? text : countingText({ path: relative(".", path), text });
    return { format: path.endsWith(".ts") ? "module-typescript" : "module", source, shortCircuit: true };
  },
});
