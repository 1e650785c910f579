/** The world of `boathook try`, as a process, for tests that send what documents show. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { start, until } from "./boathook.ts";
import { atEnd, type Owner } from "./running.ts";

export type TryWorld = {
  /** Where it writes them. */
  readonly folder: string;
  /** Its addresses and keys. */
  readonly variables: Readonly<Record<string, string>>;
};

export async function startTryWorld(t: Owner, fileName = "try.env"): Promise<TryWorld> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-world-"));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, fileName);
  const tried = start(t, ["try", "--port", "0", "--variables", file]);
  atEnd(t, async () => {
    tried.signal("SIGINT");
    await tried.ended;
  });
  await until(() => tried.out().includes("Retry waits are cut"), "the world is up", 60_000);
  const written = [...readFileSync(file, "utf8").matchAll(/^(\w+)='(.*)'$/gm)];
  return { folder, variables: Object.fromEntries(written.map(([, name, value]) => [name!, value!])) };
}
