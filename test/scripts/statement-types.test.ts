import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { statementFiles } from "../../scripts/statement-types.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

describe("the types of the statements", () => {
  let stored: TestDatabase;
  before(async () => {
    stored = await createTestDatabase();
  });
  after(() => stored.drop());

  test("are what PostgreSQL says (npm run sql:types writes them)", async () => {
    const files = await statementFiles(stored.address, stored.cells[0]!);
    assert.ok(files.size > 10);
    for (const [path, text] of files)
      assert.equal(readFileSync(join(import.meta.dirname, "..", "..", path), "utf8"), text, path);
  });
});
