import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { nameOfBuild, thisBuild } from "../../src/runtime/build.ts";

const HASH = "1f2e3d4c5b6a79880f1e2d3c4b5a69788f7e6d5c";

/** A folder with these files. */
function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "boathook-build-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

for (const [what, files, where] of [
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${HASH}\n` }, "."],
  [
    "a packed branch",
    { ".git/HEAD": "ref: refs/heads/a\n", ".git/packed-refs": `# x\n${HASH} refs/heads/a\n` },
    ".",
  ],
  ["a commit", { ".git/HEAD": `${HASH}\n` }, "."],
  ["a package", { "dist/commit": HASH }, "."],
  [
    "a work tree",
    {
      "tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
      "main/.git/worktrees/tree/HEAD": "ref: refs/heads/b\n",
      "main/.git/worktrees/tree/commondir": "../..\n",
      "main/.git/refs/heads/b": `${HASH}\n`,
    },
    "tree",
  ],
] as const) {
  test(`the commit of a build is that of ${what}`, (t) =>
    assert.equal(thisBuild(join(folder(t, files), where)).commit, HASH.slice(0, 8)));
}

test("a build whose commit nobody knows has its version alone", (t) => {
  for (const files of [{}, { ".git/HEAD": "ref: refs/heads/none\n" }, { "dist/commit": "" }]) {
    const build = thisBuild(folder(t, files));
    assert.equal(build.commit, null);
    assert.equal(nameOfBuild(build), build.version);
  }
});
