/** The JSON files in which operators name upstreams: carriers, airlines, feeds. */
import type { Static, TSchema } from "typebox";
import type { Validator } from "typebox/compile";

import { fileProblems, PROBLEMS_MAX } from "../../model/validation-error.ts";
import type { Invalid } from "../../runtime/config-file.ts";
import { oauthProblems } from "./oauth-problems.ts";

export type ReadFile<T> = { readonly kind: "read"; readonly value: T } | Invalid;

/** A file of entries. */
export type ReadEntries<Entry> = { readonly kind: "entries"; readonly entries: readonly Entry[] } | Invalid;

/**
 * Reads a file's text; `name` is "carriers". `problemsOf` finds what the schema cannot see. Problems name places and
 * rules, never values: those are secrets. `further`: fields that the schema does not know any more.
 */
export function readUpstreamFile<Schema extends TSchema>(
  name: string,
  text: string,
  schema: Validator<{}, Schema>,
  problemsOf: (value: Static<Schema>) => readonly string[],
  further: readonly string[] = [],
): ReadFile<Static<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", problems: [`the ${name} file is not JSON`] };
  }
  if (!schema.Check(value)) {
    return { kind: "invalid", problems: fileProblems(schema.Type(), schema.Errors(value), "", further) };
  }
  const own = problemsOf(value);
  const problems = own.length > 0 ? own : oauthProblems(value);
  return problems.length === 0
    ? { kind: "read", value }
    : { kind: "invalid", problems: problems.slice(0, PROBLEMS_MAX) };
}
