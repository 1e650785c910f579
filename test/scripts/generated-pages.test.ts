import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { airlinesPage } from "../../scripts/airlines-page.ts";
import { carriersPage } from "../../scripts/carriers-page.ts";
import { settingsPage } from "../../scripts/settings-page.ts";

for (const [page, write, script] of [
  ["docs/airlines/README.md", airlinesPage, "docs:airlines"],
  ["docs/carriers/README.md", carriersPage, "docs:carriers"],
  ["docs/settings.md", settingsPage, "docs:settings"],
] as const) {
  test(`${page} is up to date (npm run ${script} writes it)`, () =>
    assert.equal(readFileSync(join(import.meta.dirname, "..", "..", page), "utf8"), write()));
}
