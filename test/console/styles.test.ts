/** The style sheets of the pages are joined into one: a class that two of them define would change pages of others. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "..", "..", "packages", "console", "src");

/** A selector that begins with the class and has no other: nothing binds it to a page. */
const UNSCOPED = /^(?:[a-z]+)?\.([a-z][\w-]*)(?![^{]*\.)[^{]*$/i;

function unscopedIn(sheet: string): readonly string[] {
  const text = readFileSync(join(folder, sheet), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{};]+)\{/g)].flatMap(([, found]) => found!.split(","));
  return selectors.flatMap((selector) => UNSCOPED.exec(selector.trim())?.[1] ?? []);
}

test("no class is defined by two style sheets without another that binds it to a page", () => {
  const sheets = globSync("**/*.css", { cwd: folder });
  assert.ok(sheets.length >= 5, sheets.join());
  const places = Map.groupBy(
    sheets.flatMap((sheet) => [...new Set(unscopedIn(sheet))].map((name) => ({ name, sheet }))),
    ({ name }) => name,
  );
  const twice = [...places].filter(([, found]) => found.length > 1);
  const clashes = twice.map(
    ([name, found]) =>
      `.${name}: ${found
        .map(({ sheet }) => sheet)
        .toSorted()
        .join(", ")}`,
  );
  assert.deepEqual(clashes.toSorted(), []);
});
