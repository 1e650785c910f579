import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { ProjectFile } from "./source.ts";

const EXCLUDED = ["**/node_modules/**", "**/dist/**", "bench/results/**", "packages/client/src/generated/**"];

/** The files below `root` that match, in the order of their paths. */
export function projectFiles(root: string, pattern: string): readonly ProjectFile[] {
  return globSync(pattern, { cwd: root, exclude: EXCLUDED })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
