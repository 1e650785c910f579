/**
 * `node test/run/main.ts <suite>... [<file or folder>...] [-t <name>] [--keep-lengths]`: `npm test` runs the suite `tests`,
 * which says within minutes what a change broke. Files that are named run in place of the suite, and with `-t` only
 * tests whose name, or a suite's around them, contains it. `--keep-lengths` writes how long each file took.
 */
import { globalSetup, globalTeardown } from "../support/global-setup.ts";
import { readLengths, writeLengths } from "./lengths.ts";
import { runChosen } from "./processes.ts";
import { createReport } from "./report.ts";
import { chooseFiles, NothingToRun, type Chosen } from "./suites.ts";

const KEEP_LENGTHS = "--keep-lengths";

const words = process.argv.slice(2);

try {
  const chosen = chooseFiles(words.filter((word) => word !== KEEP_LENGTHS));
  await globalSetup();
  if ((await run(chosen)).length > 0) process.exitCode = 1;
} catch (cause) {
  console.error(cause instanceof NothingToRun ? cause.message : cause);
  process.exitCode = 1;
} finally {
  await globalTeardown();
}

/** Returns the files that failed. */
async function run(chosen: Chosen): Promise<readonly string[]> {
  const report = createReport([...chosen.together, ...chosen.apart], process.stdout);
  await runChosen(chosen, readLengths(), report);
  report.end();
  if (report.isEmpty()) throw new NothingToRun(`no test has this name: ${chosen.name}`);
  if (words.includes(KEEP_LENGTHS)) writeLengths(report.lengths());
  return report.failed();
}
