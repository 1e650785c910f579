/**
 * `node scripts/test.ts tests|pages|worlds|faults`: the files of a suite, or those named behind it. `npm test` is the
 * first, and says within minutes what a change broke; the others ask browsers and whole simulated worlds, and kill and
 * freeze processes.
 */
import { projectFiles } from "./project-files.ts";
import { runTests } from "./test-processes.ts";

const SUITES: Readonly<Record<string, string>> = {
  tests: "test/**/*.test.ts",
  pages: "test/**/*.pages.ts",
  worlds: "test/**/*.world.ts",
  faults: "test/**/*.faults.ts",
};

const [suite = "tests", ...named] = process.argv.slice(2);
const pattern = SUITES[suite];
if (pattern === undefined) throw new Error(`name the suite: ${Object.keys(SUITES).join(", ")}`);
const files = named.length > 0 ? named : projectFiles(".", pattern).map(({ path }) => path);
process.exitCode = await runTests({ files, apart: suite === "faults" });
