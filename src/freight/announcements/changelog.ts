/** The API's changelog: the files of `changelog/`, one an entry, checked together. */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Compile } from "typebox/compile";

import { parseJson } from "../../model/json.ts";
import { validationMessage } from "../../model/validation-error.ts";
import type { Product } from "../../model/product.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { ChangelogEntry, noticeDays } from "./entry.ts";

/** Oldest announcement first. */
export type Changelog = readonly ChangelogEntry[];

export type ChangelogFile = { readonly name: string; readonly text: string };

/** The changelog in a folder. Throws `StartupError`, which names all that is wrong. */
export function loadChangelog(folder: string, versions: Product["versions"]): Changelog {
  return readChangelog(readFolder(folder), versions);
}

function readFolder(folder: string): readonly ChangelogFile[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      if (!isUtf8(bytes)) throw new Error(`${name} is not valid UTF-8; save it as UTF-8`);
      return { name, text: bytes.toString("utf8") };
    });
  } catch (cause) {
    throw new StartupError(`The changelog cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** Throws `StartupError`, which names every file that is wrong, and what about it. */
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
  if (problems.length > 0) throw new StartupError(`The changelog is wrong: ${problems.join("; ")}.`);
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
