/**
 * Prints what the changelog says of a version, for a release's notes and an annotated tag; without a version, that of
 * package.json. Fails where there is nothing.
 *
 *     node scripts/release-notes.ts 0.2.0
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import packageJson from "../package.json" with { type: "json" };

/** The text under a version's heading, without the heading; null where there is none. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## \[/m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version}]`));
  const notes = section?.slice(section.indexOf("\n")).trim() ?? "";
  return notes === "" ? null : notes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const version = process.argv[2] ?? packageJson.version;
  const changelog = readFileSync(join(import.meta.dirname, "..", "CHANGELOG.md"), "utf8");
  const notes = notesOf(changelog, version);
  if (notes === null)
    console.error(`CHANGELOG.md says nothing of ${version}: name it in a heading, ## [${version}]`);
  else console.log(notes);
  process.exitCode = notes === null ? 1 : 0;
}
