/** What the pages of the project lead to is there: pages and their sections, files, scripts and commands. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import packageJson from "../../package.json" with { type: "json" };
import { commands } from "../../src/service/commands/commands.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGES = globSync(["*.md", "docs/**/*.md", "packages/*/*.md", "bench/**/*.md", "test/**/*.md"], {
  cwd: ROOT,
});

const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** What is shown as it is to be typed, or was answered, leads nowhere. */
const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```/gms, "");

/** As GitHub names the sections of a page in links to them. */
function sectionsOf(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const sections = [...withoutBlocks(textOf(page)).matchAll(/^#+ +(.*)$/gm)].map(([, heading = ""]) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set(sections);
}

function isThere(page: string, link: string): boolean {
  const [path = "", section] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return section === undefined || !target.endsWith(".md") || sectionsOf(target).has(section);
}

/** What each page has of a pattern's first group, as `page: found`. */
const foundIn = (pattern: RegExp, text: (page: string) => string = textOf) =>
  PAGES.flatMap((page) => [...text(page).matchAll(pattern)].map(([, found = ""]) => ({ page, found })));

function assertNone(found: readonly { readonly page: string; readonly found: string }[]): void {
  assert.deepEqual(
    found.map((one) => `${one.page}: ${one.found}`),
    [],
  );
}

test("links between pages lead to files and sections that are there", () => {
  const links = foundIn(/\]\((?![a-z]+:)([^)\s]+)\)/g, (page) => withoutBlocks(textOf(page)));
  assert.ok(links.length > 100, `${links.length} links`);
  assertNone(links.filter(({ page, found }) => !isThere(page, found)));
  const led = new Set(links.map(({ page, found }) => join(dirname(page), found.replace(/#.*/, ""))));
  const lost = PAGES.filter((page) => page !== "README.md" && !led.has(page));
  assert.deepEqual(lost, [], "pages that no page leads to");
});

test("every document is once in the lists of docs/README.md, and the project's own page leads there", () => {
  // The table above the lists names those to read first.
  const linksOf = (page: string) =>
    [
      ...textOf(page)
        .replaceAll(/^\|.*$/gm, "")
        .matchAll(/\]\(([^):#\s]+)[^)]*\)/g),
    ].map(([, link]) => link!);
  const documents = globSync("*.md", { cwd: join(ROOT, "docs") }).filter((name) => name !== "README.md");
  for (const name of documents)
    assert.equal(linksOf("docs/README.md").filter((link) => link === name).length, 1, name);
  assert.ok(linksOf("README.md").includes("docs/README.md"));
});

test("files that pages name are there", () => {
  const paths = foundIn(/`((?:src|sim|test|scripts|docs|bench|receiver|changelog)\/[\w./-]*)`/g);
  assert.ok(paths.length > 20, `${paths.length} paths`);
  // What a bench writes is there once it has run.
  const kept = paths.filter(({ found }) => !found.startsWith("bench/results/"));
  assertNone(kept.filter(({ found }) => !existsSync(join(ROOT, found))));
});

test("scripts and commands that pages name are there", () => {
  const scripts = foundIn(/\bnpm run ([a-z:-]+)/g);
  const named = foundIn(/(?:npx |`)boathook ([a-z][a-z-]+)/g);
  assert.ok(scripts.length > 5 && named.length > 20, `${scripts.length} scripts, ${named.length} commands`);
  assertNone(scripts.filter(({ found }) => !(found in packageJson.scripts)));
  const known = new Set(["help", ...commands.map(({ name }) => name)]);
  assertNone(named.filter(({ found }) => !known.has(found)));
});
