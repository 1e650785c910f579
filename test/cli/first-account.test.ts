/** What may be done before a service was ever started there. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { databaseFolder } from "../support/database-folder.ts";
import { run } from "./run.ts";

test("the first account makes the database that later commands find, and says so", async (t) => {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-commands-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const environment = { BOATHOOK_DATA_DIR: folder };
  const made = await run(["accounts", "create", "Acme", "--json"], { environment });
  assert.equal(made.status, 0, made.err);
  assert.equal(made.err, `There is no Boathook in ${folder} yet: creating its database there.\n`);
  const listed = await run(["accounts", "list", "--json"], { environment });
  assert.deepEqual([listed.status, listed.err], [0, ""]);
  assert.ok(listed.out.includes((JSON.parse(made.out) as { readonly id: string }).id));
});
