/** What .oxlintrc.json bans, tried on a small project. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const SIZED = "  a();\n".repeat(98);

const FORBIDDEN: readonly [path: string, text: string, rule: string][] = [
  ["src/engine/date.ts", "export const t = Date.now();", "no-restricted-properties"],
  ["src/engine/performance.ts", "export const t = performance.now();", "no-restricted-properties"],
  ["src/http/random.ts", "export const x = Math.random();", "no-restricted-properties"],
  ["src/http/uuid.ts", "export const x = crypto.randomUUID();", "no-restricted-properties"],
  [
    "src/http/bytes.ts",
    'import { randomBytes } from "node:crypto";\nexport const x = randomBytes(5);',
    "no-restricted-imports",
  ],
  ["src/cli/env.ts", "export const x = process.env;", "no-restricted-properties"],
  ["packages/simulator/timer.ts", "setTimeout(() => {}, 5);", "no-restricted-globals"],
  ["packages/simulator/timer.ts", "setInterval(() => {}, 5);", "no-restricted-globals"],
  ["src/store/console.ts", "console.log(1);", "no-console"],
  ["bench/later.ts", "// TODO: later", "no-warning-comments"],
  ["src/model/long.ts", "export const a = 1;\n" + "\n".repeat(500) + "export const b = 1;", "max-lines"],
  ["src/model/sized.ts", `export const f = (a: () => void) => () => {\n${SIZED}};`, ""],
  [
    "src/model/factory.ts",
    `export function f(a: () => void) {\n  return () => {\n${SIZED}  };\n}`,
    "max-lines-per-function",
  ],
  [
    "src/model/circle.ts",
    'import type { B } from "./circle-b.ts";\nexport type A = B | null;',
    "import/no-cycle",
  ],
  [
    "src/model/circle-b.ts",
    'import type { A } from "./circle.ts";\nexport type B = A | 1;',
    "import/no-cycle",
  ],
  ["src/runtime/clock.ts", "export const t = Date.now() + performance.now();", ""],
  ["src/engine/socket.ts", "export const f = (s: { setTimeout(a: number): void }) => s.setTimeout(5);", ""],
  ["src/engine/text.ts", '// Date.now() would jump\nexport const why = "no Date.now()";', ""],
  ["src/cli/print.ts", "console.log(1);", ""],
  ["test/timed.test.ts", "export const t = performance.now();", "no-restricted-properties"],
  ["test/suite.test.ts", `export const f = (a: () => void) => {\n${SIZED}${SIZED}};`, ""],
];

const folder = mkdtempSync(join(tmpdir(), "boathook-lint-"));
after(() => rmSync(folder, { recursive: true }));
cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
for (const [path, text] of FORBIDDEN) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const oxlint = join(ROOT, "node_modules", ".bin", "oxlint");
const { stdout } = spawnSync(oxlint, ["--format", "unix"], { cwd: folder, encoding: "utf8" });
const lines = stdout.replaceAll("\\", "/").split("\n");

for (const [path, text, rule] of FORBIDDEN) {
  const start = JSON.stringify(text.slice(0, 60));
  test(`in ${path} the linter ${rule === "" ? "allows" : `finds ${rule} in`} ${start}`, () => {
    const found = lines.filter((line) => line.startsWith(`${path}:`));
    if (rule === "") assert.deepEqual(found, []);
    else assert.ok(found.join("\n").includes(rule.replace("import/", "")), stdout);
  });
}
