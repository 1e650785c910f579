/** The API's changelog: the files of `changelog/`, one an entry, checked together. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Compile } from "typebox/compile";

import { parseJson } from "../../model/json.ts";
import { validationMessage } from "../../model/validation-error.ts";
import type { Product } from "../../model/product.ts";
import { ChangelogEntry, noticeDays } from "./entry.ts";

/** Oldest announcement first. */
export type Changelog = readonly ChangelogEntry[];

export type ChangelogFile = { readonly name: string; readonly text: string };

/** The changelog in a folder. Throws when a file is wrong: they are a part of the build. */
export function loadChangelog(folder: string, versions: Product["versions"]): Changelog {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const files = names.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  return readChangelog(files, versions);
}

/** Throws an error that names every file that is wrong, and what about it. */
export function readChangelog(files: readonly ChangelogFile[], versions: Product["versions"]): Changelog {
  const check = Compile(ChangelogEntry);
  const entries: ChangelogEntry[] = [];
  const problems: string[] = [];
  for (const { name, text } of files) {
    const value = parseJson(text);
    if (!check.Check(value)) {
      problems.push(`${name}: ${validationMessage(ChangelogEntry, check.Errors(value), "the entry")}`);
      continue;
    }
    problems.push(...entryErrors(value, name, versions).map((error) => `${name}: ${error}`));
    entries.push(value);
  }
  for (const version of versions) {
    const introducing = entries.filter(({ api_version }) => api_version === version).length;
    if (introducing === 0) problems.push(`no entry introduces the version ${version}`);
  }
  if (problems.length > 0) throw new Error(`the changelog is wrong: ${problems.join("; ")}`);
  return entries.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

function entryErrors(entry: ChangelogEntry, name: string, versions: Product["versions"]): readonly string[] {
  const { id, api_version, action_required, action_detail } = entry;
  const errors: string[] = [];
  if (name !== `${id}.json`) errors.push(`the file of ${id} must be called ${id}.json`);
  if (noticeDays(entry) < 0) errors.push("effective_at must not be before announced_at");
  if (action_required !== (action_detail !== undefined)) {
    errors.push("action_detail must be there when action_required is true, and only then");
  }
  // A version may be announced ahead of the build that serves it.
  const newest = versions.at(-1);
  if (api_version !== undefined && !versions.includes(api_version) && api_version <= (newest ?? "")) {
    errors.push(`there is no version ${api_version}; there are ${versions.join(", ")}`);
  }
  return errors;
}

function sortKey({ announced_at, id }: ChangelogEntry): string {
  return `${announced_at} ${id}`;
}
