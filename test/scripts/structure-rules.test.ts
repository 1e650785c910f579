import assert from "node:assert/strict";
import { test } from "node:test";

import { findingsIn } from "../../scripts/structure-rules.ts";
import { column } from "../support/columns.ts";

const FORBIDDEN: readonly [path: string, text: string, message: RegExp][] = [
  ["src/engine/a.ts", "const t = new Date();", /new Date\(\): take a Clock/],
  ["src/store/a.ts", "run(`\n  select * from a`);", /store\/ folder/],
  ["src/store/a.ts", "run(`insert into ${table} values (1)`);", /store\/ folder/],
  ["src/store/a.ts", 'run("update cell.a set b = 1");', /store\/ folder/],
  ["src/store/a.ts", "connection.rows<{ id: string }>(sql.deliveryClaim(cell), []);", /sql:types/],
  ["test/a.test.ts", 'test.skip("", () => {});', /reason/],
  ["test/a.test.ts", 'test("x", { skip: true }, () => {});', /reason/],
  ["test/a.test.ts", "t.skip();", /reason/],
  ["test/a.test.ts", 'test.only("x", () => {});', /test-name-pattern/],
  ["test/a.test.ts", 'test("x", { only: true }, () => {});', /test-name-pattern/],
  ["src/http/a.ts", "class RequestManager {}", /words of the field/],
  ["src/http/a.ts", "const stringUtils = {};", /words of the field/],
  ["src/http/a.ts", 'import { createServer } from "node:http";', /runtime\/builtins/],
  ["src/http/a.ts", 'export * from "./b.ts";', /import from the file/],
  ["src/http/utils.ts", "", /"utils" says nothing/],
  ["test/support/http-helper.ts", "", /"helper" says nothing/],
  ["src/engine/a.ts", 'import { a } from "../http/a.ts";', /engine may not import http/],
  ["src/store/a.ts", 'import type { A } from "../products/a.ts";', /store may not import products/],
  ["src/store/a.ts", 'type A = import("../products/a.ts").A;', /store may not import products/],
  ["src/engine/a.ts", 'import {\n  a,\n} from "../products/a.ts";', /engine may not import products/],
  ["src/http/a.ts", 'const a = await import("../cli/a.ts");', /http may not import cli/],
  ["src/model/a.ts", 'import "../store/a.ts";', /model may not import store/],
  [
    "packages/receiver/src/a.ts",
    'import { a } from "../../../src/model/a.ts";',
    /package may not import model \(only nothing\)/,
  ],
  ["src/cli/a.ts", 'import { a } from "../../test/a.ts";', /cli may not import test/],
];

for (const [path, text, message] of FORBIDDEN) {
  test(`in ${path} this is found: ${JSON.stringify(text.trim().slice(0, 60))}`, () => {
    const findings = findingsIn({ path, text });
    assert.ok(findings.length > 0, "nothing was found");
    assert.match(findings.map((finding) => finding.message).join("\n"), message);
  });
}

const ALLOWED: readonly [path: string, text: string][] = [
  ["src/runtime/a.ts", "const t = new Date();"],
  ["src/engine/a.ts", "// new Date() would jump\nconst why = 'not new Date()';"],
  ["src/engine/a.ts", "const t = new Date(clock.nowMs());"],
  ["src/cli/a.ts", 'const text = "to select one from the list";'],
  ["test/a.test.ts", 'test("x", { skip: missing ? "there is none" : false }, () => {});\nt.skip("why");'],
  ["src/http/a.ts", 'import { a } from "../engine/a.ts";\nimport { b } from "./b.ts";\nimport pg from "pg";'],
  ["src/engine/a.ts", '// as import { a } from "../http/a.ts"; would'],
  ["src/cli/version.ts", 'import about from "../../package.json" with { type: "json" };'],
  ["packages/receiver/src/index.ts", 'export * from "./a.ts";'],
];

for (const [path, text] of ALLOWED) {
  test(`in ${path} this is allowed: ${JSON.stringify(text.trim().slice(0, 60))}`, () =>
    assert.deepEqual(findingsIn({ path, text }), []));
}

test("a finding names its line", () => {
  const text = ["const a = `", "${b}`;", "/* */", "", "const t = new Date();"].join("\n");
  assert.deepEqual(column(findingsIn({ path: "src/http/a.ts", text }), "line"), [5]);
});
