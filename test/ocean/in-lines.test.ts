/**
 * What is made of small journeys, by the table in `journeys.txt`. Each journey of it was found by a search for the
 * shortest one that tells the rules from a slip in them, so the table says what the rules come to and not why: the why
 * is in the tests of each rule. Where a rule changes on purpose, its journeys here change with it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { shownBy } from "./in-lines.ts";

const TABLE = readFileSync(new URL("journeys.txt", import.meta.url), "utf8");

/** A journey begins a line, and what its polls show follows it, indented. */
const JOURNEYS = TABLE.split(/\n(?=@)/)
  .map((entry) => entry.trimEnd().split("\n"))
  .map(([journey = "", ...shows]) => ({ journey, shows: shows.map((show) => show.trim()) }));

test("every journey of the table gives the listed result", () => {
  assert.ok(JOURNEYS.length > 100, `${JOURNEYS.length} journeys`);
  const others = JOURNEYS.map(({ journey }) => ({ journey, shows: shownBy(journey) }));
  assert.deepEqual(others, JOURNEYS);
});
