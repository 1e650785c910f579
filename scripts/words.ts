/**
 * `npm run check:words`: fails for words and turns of `words/list.ts`. `node scripts/words.ts <folder>…` checks those
 * folders alone, `--count` counts by word.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";

import { projectFiles } from "./project-files.ts";
import { badWordsIn } from "./words/check.ts";

/**
 * The test shows bad words on purpose; the generated page repeats names of files; a migration is never edited after
 * its release, not even in its comments.
 */
const NOT_HELD = ["test/scripts/words.test.ts", "docs/spec-index.md", "src/store/migrations"];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false } },
});
const folders = (positionals.length > 0 ? positionals : ["."]).map((folder) => folder.replace(/\/$/, ""));
const isIn = (folder: string, path: string) =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);
const isHeld = (path: string) =>
  !NOT_HELD.some((folder) => isIn(folder, path)) && folders.some((folder) => isIn(folder, path));
const files = projectFiles(join(import.meta.dirname, ".."), "**/*.{ts,md,sql}").filter(({ path }) =>
  isHeld(path),
);
const found = files.flatMap((file) => badWordsIn(file));

if (values.count) {
  const counts = Map.groupBy(found, (word) => `${word.found.toLowerCase()} (${word.instead})`);
  const sorted = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [word, { length }] of sorted) console.log(`${length} ${word}`);
} else
  for (const { path, line, found: word, instead } of found)
    console.error(`${path}:${line}: "${word.replaceAll(/\s+/g, " ")}": ${instead}`);
console.log(`${files.length} files, ${found.length} words to replace`);
process.exitCode = found.length === 0 ? 0 : 1;
