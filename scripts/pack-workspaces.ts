/** Packs packages of the project as npm publishes them. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Beside the packages: what the compiler needs, and what the types of the client were made from. */
const COPIED = [
  ...["tsconfig.json", "package-lock.json", "scripts/packed-exports.js", "src"],
  ...["node_modules/@types/node", "node_modules/undici-types"],
];

/** From a copy, since packing builds in a package and changes its description. Returns the archives. */
export function packWorkspaces(names: readonly string[], into: string): readonly string[] {
  const copy = mkdtempSync(join(tmpdir(), "boathook-pack-"));
  try {
    const filter = (path: string): boolean => !/[\\/](?:dist|node_modules)$/.test(path);
    cpSync(join(root, "packages"), join(copy, "packages"), { recursive: true, filter });
    for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
    return names.map((name) => packFolder(join(copy, "packages", name), into));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Its scripts find what is installed in the project. Returns the archive. */
export function packFolder(from: string, into: string): string {
  // npm's own settings in the environment are those of the command that this is a part of.
  const options = ["--ignore-scripts=false", "--dry-run=false", "--silent", "--pack-destination", into];
  const path = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const said = execFileSync("npm", ["pack", ...options], {
    cwd: from,
    encoding: "utf8",
    env: { ...process.env, PATH: path },
  });
  return join(into, said.trim().split("\n").at(-1) ?? "");
}
