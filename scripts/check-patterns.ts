/** `npm run check:patterns`: no regular expression takes time that grows faster than its input. */
import { join } from "node:path";

import { patternsIn, slownessOf } from "./patterns.ts";
import { projectFiles } from "./project-files.ts";

const root = join(import.meta.dirname, "..");
const patterns = projectFiles(root, "{src,packages}/**/*.ts").flatMap((file) => patternsIn(file));
const slowness = new Map<string, Promise<string | null>>();
let findings = 0;
for (const pattern of patterns) {
  const { path, line, source, flags } = pattern;
  const text = `/${source}/${flags}`;
  if (!slowness.has(text)) slowness.set(text, slownessOf(pattern));
  const slow = await slowness.get(text)!;
  if (slow === null) continue;
  findings += 1;
  console.error(`${path}:${line}: ${text} is slow on some texts (${slow}): read by hand, or narrow it`);
}
console.log(`${patterns.length} patterns, ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
