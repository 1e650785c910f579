import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { airlinesPage } from "../../scripts/airlines-page.ts";

test("docs/airlines/README.md lists the catalogue as it is (npm run docs:airlines writes it)", () => {
  const file = join(import.meta.dirname, "..", "..", "docs", "airlines", "README.md");
  assert.equal(readFileSync(file, "utf8"), airlinesPage());
});
