/** The pages as they are served: bundled once, unless they are there. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export function buildPages(): void {
  const isBuilt = ["console", "portal"].every((name) => existsSync(join(root, "build", name, "index.html")));
  if (!isBuilt) execFileSync(process.execPath, [join(root, "scripts", "build-console.ts")]);
}
