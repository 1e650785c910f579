/** Which files run once more, read from what Node's own reporter says. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { failedFiles } from "../../scripts/test-processes.ts";

const FILES = {
  "passes.test.ts": 'test("passes", () => {});',
  "fails.test.ts":
    'test("outer", async (t) => { await t.test("inner", () => { throw new Error("no"); }); });',
  "hooks.test.ts":
    'describe("hooks", () => { before(() => { throw new Error("no"); }); test("one", () => {}); });',
  "late.test.ts": 'test("late", { timeout: 50 }, () => new Promise((done) => setTimeout(done, 5_000)));',
};

for (const isolation of ["none", "process"]) {
  test(`files that failed are known, and no others: isolation ${isolation}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "boathook-processes-"));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(FILES)) {
      writeFileSync(join(folder, name), `import { before, describe, test } from "node:test";\n${text}\n`);
    }
    // Node runs no tests below a process that it knows as one of its tests.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const words = ["--test", "--test-reporter=spec", `--test-isolation=${isolation}`, ...Object.keys(FILES)];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, words, { cwd: folder, env }, (_error, out) => resolve(out));
    });
    assert.deepEqual(failedFiles(said).toSorted(), ["fails.test.ts", "hooks.test.ts", "late.test.ts"], said);
  });
}
