import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { makeFolder } from "../../src/runtime/make-folder.ts";

test("a folder is made with those above it, and one that is there does not change", (t) => {
  const at = mkdtempSync(join(tmpdir(), "boathook-make-"));
  t.after(() => rmSync(at, { recursive: true }));
  const deep = join(at, "a", "b", "c");
  makeFolder(deep, 0o700);
  for (const one of [join(at, "a"), deep]) assert.equal(statSync(one).mode & 0o777, 0o700);
  makeFolder(deep, 0o711);
  assert.equal(statSync(deep).mode & 0o777, 0o700);
  mkdirSync(join(at, "real"));
  symlinkSync("real", join(at, "link"));
  makeFolder(join(at, "link", "in"));
  assert.ok(statSync(join(at, "real", "in")).isDirectory());
});

test("what the system does not make is refused with its own error", { timeout: 10_000 }, (t) => {
  const at = mkdtempSync(join(tmpdir(), "boathook-make-"));
  t.after(() => rmSync(at, { recursive: true }));
  writeFileSync(join(at, "file"), "");
  symlinkSync("nowhere", join(at, "dangling"));
  assert.throws(() => makeFolder(join(at, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(at, "file", "in")), { code: "ENOTDIR" });
  assert.throws(() => makeFolder(join(at, "dangling")), { code: "EEXIST" });
  if (process.platform === "linux") assert.throws(() => makeFolder("/proc/boathook/in"), { code: "ENOENT" });
});
