/**
 * `npm run check:words`: fails for words and turns of `words/list.ts` in the folders that are held to it.
 * `node scripts/words.ts <folder>…` checks those folders instead, `--count` counts by word.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";

import { projectFiles } from "./project-files.ts";
import { badWordsIn } from "./words/check.ts";

/** Grows until it is the whole project: `["."]`. Each entry is a folder or a file. */
const HELD = [
  "packages",
  "scripts",
  "test/scripts",
  "test/loading",
  "src/products/ocean/demurrage",
  "src/products/ocean/events",
  "src/products/ocean/record",
  "src/products/ocean/routes",
  "src/products/ocean/sources/dcsa",
  "src/products/ocean/status",
  "src/products/ocean/timeline",
  "src/products/ocean/tracking",
  "src/products/ocean/README.md",
  "src/products/rates/README.md",
  "src/products/rates/catalogue.ts",
  "src/products/rates/currency.ts",
  "src/products/rates/decimal.ts",
  "src/products/rates/event-data.ts",
  "src/products/rates/indices",
  "src/products/rates/routes",
  "src/products/schedules/README.md",
  "src/products/schedules/calls",
  "src/products/schedules/catalogue.ts",
  "src/products/schedules/event-data.ts",
  "src/products/schedules/events",
  "src/products/schedules/reliability",
  "src/products/schedules/routes",
  "src/products/schedules/search",
  "test/rates",
  "test/receiver",
  "test/schedules/events",
  "test/simulator",
];

/** It shows bad words on purpose. */
const OWN_TEST = "test/scripts/words.test.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false } },
});
const folders = (positionals.length > 0 ? positionals : HELD).map((folder) => folder.replace(/\/$/, ""));
const isHeld = (path: string) =>
  path !== OWN_TEST &&
  folders.some((folder) => folder === "." || path === folder || path.startsWith(`${folder}/`));
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
