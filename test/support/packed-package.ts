/** Packages as a client installs them: packed, and installed in a folder of its own. */
import assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { packFolder, packWorkspaces } from "../../scripts/pack-workspaces.ts";

export const PROJECT = join(import.meta.dirname, "..", "..");

const TIMEOUT_MS = 120_000;

export type PackageName = "client" | "receiver" | "simulator";

/** The client's folder. The caller removes it. */
export function installPacked(...names: readonly PackageName[]): string {
  const folder = mkdtempSync(join(tmpdir(), `${names.join("-")}-package-`));
  makeClientTypes();
  const tarballs = packWorkspaces(names, folder);
  writeFileSync(join(folder, "package.json"), '{"name":"client","private":true,"type":"module"}');
  assertOk(run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], folder));
  return folder;
}

/** Packs Boathook itself, from a copy in `folder`. Returns the tarball. */
export function packBoathook(folder: string): string {
  const project = join(folder, "project");
  makeClientTypes();
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@boathook"), { recursive: true });
  for (const name of readdirSync(join(PROJECT, "node_modules"))) {
    if (name !== "@boathook") symlinkSync(join(PROJECT, "node_modules", name), join(modules, name));
  }
  for (const name of ["client", "receiver", "simulator"])
    symlinkSync(`../../packages/${name}`, join(modules, "@boathook", name));
  for (const name of PACKED_FROM) {
    if (existsSync(join(PROJECT, name)))
      cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  }
  return packFolder(project, folder);
}

/** What packing reads, tests and benchmarks among it. */
const PACKED_FROM = [
  ...["bench", "bin", "carriers", "changelog", "deploy", "docs", "packages", "scripts", "src", "test"],
  ...["package.json", "package-lock.json", "tsconfig.json", "CHANGELOG.md", "LICENSE", "NOTICE", "README.md"],
];

/** A copy finds the types of the client as they are in the project, and need not make them. */
function makeClientTypes(): void {
  assertOk(run("npm", ["run", "client"], PROJECT));
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
