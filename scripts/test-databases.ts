/**
 * `node scripts/test-databases.ts cells`: runs the tests that use a database once more, with two cells in each.
 * `homes`: with the second cell in a database of its own. What reaches `test/support/test-server.ts` by its imports uses
 * one; of these, what starts services by URL has one server.
 */
import { posix } from "node:path";

import { projectFiles } from "./project-files.ts";
import { importsIn, parseSource } from "./source.ts";
import { runTests } from "./test-processes.ts";

const MODES = {
  cells: { entry: "test/support/test-server.ts", settings: { BOATHOOK_TEST_CELLS: "2" } },
  homes: {
    entry: "test/support/database.ts",
    settings: { BOATHOOK_TEST_CELLS: "2", BOATHOOK_TEST_HOMES: "2" },
  },
} as const;

const mode = process.argv[2];
if (mode !== "cells" && mode !== "homes") throw new Error("name the mode: cells or homes");
const { entry, settings } = MODES[mode];

const targets = new Map(
  projectFiles(".", "test/**/*.ts").map((file) => [file.path, targetsOf(file)] as const),
);

function targetsOf(file: { readonly path: string; readonly text: string }): readonly string[] {
  const own = [...importsIn(parseSource(file).program)].filter(({ target }) => target.startsWith("."));
  return own.map(({ target }) => posix.join(posix.dirname(file.path), target));
}

function reaches(path: string, seen: Set<string> = new Set()): boolean {
  if (path === entry) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return (targets.get(path) ?? []).some((target) => reaches(target, seen));
}

const files = [...targets.keys()].filter((path) => /\.(?:test|world)\.ts$/.test(path) && reaches(path));
console.log(`${files.length} files with ${Object.entries(settings).join(" and ").replaceAll(",", "=")}`);
process.exitCode = await runTests({ files, environment: settings });
