/** The documents as a newcomer finds them: all in the index, and no link that leads nowhere. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCS = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "packages/receiver/README.md",
  "packages/receiver-go/README.md",
  "packages/receiver-python/README.md",
  ...DOCS.map((name) => `docs/${name}`),
];

const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** What a page leads to within the project: a path from its root, and the heading, if it names one. */
function linksOf(page: string): readonly { readonly path: string; readonly heading: string | undefined }[] {
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = "", heading]) => ({ path: path === "" ? page : join(dirname(page), path), heading }),
  );
}

/** The names that a page's headings have in links. */
function headingsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every document is in docs/README.md, once, and the project's own page leads there", () => {
  const listed = linksOf("docs/README.md").map(({ path }) => path);
  for (const name of DOCS) {
    if (name !== "README.md") assert.equal(listed.filter((path) => path === `docs/${name}`).length, 1, name);
  }
  assert.ok(linksOf("README.md").some(({ path }) => path === "docs/README.md"));
});

for (const page of PAGES) {
  test(`every link of ${page} leads somewhere`, () => {
    for (const { path, heading } of linksOf(page)) {
      assert.ok(existsSync(join(ROOT, path)), path);
      if (heading !== undefined) assert.ok(headingsOf(path).includes(heading), `${path}#${heading}`);
    }
  });
}
