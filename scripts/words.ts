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
  "src/products",
  "src/store/accounts",
  "src/store/deliveries",
  "src/store/embedded",
  "src/store/endpoints",
  "src/store/nodes",
  "src/cli",
  "src/http",
  "src/model",
  "src/operator",
  "src/runtime",
  "src/service",
  "test/scripts",
  "test/engine",
  "test/loading",
  "src/engine",
  "test/rates",
  "test/receiver",
  "test/air",
  "test/simulator",
  "test/cli",
  "test/docs",
  "test/http",
  "test/model",
  "test/ocean",
  "test/operator",
  "test/places",
  "test/products",
  "test/runtime",
  "test/schedules",
  "test/send",
  "test/service",
];

/** The test shows bad words on purpose; the generated page repeats names of files. */
const NOT_HELD = ["test/scripts/words.test.ts", "docs/spec-index.md"];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false } },
});
const folders = (positionals.length > 0 ? positionals : HELD).map((folder) => folder.replace(/\/$/, ""));
const isHeld = (path: string) =>
  !NOT_HELD.includes(path) &&
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
