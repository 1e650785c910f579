/** `npm run check:structure`: layers and banned idioms, over every source file of the project. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { projectFiles } from "./project-files.ts";
import { findingsIn } from "./structure-rules.ts";

/** Files whose violations the linter still suffers; it says itself when a file has fewer of them. */
const SUPPRESSIONS = "oxlint-suppressions.json";

const root = join(import.meta.dirname, "..");
const files = projectFiles(root, "{src,packages,bench,scripts,test}/**/*.{ts,tsx}");
const suppressed = Object.keys(JSON.parse(readFileSync(join(root, SUPPRESSIONS), "utf8")) as object);
const gone = suppressed
  .filter((path) => !existsSync(join(root, path)))
  .map((path) => ({ path: SUPPRESSIONS, line: 1, message: `${path} is gone: take its entry out` }));
const findings = [...files.flatMap((file) => findingsIn(file)), ...gone];

for (const { path, line, message } of findings) console.error(`${path}:${line}: ${message}`);
console.log(`${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
