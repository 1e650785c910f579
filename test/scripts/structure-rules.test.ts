import assert from "node:assert/strict";
import { test } from "node:test";

import { FILE_LINES_MAX, findingsIn } from "../../scripts/structure-rules.ts";

const FORBIDDEN: readonly [path: string, text: string, message: RegExp][] = [
  ["src/engine/a.ts", "const t = Date.now();", /Date\.now: take a Clock/],
  ["src/engine/a.ts", "const t = new Date();", /new Date\(\): take a Clock/],
  ["src/engine/a.ts", "const t = performance.now();", /monotonicMs/],
  ["packages/simulator/a.ts", "setTimeout(go, 5);", /after\(\)/],
  ["src/http/a.ts", "const x = Math.random();", /fraction/],
  ["src/http/a.ts", "const x = crypto.randomUUID();", /uuid\(\)/],
  ["src/http/a.ts", "const x = randomBytes(5);", /bytes\(\)/],
  ["src/cli/a.ts", "const x = process.env;", /settings\.ts/],
  ["src/store/a.ts", "console.log(1);", /Log/],
  ["src/store/a.ts", "run(`\n  select * from a`);", /store\/ folder/],
  ["src/store/a.ts", 'run("update cell.a set b = 1");', /store\/ folder/],
  ["src/store/a.ts", 'run("insert into a values (1)");', /store\/ folder/],
  ["bench/a.ts", "// TODO: later", /finish it/],
  ["test/a.test.ts", 'test.skip("later", () => {});\ntest("x", { skip: true }, () => {});', /reason/],
  ["test/a.test.ts", "t.skip();", /reason/],
  ["test/a.test.ts", 'test.only("x", () => {});', /test-name-pattern/],
  ["src/http/a.ts", "class RequestManager {}", /words of the field/],
  ["src/http/a.ts", 'export * from "./b.ts";', /import from the file/],
  ["src/http/utils.ts", "", /"utils" says nothing/],
  ["test/support/http-helper.ts", "", /"helper" says nothing/],
  ["src/engine/a.ts", 'import { a } from "../http/a.ts";', /engine\/ may not import http\//],
  ["src/store/a.ts", 'import type { A } from "../products/a.ts";', /store\/ may not import products\//],
  ["src/engine/a.ts", 'import {\n  a,\n} from "../products/a.ts";', /engine\/ may not import products\//],
  ["src/http/a.ts", 'const a = await import("../cli/a.ts");', /http\/ may not import cli\//],
  ["src/model/a.ts", 'import "../store/a.ts";', /model\/ may not import store\//],
  [
    "packages/receiver/src/a.ts",
    'import { a } from "../../../src/model/a.ts";',
    /receiver\/ may not import model\/ \(only nothing\)/,
  ],
  ["src/cli/a.ts", 'import { a } from "../../test/a.ts";', /cli\/ may not import test\//],
  ["src/a/b.ts", "\n".repeat(FILE_LINES_MAX) + "const a = 1;", /301 lines/],
];

for (const [path, text, message] of FORBIDDEN) {
  test(`in ${path} this is found: ${JSON.stringify(text.trim().slice(0, 60))}`, () => {
    const findings = findingsIn({ path, text });
    assert.ok(findings.length > 0, "nothing was found");
    assert.match(findings.map((finding) => finding.message).join("\n"), message);
  });
}

const ALLOWED: readonly [path: string, text: string][] = [
  ["src/runtime/a.ts", "const t = Date.now() + performance.now();"],
  ["src/engine/a.ts", "// Date.now() would jump\nconst why = 'not Date.now()';"],
  ["src/engine/a.ts", "const t = new Date(clock.nowMs());"],
  ["src/engine/a.ts", "socket.setTimeout(5);"],
  ["src/cli/a.ts", "console.log(1);"],
  ["src/cli/a.ts", 'const text = "to select one from the list";'],
  ["src/http/a.ts", 'const todo = "TODO";'],
  ["test/a.test.ts", 'test("x", { skip: missing ? "there is none" : false }, () => {});\nt.skip("why");'],
  ["src/http/a.ts", 'import { a } from "../engine/a.ts";\nimport { b } from "./b.ts";\nimport pg from "pg";'],
  ["src/engine/a.ts", '// as import { a } from "../http/a.ts"; would'],
  ["src/cli/version.ts", 'import about from "../../package.json" with { type: "json" };'],
  ["packages/receiver/src/index.ts", 'export * from "./a.ts";'],
  ["src/a/b.ts", "const a = 1;\n".repeat(FILE_LINES_MAX)],
];

for (const [path, text] of ALLOWED) {
  test(`in ${path} this is allowed: ${JSON.stringify(text.trim().slice(0, 60))}`, () => {
    assert.deepEqual(findingsIn({ path, text }), []);
  });
}

test("a finding names its line", () => {
  const text = ["const a = `", "${b}`;", "/* */", "", "const t = Date.now();"].join("\n");
  assert.deepEqual(
    findingsIn({ path: "src/http/a.ts", text }).map(({ line }) => line),
    [5],
  );
});
