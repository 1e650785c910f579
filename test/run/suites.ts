/** Which files a run has, and in how many processes. */
import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";

import { projectFiles } from "../../scripts/project-files.ts";

export const SUITES: Readonly<Record<string, string>> = {
  tests: "test/**/*.test.ts",
  pages: "test/**/*.pages.ts",
  worlds: "test/**/*.world.ts",
  faults: "test/**/*.faults.ts",
  soak: "test/**/*.soak.ts",
};

/** They kill processes and fill disks: each has a process of its own. */
const APART = /\.(?:faults|soak)\.ts$/;

export type Chosen = {
  /** Run many in a process, which loads the sources once: more than half of all that a processor does for the tests. */
  readonly together: readonly string[];
  readonly apart: readonly string[];
  /** Runs only tests, and suites of them, whose names contain it. */
  readonly name?: string;
};

/** Its message says what to name instead. */
export class NothingToRun extends Error {}

/** Suites, files, folders of `*.test.ts`, and `-t <name>`, which alone looks for the name in all of `tests`. */
export function chooseFiles(words: readonly string[]): Chosen {
  const at = words.indexOf("-t");
  const name = at === -1 ? undefined : words[at + 1];
  if (at !== -1 && name === undefined) throw new NothingToRun("-t wants the name of a test, or a part of it");
  const places = words.filter((_word, index) => at === -1 || (index !== at && index !== at + 1));
  const isNamed = places.some((place) => !(place in SUITES));
  // `npm test -- <file>` names the suite first, and then less than all of it.
  const wanted = isNamed ? places.filter((place) => !(place in SUITES)) : places;
  const files = [...new Set(wanted.flatMap(filesOf))];
  if (name !== undefined) return { together: [], apart: filesNaming(files, name), name };
  if (isNamed && files.length === 1) return { together: [], apart: files };
  return {
    together: files.filter((path) => !APART.test(path)),
    apart: files.filter((path) => APART.test(path)),
  };
}

function filesOf(place: string): readonly string[] {
  const pattern = SUITES[place];
  if (pattern !== undefined) return projectFiles(".", pattern).map(({ path }) => path);
  const path = relative(".", place);
  if (!existsSync(path)) {
    throw new NothingToRun(`no such file, folder or suite (${Object.keys(SUITES).join(", ")}): ${place}`);
  }
  if (!statSync(path).isDirectory()) return [path];
  return projectFiles(".", `${path}/**/*.test.ts`).map((file) => file.path);
}

/** Those whose text has the name. One that a table makes stands in no text: then all. */
function filesNaming(files: readonly string[], name: string): readonly string[] {
  const having = files.filter((path) => projectFiles(".", path)[0]!.text.includes(name));
  return having.length > 0 ? having : files;
}
