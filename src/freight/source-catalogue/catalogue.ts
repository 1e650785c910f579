/** A catalogue that ships with Boathook: a folder of the package, one file a source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { parseJson } from "../../model/json.ts";
import { fileProblems } from "../../model/validation-error.ts";

const PACKAGE_FOLDER = join(import.meta.dirname, "..", "..", "..");

/** What every entry has. */
type Named = { readonly name: string; readonly covers?: readonly string[] };

export function defineCatalogue<Schema extends TSchema, Entry extends Static<Schema> & Named>(
  name: string,
  schema: Schema,
  codeOf: (entry: Entry) => string,
) {
  let shipped: readonly Entry[] | null = null;
  return {
    /** By name. Read once: the files are part of the package. */
    shippedCatalogue: (): readonly Entry[] =>
      (shipped ??= readFolder<Entry>(join(PACKAGE_FOLDER, name), schema, codeOf)),
    /** By its code, or another that its API answers for. */
    entryOf: (catalogue: readonly Entry[], code: string): Entry | null =>
      catalogue.find((entry) => codeOf(entry) === code) ??
      catalogue.find(({ covers = [] }) => covers.includes(code)) ??
      null,
  };
}

/** Throws where a file is wrong, or is not called as its entry is. */
function readFolder<Entry extends Named>(
  folder: string,
  schema: TSchema,
  codeOf: (entry: Entry) => string,
): readonly Entry[] {
  const check = Compile(schema);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const value = parseJson(readFileSync(join(folder, file), "utf8"));
      const problems = check.Check(value) ? [] : fileProblems(check.Type(), check.Errors(value));
      const code = problems.length > 0 ? "" : codeOf(value as Entry);
      if (file === `${code}.json`) return value as Entry;
      const wrong = problems.length > 0 ? problems.join("; ") : `it is the entry of ${code}`;
      throw new Error(`${join(folder, file)} is wrong: ${wrong}`);
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
