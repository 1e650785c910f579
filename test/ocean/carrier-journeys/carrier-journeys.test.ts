/**
 * Journeys in the forms of carriers' answers. Their expectations follow from the specification and from the rules in
 * docs/decisions by hand, and stood before the product was asked.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { livedLooks } from "./live.ts";
import { readJourneys, type Journey, type Shown } from "./read.ts";

const folder = new URL("./", import.meta.url);

const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));

for (const file of files) {
  for (const journey of readJourneys(readFileSync(new URL(file, folder), "utf8"))) {
    test(`${file.replace(".txt", "")}: ${journey.name}`, () => {
      const shown = livedLooks(journey);
      for (const [index, { atMs, expected }] of journey.looks.entries()) {
        const look = new Date(atMs).toISOString().slice(5, 16);
        assert.deepEqual(
          (shown[index] ?? []).map(lineOf),
          expected.map(lineOf),
          `${journey.name}, look ${look} (${whatDiffers(shown[index] ?? [], expected)})`,
        );
      }
    });
  }
}

function lineOf({ at, status, events }: Shown): string {
  return [`${at} = ${status}`, ...events.map((event) => `! ${event}`)].join("\n");
}

function whatDiffers(shown: readonly Shown[], expected: readonly Shown[]): string {
  const lines = (list: readonly Shown[]): readonly string[] => list.flatMap((one) => lineOf(one).split("\n"));
  const more = lines(shown).filter((line) => !lines(expected).includes(line));
  const less = lines(expected).filter((line) => !lines(shown).includes(line));
  return `too much: ${more.join("; ") || "-"}; missing: ${less.join("; ") || "-"}`;
}

test("the journeys are sixty, in the forms of eight carriers or more", () => {
  const journeys: readonly Journey[] = files.flatMap((file) => [
    ...readJourneys(readFileSync(new URL(file, folder), "utf8")),
  ]);
  assert.ok(journeys.length >= 60, `${journeys.length} journeys`);
  assert.ok(new Set(journeys.map(({ form }) => form)).size >= 8);
  assert.equal(new Set(journeys.map(({ name }) => name)).size, journeys.length, "two have one name");
  for (const { name, looks } of journeys) {
    assert.ok(
      looks.every(({ expected }) => expected.length > 0),
      `${name} has a look without an expectation`,
    );
  }
});
