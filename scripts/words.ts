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
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "docs",
  "packages/receiver/README.md",
  "packages",
  "scripts",
  "src/freight",
  "src/products/air/store",
  "src/products/loading/store",
  "src/products/ocean/store",
  "src/products/rates/store",
  "src/products/schedules/store",
  "src/store",
  "src/cli",
  "src/http",
  "src/model",
  "src/operator",
  "src/runtime",
  "test/scripts",
  "test/engine",
  "test/loading",
  "src/engine",
  "src/products/ocean",
  "src/products/rates/README.md",
  "src/products/rates/catalogue.ts",
  "src/products/rates/currency.ts",
  "src/products/rates/decimal.ts",
  "src/products/rates/event-data.ts",
  "src/products/rates/indices",
  "src/products/rates/rate-schema.ts",
  "src/products/rates/rate-updater.ts",
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
  "test/air",
  "src/products/air/README.md",
  "src/products/air/catalogue.ts",
  "src/products/air/events.ts",
  "src/products/air/air-product.ts",
  "src/products/air/polling",
  "src/products/air/product.ts",
  "src/products/air/record",
  "src/products/air/routes",
  "src/products/air/running.ts",
  "src/products/air/settings.ts",
  "src/products/air/sources",
  "src/products/air/store",
  "src/products/air/status.ts",
  "src/products/air/timeline",
  "src/products/air/tracking",
  "src/products/loading",
  "test/simulator",
  "test/store",
  "test/faults",
  "test/soak",
  "test/mutation",
  "test/broadcasts",
  "test/announcements",
  "test/upstream",
  "test/bin",
  "test/support",
  "bench",
];

/**
 * The test shows bad words on purpose; the generated page repeats names of files; a migration is never edited after
 * its release, not even in its comments.
 */
const NOT_HELD = ["test/scripts/words.test.ts", "docs/spec-index.md", "src/store/migrations"];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false } },
});
const folders = (positionals.length > 0 ? positionals : HELD).map((folder) => folder.replace(/\/$/, ""));
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
