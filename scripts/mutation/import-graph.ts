/** Which test files can see a source file: those that import it, through other files or not. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Imports of types alone are not followed: they are gone when the file runs. */
const IMPORT =
  /(?<!(?:import|export) type (?:[\w$]+|\{[^}]*\}) )(?:from|import)\s*\(?\s*"(?<path>\.{1,2}\/[^"]+\.ts)"/g;

/** How many imports lie between two files; by absolute path, the file itself at 0. */
export type Distances = ReadonlyMap<string, number>;

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

export function distancesFrom(file: string): Distances {
  const distances = new Map([[file, 0]]);
  // A map hands out keys that are set while it is walked over: this is a queue.
  for (const [reached, distance] of distances) {
    for (const next of directImports(reached)) {
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  return distances;
}
