/**
 * What npm packs in place of `src`: `dist`, the same files with their types erased, since Node runs no TypeScript inside
 * node_modules. Lines and columns stay, so that stacks need no source maps. A lockfile (npm-shrinkwrap.json) does not
 * come along: with one, npm installs the binaries of all platforms.
 *
 *     node scripts/build-package.ts          makes dist
 *     node scripts/build-package.ts remove   removes it
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

import { commitOf } from "../src/runtime/build.ts";

const root = join(import.meta.dirname, "..");
/** At the depth of `src`, for paths that lead out of it. */
const dist = join(root, "dist");

/** A relative module in quotes: of an import, or of a worker's URL. */
const MODULE = /(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g;

rmSync(dist, { recursive: true, force: true });
if (process.argv[2] !== "remove") {
  // In a package there is no clone to ask (src/runtime/build.ts).
  mkdirSync(dist);
  writeFileSync(join(dist, "commit"), commitOf(root) ?? "");
  for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) build(name);
}

function build(name: string): void {
  const [from, to] = [join(root, "src", name), join(dist, name)];
  if (/\.(sql|csv|json|css)$/.test(name)) {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
  if (!name.endsWith(".ts")) return;
  mkdirSync(dirname(to), { recursive: true });
  const erased = stripTypeScriptTypes(readFileSync(from, "utf8"));
  writeFileSync(to.replace(/\.ts$/, ".js"), erased.replaceAll(MODULE, "$1$2.js$1"));
}
