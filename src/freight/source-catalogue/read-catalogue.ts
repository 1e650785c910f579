/** The files of a catalogue, which are part of the package. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { parseJson } from "../../model/json.ts";
import { fileProblems } from "../../model/validation-error.ts";

/** The root of the package. */
export const PACKAGE_FOLDER = join(import.meta.dirname, "..", "..", "..");

/** By name. Throws where a file is wrong, or is not called as its entry is. */
export function readCatalogueFolder<Schema extends TSchema>(
  folder: string,
  schema: Schema,
  idOf: (entry: Static<Schema>) => string,
): readonly Static<Schema>[] {
  const check = Compile(schema);
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names
    .map((name) => {
      const value = parseJson(readFileSync(join(folder, name), "utf8"));
      if (check.Check(value) && name === `${idOf(value)}.json`) return value;
      const problems = check.Check(value)
        ? [`it is the entry of ${idOf(value)}`]
        : fileProblems(check.Type(), check.Errors(value));
      throw new Error(`${join(folder, name)} is wrong: ${problems.join("; ")}`);
    })
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

const nameOf = (entry: unknown): string => (entry as { readonly name: string }).name;
