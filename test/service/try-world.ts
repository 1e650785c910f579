/** The world of `boathook try`, as a process, for tests that send what documents show. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { start, until } from "./boathook.ts";
import type { Owner } from "./running.ts";

export type TryWorld = {
  /** Where `try.env` is. */
  readonly folder: string;
  /** The addresses and keys that it writes there. */
  readonly variables: Readonly<Record<string, string>>;
};

export async function startTryWorld(t: Owner): Promise<TryWorld> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-world-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "try.env");
  const tried = start(t, ["try", "--port", "0", "--variables", file]);
  t.after(async () => {
    tried.signal("SIGINT");
    await tried.ended;
  });
  await until(() => tried.out().includes("Retry waits are cut"), "the world is up", 60_000);
  const written = [...readFileSync(file, "utf8").matchAll(/^(\w+)='(.*)'$/gm)];
  return { folder, variables: Object.fromEntries(written.map(([, name, value]) => [name!, value!])) };
}
