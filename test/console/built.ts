/** The pages as they are served: bundled once, and again where a source has changed since. */
import { execFileSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export function buildPages(): void {
  const changedMs = Math.max(...globSync(join(root, "packages/console/{src/**/*.*,*.html}")).map(changedAt));
  const builtMs = Math.min(
    ...["console", "portal", "reference"].map((name) => changedAt(join(root, "build", name, "index.html"))),
  );
  if (builtMs < changedMs) execFileSync(process.execPath, [join(root, "scripts", "build-console.ts")]);
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
