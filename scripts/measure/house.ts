/** The figures of a checkout, whatever its folders are called. Tests, benchmarks and scripts are not measured. */
import { projectFiles } from "../project-files.ts";
import { parseSource } from "../source.ts";
import { type FunctionLines, functionsIn } from "./functions.ts";
import { circlesOf, exportedNames, type Use, usesIn } from "./imports.ts";

export type FileLines = { readonly path: string; readonly lines: number };

export type House = {
  /** Longest first. */
  readonly files: readonly FileLines[];
  /** Longest first. */
  readonly functions: readonly FunctionLines[];
  readonly linesByFolder: ReadonlyMap<string, number>;
  readonly circles: readonly (readonly string[])[];
  readonly exports: { readonly all: number; readonly ofOneImporter: number; readonly ofNone: number };
  readonly filesOfOneImporter: number;
  readonly rowsCasts: number;
  readonly sqlFiles: number;
  readonly documents: number;
  readonly documentWords: number;
};

const FOLDERS = "{src,sim,receiver,packages}";

/** Folders whose rooms are products, by name. */
const OF_PRODUCTS = /^src\/(?:products|producers)$/;

export function measureHouse(root: string): House {
  const sources = projectFiles(root, `${FOLDERS}/**/*.ts`).map(parseSource);
  const files = sources.map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }));
  const uses = sources.flatMap(({ path, program }) => usesIn(path, program));
  const importers = importersByName(uses);
  const exports = sources.flatMap(({ path, program }) =>
    exportedNames(program).map((name) => {
      const direct = importers.get(`${path} ${name}`) ?? new Set<string>();
      return direct.union(importers.get(`${path} *`) ?? new Set()).size;
    }),
  );
  const documents = projectFiles(root, "**/*.md");
  const longestFirst = (a: { readonly lines: number }, b: { readonly lines: number }) => b.lines - a.lines;
  return {
    files: files.toSorted(longestFirst),
    functions: sources
      .flatMap(({ path, text, program }) => functionsIn(path, text, program))
      .toSorted(longestFirst),
    linesByFolder: linesByFolder(files),
    circles: circlesOf(uses),
    exports: {
      all: exports.length,
      ofOneImporter: exports.filter((count) => count === 1).length,
      ofNone: exports.filter((count) => count === 0).length,
    },
    filesOfOneImporter: [...Map.groupBy(uses, ({ to }) => to).values()].filter(
      (of) => new Set(of.map(({ from }) => from)).size === 1,
    ).length,
    rowsCasts: sources.reduce((sum, { text }) => sum + text.split(/\brows</).length - 1, 0),
    sqlFiles: projectFiles(root, `${FOLDERS}/**/*.sql`).length,
    documents: documents.length,
    documentWords: documents.reduce((sum, { text }) => sum + (text.match(/\S+/g) ?? []).length, 0),
  };
}

/** The importing files of each name, under `path name`. */
function importersByName(uses: readonly Use[]): ReadonlyMap<string, ReadonlySet<string>> {
  const each = uses.flatMap(({ from, to, names }) => names.map((name) => ({ key: `${to} ${name}`, from })));
  const grouped = Map.groupBy(each, ({ key }) => key);
  return new Map([...grouped].map(([key, of]) => [key, new Set(of.map(({ from }) => from))]));
}

function linesByFolder(files: readonly FileLines[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { path, lines } of files) {
    const folders = path.split("/").slice(0, -1);
    const depth = OF_PRODUCTS.test(folders.slice(0, 2).join("/")) ? 3 : 2;
    const folder = folders.slice(0, depth).join("/");
    sums.set(folder, (sums.get(folder) ?? 0) + lines);
  }
  return sums;
}
