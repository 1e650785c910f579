import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { notesOf } from "../../scripts/release-notes.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const CHANGELOG = `# Changelog

## [Unreleased]

## [0.10.0] - 2026-12-01

### Added

- Ten.

## [0.1.0] - 2026-11-01

- One.
`;

test("a version's notes are its section, without its heading", () => {
  assert.equal(notesOf(CHANGELOG, "0.10.0"), "### Added\n\n- Ten.");
  assert.equal(notesOf(CHANGELOG, "0.1.0"), "- One.");
});

test("a version without a section, or with an empty one, has no notes", () => {
  for (const version of ["0.1", "1.0.0", "Unreleased"]) assert.equal(notesOf(CHANGELOG, version), null);
});

test("the script fails for a version that the changelog does not name", () => {
  const script = join(ROOT, "scripts/release-notes.ts");
  const { status, stderr, stdout } = spawnSync(process.execPath, [script, "99.0.0"], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /CHANGELOG\.md says nothing of 99\.0\.0/);
});

test("all packages have one version, and depend on each other in it", () => {
  const versions = [".", "packages/client", "packages/receiver", "packages/simulator"].flatMap((folder) => {
    const { version, dependencies = {} } = JSON.parse(
      readFileSync(join(ROOT, folder, "package.json"), "utf8"),
    ) as { version: string; dependencies?: Record<string, string> };
    const own = Object.entries(dependencies).filter(([name]) => name.startsWith("@boathook/"));
    return [version, ...own.map(([, wanted]) => wanted)];
  });
  const others = {
    "packages/receiver-python/pyproject.toml": /^version = "(.+)"/m,
    "docs/receiving.md": /@v([\d.]+)/,
  };
  for (const [file, version] of Object.entries(others)) {
    versions.push(version.exec(readFileSync(join(ROOT, file), "utf8"))![1]!);
  }
  assert.equal(versions.length, 10);
  assert.equal(new Set(versions).size, 1, String(versions));
});
