import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder, and those above it that are missing; one that is there does not change. Throws the system's errors.
 * Node's own recursive `mkdirSync` never ends where the system says of a folder in one that is there that its parent is
 * missing, as Linux does in `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  // One that is no folder is refused by the system.
  for (const folder of missing.length === 0 ? [resolve(path)] : missing) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST";
    if (!isThere || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause;
  }
}
