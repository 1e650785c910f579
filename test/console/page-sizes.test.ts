/** What a browser loads before a page shows, compressed: the document, and what it and the page's part bring along. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { buildPages } from "./built.ts";

const root = join(import.meta.dirname, "..", "..");

const FIRST_LOAD_BYTES_MAX = 200_000;
/** Loaded after its page has shown, and only for a plan that is drawn in three dimensions. */
const THREE_DIMENSIONS_BYTES_MAX = 170_000;

before(buildPages);

type Built = {
  /** Compressed as the listener sends them. */
  sizeOf(names: ReadonlySet<string>): number;
  /** A file and all that it imports at once. */
  withImports(name: string): ReadonlySet<string>;
  /** Files that somebody imports later. */
  readonly later: readonly string[];
  readonly first: ReadonlySet<string>;
};

function readBuilt(folder: string): Built {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const namesIn = (name: string, pattern: RegExp): readonly string[] =>
    [...read(name).toString().matchAll(pattern)].map(([, found]) => found!);
  const now = /(?:from|import)"\.\/([\w.-]+\.js)"/g;
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    found.add(name);
    if (name.endsWith(".js"))
      for (const other of namesIn(name, now)) if (!found.has(other)) withImports(other, found);
    return found;
  };
  const linked = namesIn("index.html", /(?:src|href)="[^"]*\/([\w.-]+)"/g);
  const scripts = globSync("*.js", { cwd: folder });
  return {
    sizeOf: (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0),
    withImports,
    later: [...new Set(scripts.flatMap((name) => namesIn(name, /import\("\.\/([\w.-]+\.js)"\)/g)))],
    first: new Set(["index.html", ...linked.flatMap((name) => [...withImports(name)])]),
  };
}

test("every page loads below 200 kB at first, and three dimensions stay apart", (t) => {
  const folders = globSync("build/{console,portal}/index.html", { cwd: root }).map((path) =>
    join(root, dirname(path)),
  );
  assert.ok(folders.length > 0);
  for (const folder of folders) {
    const { sizeOf, withImports, later, first } = readBuilt(folder);
    assert.ok(first.size >= 5, [...first].join());
    const isDrawing = (name: string): boolean => name.startsWith("scene-");
    assert.equal(later.filter(isDrawing).length, 1);
    assert.ok(later.length >= 6, `${later.length} parts are loaded later`);
    for (const name of ["", ...later]) {
      const own = name === "" ? new Set<string>() : withImports(name);
      const most = isDrawing(name) ? THREE_DIMENSIONS_BYTES_MAX : FIRST_LOAD_BYTES_MAX;
      const bytes = sizeOf(isDrawing(name) ? own : first.union(own));
      t.diagnostic(`${name || "the first page"}: ${bytes} bytes`);
      assert.ok(bytes < most, `${name || "the first page"} takes ${bytes} bytes of ${most}`);
      if (!isDrawing(name)) assert.ok(![...own].some(isDrawing), `${name} loads three dimensions at once`);
    }
  }
});
