/** docs/tracking.md names all that a client can meet. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { failureOf } from "../../src/products/ocean/tracking/shipment-view.ts";
import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import { tracking } from "../../src/products/ocean/catalogue.ts";

const guide = readFileSync(new URL("../../docs/tracking.md", import.meta.url), "utf8");

/** The section under a heading, up to the next one. */
function section(heading: string): string {
  const [, text] = guide.split(`\n## ${heading}\n`);
  assert.ok(text !== undefined, heading);
  return text.split("\n## ")[0]!;
}

/** What the first columns of its tables name. */
function rows(heading: string): readonly string[] {
  const cells = section(heading).matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm);
  return [...cells].flatMap(([, names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

test("the guide explains every status, and no other", () => {
  assert.deepEqual(rows("Statuses").toSorted(), [...SHIPMENT_STATUSES].toSorted());
});

test("the guide says of every event when it is raised, and of no other", () => {
  assert.deepEqual(rows("Events").toSorted(), tracking.catalogue.map(({ name }) => name).toSorted());
});

test("the guide says of every failure what to do, and shows the sentence that is sent", () => {
  const stored = ["not_found", "wrong_carrier", "not_permitted", "unavailable_timeout"];
  assert.deepEqual(
    rows("When there is no answer"),
    stored.map((code) => failureOf(code, "HRNU4000017")!.code),
  );
  assert.ok(section("When there is no answer").includes(failureOf("not_found", "HRNU4000017")!.message));
});

test("the guide lists every version", () => {
  assert.deepEqual(rows("Versions"), tracking.versions);
});
