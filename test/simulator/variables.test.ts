/** The file of variables that `boathook try` writes: each that runs in a folder has one of its own. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { writeVariables } from "../../packages/simulator/src/try/variables.ts";

const host = { failure: (message: string) => new Error(message) };

async function write(t: TestContext, path: string) {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const file = await writeVariables(path, { API: "http://127.0.0.1:1" }, {}, opened, host);
  return { file, end: () => opened.disposeAsync() };
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-variables-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the second in a folder takes a name of its own, and removes only its own file", async (t) => {
  const path = join(folderOf(t), "boathook-try.env");
  const first = await write(t, path);
  const before = readFileSync(path, "utf8");
  const second = await write(t, path);
  assert.equal(second.file, path.replace(".env", "-2.env"));
  assert.equal(readFileSync(path, "utf8"), before);
  await second.end();
  assert.deepEqual([existsSync(second.file), existsSync(first.file)], [false, true]);
  await first.end();
  assert.equal(existsSync(first.file), false);
});

test("what a killed one has left is written again", async (t) => {
  const path = join(folderOf(t), "boathook-try.env");
  await write(t, path);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(path, readFileSync(path, "utf8").replace(/^# Process .*$/m, `# Process ${pid}`));
  assert.equal((await write(t, path)).file, path);
});
