/** Which build runs: its version, and the commit that it is of, where a clone or a package tells. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import packageJson from "../../package.json" with { type: "json" };

export type Build = {
  readonly version: string;
  /** The first digits of its hash; null: unknown. What was changed since is not seen. */
  readonly commit: string | null;
};

const COMMIT_DIGITS = 8;
const ROOT = join(import.meta.dirname, "..", "..");

/** Where `scripts/build-package.ts` writes the commit. */
const PACKED = join("dist", "commit");

export function thisBuild(root: string = ROOT): Build {
  return { version: packageJson.version, commit: commitOf(root)?.slice(0, COMMIT_DIGITS) ?? null };
}

/** `0.1.0 (1f2e3d4c)` */
export function nameOfBuild({ version, commit }: Build): string {
  return commit === null ? version : `${version} (${commit})`;
}

/** The whole hash. A clone needs no git for it. */
export function commitOf(root: string): string | null {
  try {
    if (existsSync(join(root, ".git"))) return headOf(gitFolder(join(root, ".git")));
    return hashIn(readFileSync(join(root, PACKED), "utf8"));
  } catch {
    // Nobody may read it, or it is in a form that is not known here.
    return null;
  }
}

/** That of a work tree is a file that names the folder. */
function gitFolder(path: string): string {
  if (statSync(path).isDirectory()) return path;
  return resolve(
    join(path, ".."),
    readFileSync(path, "utf8")
      .replace(/^gitdir: /, "")
      .trim(),
  );
}

function headOf(folder: string): string | null {
  const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
  const [, name] = /^ref: (.+)$/.exec(head) ?? [];
  if (name === undefined) return hashIn(head);
  const shared = join(folder, "commondir");
  const common = existsSync(shared) ? resolve(folder, readFileSync(shared, "utf8").trim()) : folder;
  for (const place of [folder, common]) {
    const file = join(place, name);
    if (existsSync(file)) return hashIn(readFileSync(file, "utf8"));
  }
  const packed = readFileSync(join(common, "packed-refs"), "utf8").split("\n");
  return hashIn(packed.find((line) => line.endsWith(` ${name}`)) ?? "");
}

function hashIn(text: string): string | null {
  return /^[0-9a-f]{40,64}/.exec(text)?.[0] ?? null;
}
