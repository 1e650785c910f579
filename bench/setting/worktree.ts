/** Another commit of this repository in a temporary folder, with the packages that are installed here. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Bench } from "./bench.ts";
import { ROOT } from "./service.ts";

/** The workspaces' own packages: the worktree has its own. */
const OWN_SCOPE = "@boathook";

/** Returns the folder, and what the commit is called. It is gone when the bench ends, and when the process does. */
export function checkOut(bench: Pick<Bench, "atEnd">, commit: string): { folder: string; name: string } {
  const name = git("describe", "--always", `${commit}^{commit}`);
  const parent = mkdtempSync(join(tmpdir(), "boathook-against-"));
  const folder = join(parent, "tree");
  const remove = (): void => {
    if (existsSync(folder)) git("worktree", "remove", "--force", folder);
    rmSync(parent, { recursive: true, force: true });
  };
  bench.atEnd(async () => remove());
  process.once("exit", remove);
  git("worktree", "add", "--quiet", "--detach", folder, commit);
  linkPackages(join(ROOT, "node_modules"), join(folder, "node_modules"));
  execFileSync("npm", ["run", "--silent", "--if-present", "prepare"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { folder, name };
}

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}

function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, OWN_SCOPE), { recursive: true });
  for (const entry of readdirSync(from))
    if (entry !== OWN_SCOPE) symlinkSync(join(from, entry), join(to, entry));
  for (const entry of readdirSync(join(from, OWN_SCOPE)))
    symlinkSync(readlinkSync(join(from, OWN_SCOPE, entry)), join(to, OWN_SCOPE, entry));
}
