import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const starter = findOlderNode();
const noOlderNode = starter === null ? "there is no Node older than the pinned one on the PATH" : false;

/** The Node of the machine, behind the ones that npm puts before it. */
function findOlderNode(): string | null {
  const folders = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  const file = folders.map((folder) => join(folder, "node")).find((candidate) => existsSync(candidate));
  return file ?? null;
}

/** A project with the launcher, the pinned Node and a main module of the test's. */
function project(
  context: TestContext,
  main: string,
  options: { readonly installed: boolean } = { installed: true },
): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-bin-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "main.ts"), main);
  if (options.installed) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function start(node: string, folder: string, ...args: string[]): ChildProcess {
  return spawn(node, [join(folder, "bin", "boathook.js"), ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

async function ended(
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null; out: string; err: string }> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { code, signal, out, err };
}

const firstLine = (child: ChildProcess) => once(createInterface(child.stdout!), "line");

/** Prints its process id, and ends with status 3 on SIGTERM. */
const WAITS = `
  const held: NodeJS.Timeout = setInterval(() => {}, 1000);
  process.on("SIGTERM", () => { clearInterval(held); process.exitCode = 3; });
  console.log(process.pid);
`;

for (const [which, node] of [
  ["the pinned Node", process.execPath],
  ["the machine's Node", starter],
] as const) {
  const skip = node === null ? noOlderNode : false;

  test(
    `started by ${which}, main runs on the pinned one with its arguments and passes its status on`,
    { skip },
    async (t) => {
      const folder = project(t, `console.log(process.version, ...process.argv.slice(2)); process.exit(7);`);
      const { code, out, err } = await ended(start(node!, folder, "config", "--json"));
      assert.deepEqual([out, err, code], [`${process.version} config --json\n`, "", 7]);
    },
  );

  test(`started by ${which}, SIGTERM reaches main and its status comes back`, { skip }, async (t) => {
    const child = start(node!, project(t, WAITS));
    await firstLine(child);
    const end = ended(child);
    child.kill("SIGTERM");
    assert.equal((await end).code, 3);
  });

  test(
    `started by ${which}, an end by a signal is one by that signal, and SIGUSR1 opens no debugger`,
    { skip },
    async (t) => {
      const folder = project(
        t,
        `process.kill(process.pid, "SIGUSR1"); setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);`,
      );
      const { signal, err } = await ended(start(node!, folder));
      assert.deepEqual([signal, err], ["SIGKILL", ""]);
    },
  );

  test(`started by ${which}, SIGUSR1 opens no debugger in what was started`, { skip }, async (t) => {
    const child = start(node!, project(t, WAITS));
    await firstLine(child);
    const end = ended(child);
    child.kill("SIGUSR1");
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGTERM");
    const { code, err } = await end;
    assert.deepEqual([code, err], [3, ""]);
  });

  test(`started by ${which} before npm ci, it says what to do`, { skip }, async (t) => {
    const { code, err } = await ended(start(node!, project(t, "", { installed: false })));
    assert.match(err, /^Boathook is not installed yet: run `npm ci` in .* first\.\n$/);
    assert.equal(code, 1);
  });
}

test(
  "started by an older Node without the runtime's package, it says what to do",
  { skip: noOlderNode },
  async (t) => {
    const folder = project(t, "", { installed: false });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "node_modules", "fastify"), join(folder, "node_modules", "fastify"));
    const { code, err } = await ended(start(starter!, folder));
    assert.match(
      err,
      /^Boathook runs on Node\.js \d+, this is \d+\.\d+\.\d+, and the package node-\S+ is missing\. .*--omit=optional, or start Boathook with Node\.js \d+ or later\.\n$/,
    );
    assert.equal(code, 1);
  },
);

test(
  "main ends when its parent process ends, even if the parent is killed",
  { skip: noOlderNode },
  async (t) => {
    const child = start(starter!, project(t, WAITS));
    await firstLine(child);
    child.kill("SIGKILL");
    // The pipe closes when main, the last that writes to it, has ended.
    child.stdout!.resume();
    await once(child.stdout!, "close");
  },
);

test("what is compiled is kept with a database, where the installation is not to be written", async (t) => {
  const folder = project(
    t,
    `import { getCompileCacheDir } from "node:module"; console.log(getCompileCacheDir() ?? "nowhere");`,
    { installed: false },
  );
  const data = join(folder, "data");
  mkdirSync(data);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: undefined,
    NODE_PATH: join(root, "node_modules"),
    BOATHOOK_DATA_DIR: data,
  };
  const kept = async () => {
    const file = join(folder, "bin", "boathook.js");
    return (await ended(spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "pipe"] }))).out;
  };
  assert.equal(await kept(), "nowhere\n");
  mkdirSync(join(data, "postgres"));
  assert.ok((await kept()).startsWith(join(data, "compiled")));
});
