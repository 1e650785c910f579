import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A temporary folder of the test's own: what is left in it is nobody else's. */
export function ownFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "boathook-own-"));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(folder, 0o711);
  t.after(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    settings: { TMPDIR: folder },
    leftovers: () => readdirSync(folder).filter((name) => name.startsWith("boathook-")),
  };
}
