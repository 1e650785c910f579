import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { settingsPage } from "../../scripts/settings-page.ts";

test("docs/settings.md lists the settings as they are (npm run docs:settings writes it)", () => {
  const file = join(import.meta.dirname, "..", "..", "docs", "settings.md");
  assert.equal(readFileSync(file, "utf8"), settingsPage());
});
