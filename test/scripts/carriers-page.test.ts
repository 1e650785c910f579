import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { carriersPage } from "../../scripts/carriers-page.ts";

test("docs/carriers/README.md lists the catalogue as it is (npm run docs:carriers writes it)", () => {
  const file = join(import.meta.dirname, "..", "..", "docs", "carriers", "README.md");
  assert.equal(readFileSync(file, "utf8"), carriersPage());
});
