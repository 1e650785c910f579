/** Which test files can see a source file: they import it, through other files or not. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Imports of types alone are not followed: they are gone when the file runs. */
const IMPORT =
  /(?<!(?:import|export) type (?:[\w$]+|\{[^}]*\}) )(?:from|import)\s*\(?\s*"(?<path>\.{1,2}\/[^"]+\.ts)"/g;

const importsOf = new Map<string, readonly string[]>();

function directImports(file: string): readonly string[] {
  let found = importsOf.get(file);
  if (found === undefined) {
    const paths = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(({ groups }) => groups!["path"]!);
    found = paths.map((path) => resolve(dirname(file), path));
    importsOf.set(file, found);
  }
  return found;
}

const reachedBy = new Map<string, ReadonlySet<string>>();

/** The absolute paths of a file and of all that it imports, through others or not. */
export function reachedFrom(file: string): ReadonlySet<string> {
  const known = reachedBy.get(file);
  if (known !== undefined) return known;
  const reached = new Set([file]);
  reachedBy.set(file, reached);
  // A set hands out what is added while it is walked over: this is a queue.
  for (const one of reached) {
    for (const next of directImports(one)) reached.add(next);
  }
  return reached;
}
