/** Which files a command loads: starting up takes as long as they take. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "..", "..");

/** Prints the URL of each module on stderr. */
const LISTS_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });
`)}`;

async function modulesOf(...words: string[]): Promise<readonly string[]> {
  const main = join(ROOT, "src", "main.ts");
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", LISTS_MODULES, main, ...words]);
  return stderr.split("\n").map((url) => url.replace(`file://${ROOT}/`, ""));
}

test("version loads neither the parser nor another command", async () => {
  const modules = await modulesOf("version");
  assert.ok(modules.includes("src/main.ts"));
  assert.deepEqual(
    modules.filter((path) => /commander|commands\/(?!command-line)|src\/(?:store|products)\//.test(path)),
    [],
  );
});

test("a command loads no other command, and serve loads no simulator", async () => {
  const modules = await modulesOf("serve", "--help");
  assert.ok(modules.includes("src/service/commands/serve.ts"));
  const others = /packages\/simulator|\/commands\/(?:demo|simulate|accounts|containers|verify)\.ts/;
  assert.deepEqual(
    modules.filter((path) => others.test(path)),
    [],
  );
});
