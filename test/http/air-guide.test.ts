/** docs/air-tracking.md names all that a client can meet. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ERRORS, type ErrorCode } from "../../src/model/errors.ts";
import { STATUS_NAMES } from "../../src/products/air/tracking/waybill-view.ts";
import { air } from "../../src/products/air/catalogue.ts";

const guide = readFileSync(new URL("../../docs/air-tracking.md", import.meta.url), "utf8");

/** The rows of a section's table, column by column. */
function rows(heading: string): readonly (readonly string[])[] {
  const [, text] = guide.split(`\n## ${heading}\n`);
  assert.ok(text !== undefined, heading);
  const lines = text.split("\n## ")[0]!.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm);
  return [...lines].map(([, first = "", second = ""]) => [first, second]);
}

test("the guide explains every status, in the order of a waybill's life", () => {
  assert.deepEqual(
    rows("Statuses").map(([status]) => status),
    STATUS_NAMES,
  );
});

test("the guide says of every event when it is raised", () => {
  assert.deepEqual(
    rows("Events").map(([name]) => name),
    air.catalogue.map(({ name }) => name),
  );
});

test("the guide gives each error the status that it has", () => {
  for (const [code = "", status] of rows("Errors")) {
    assert.equal(String(ERRORS[code.toUpperCase() as ErrorCode]), status, code);
  }
  assert.equal(rows("Errors").length, 7);
});
