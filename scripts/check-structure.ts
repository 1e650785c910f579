/** `npm run check:structure`: layers, sizes and banned idioms, over every source file of the project. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { findingsIn } from "./structure-rules.ts";

const root = join(import.meta.dirname, "..");
const paths = globSync("{src,packages,bench,scripts,test}/**/*.ts", {
  cwd: root,
  exclude: ["**/node_modules/**", "packages/*/dist/**"],
})
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();
const findings = paths.flatMap((path) => findingsIn({ path, text: readFileSync(join(root, path), "utf8") }));

for (const { path, line, message } of findings) console.error(`${path}:${line}: ${message}`);
console.log(`${paths.length} files, ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
