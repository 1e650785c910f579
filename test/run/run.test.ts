/** What a run of tests says: of files that pass, fail in each way, or take their process along. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, test } from "node:test";

import { deal, readLengths } from "./lengths.ts";
import { runChosen } from "./processes.ts";
import { createReport } from "./report.ts";
import type { Chosen } from "./suites.ts";

const FILES = {
  "passes.test.ts": 'test("passes", () => {}); test("waits", { skip: "no ship" }, () => {});',
  "fails.test.ts": `test("it's outer", async (t) => { await t.test("inner", () => { throw new Error("no"); }); });`,
  "hooks.test.ts":
    'describe("hooks", () => { before(() => { throw new Error("no"); }); test("one", () => {}); });',
  "late.test.ts": 'test("late", { timeout: 50 }, () => new Promise((done) => setTimeout(done, 5_000)));',
  "loads.test.ts": 'throw new Error("cannot load");',
  "dies.test.ts": 'test("dies", () => process.exit(3));',
};

describe("a run of tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-run-"));
  after(() => rmSync(folder, { recursive: true }));
  const pathOf = (name: string) => relative(".", join(folder, name));
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, name), `import { before, describe, test } from "node:test";\n${text}\n`);

  async function run(chosen: Chosen) {
    let said = "";
    const files = [...chosen.together, ...chosen.apart];
    const report = createReport(files, { isTTY: false, columns: 80, write: (text) => (said += text) });
    await runChosen(chosen, {}, report);
    report.end();
    assert.deepEqual([...report.lengths().keys()].toSorted(), files.toSorted(), said);
    return { said, failed: report.failed().map((path) => relative(folder, path)) };
  }

  const ALL = Object.keys(FILES).slice(0, -1);
  for (const [how, names] of [
    ["that share processes", { together: ALL, apart: [] }],
    ["with a process each", { together: [], apart: ALL }],
  ] as const) {
    test(`names the files that failed, and no others: files ${how}`, async () => {
      const { said, failed } = await run({
        together: names.together.map(pathOf),
        apart: names.apart.map(pathOf),
      });
      assert.deepEqual(new Set(failed), new Set(ALL.slice(1)), said);
      assert.match(said, /\n1 passed, 5 failed, 1 skipped\n$/);
      assert.match(said, /skipped: \S+passes\.test\.ts: waits \(no ship\)\n/);
      assert.equal(said.match(/Error: no\n/g)!.length, 4, "at once and at the end");
      assert.ok(said.includes(`  npm test -- ${pathOf("fails.test.ts")} -t 'it'\\''s outer'\n`), said);
    });
  }

  test("says which file ended its process", async () => {
    const { said, failed } = await run({ together: [pathOf("dies.test.ts")], apart: [] });
    assert.deepEqual(failed, ["dies.test.ts"]);
    assert.match(said, /the process ended with 3 while it ran/);
  });

  test("has only the tests of the name that is asked for", async () => {
    const apart = ["passes.test.ts", "fails.test.ts"].map(pathOf);
    const { said, failed } = await run({ together: [], apart, name: "it's outer" });
    assert.deepEqual(failed, ["fails.test.ts"], said);
    assert.match(said, /\n0 passed, 1 failed, 0 skipped\n$/);
  });
});

test("files are dealt longest first, each to the lot that is shortest so far", () => {
  const lengths = { a: 9, b: 6, c: 5, d: 3 };
  assert.deepEqual(deal(["d", "a", "short", "b", "c"], 2, lengths), [
    ["a", "d"],
    ["b", "c", "short"],
  ]);
});

test("the lengths that are kept are of files that are there (npm test -- --keep-lengths)", () => {
  const paths = Object.keys(readLengths());
  assert.deepEqual(
    paths.filter((path) => !existsSync(path)),
    [],
  );
});
