/** Packages as a client installs them: packed from a copy of the project, and installed in a folder of its own. */
import assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PROJECT = join(import.meta.dirname, "..", "..");

const TIMEOUT_MS = 120_000;

export type PackageName = "receiver" | "simulator";

/** The client's folder. The caller removes it. */
export function installPacked(...names: readonly PackageName[]): string {
  const folder = mkdtempSync(join(tmpdir(), `${names.join("-")}-package-`));
  const project = join(folder, "project");
  copyProject(project);
  const tarballs = names.map((name) => {
    const pack = ["pack", "--ignore-scripts=false", "--silent", "--pack-destination", folder];
    const { stdout } = assertOk(run("npm", pack, join(project, "packages", name)));
    return join(folder, stdout.trim().split("\n").at(-1) ?? "");
  });
  writeFileSync(join(folder, "package.json"), '{"name":"client","private":true,"type":"module"}');
  assertOk(run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], folder));
  return folder;
}

/** So that packing builds nothing in the project; what the compiler needs comes along. */
function copyProject(into: string): void {
  const isSource = (path: string) => !path.endsWith("/dist") && !path.endsWith("/node_modules");
  cpSync(join(PROJECT, "packages"), join(into, "packages"), { recursive: true, filter: isSource });
  mkdirSync(join(into, "scripts"));
  for (const path of ["tsconfig.json", "scripts/packed-exports.js"])
    cpSync(join(PROJECT, path), join(into, path));
  for (const path of ["node_modules/@types/node", "node_modules/undici-types"])
    cpSync(join(PROJECT, path), join(into, path), { recursive: true });
}

export function run(command: string, options: readonly string[], folder: string): SpawnSyncReturns<string> {
  const path = `${join(PROJECT, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  return spawnSync(command, options, {
    cwd: folder,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    env: { ...process.env, PATH: path },
  });
}

export function assertOk(result: SpawnSyncReturns<string>): SpawnSyncReturns<string> {
  assert.equal(result.status, 0, `${result.stderr}${result.stdout}`);
  return result;
}
