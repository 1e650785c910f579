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

const all = files.map((file) => ({
  file: file.replace(".txt", ""),
  journeys: readJourneys(readFileSync(new URL(file, folder), "utf8")),
}));

for (const { file, journeys } of all) {
  for (const journey of journeys) {
    test(`${file}: ${journey.name}`, () => {
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

/** Where a carrier forgets what it announced, or drops a delivery, the answers between make the difference. */
const FORGETFUL: ReadonlySet<string> = new Set([
  "a delivery that answers leave out, once and then twice",
  "re-routed before it is discharged",
  "tracked before its end, and the next trip changes nothing",
  "handed over, and every answer after knows only the next booking's plan",
]);

test("an answer that nobody asked for, in another order or twice, changes no status in the end", () => {
  for (const journey of all.flatMap(({ journeys }) => journeys)) {
    if (FORGETFUL.has(journey.name)) continue;
    const end = endOf(journey.looks, journey);
    for (let index = 1; index < journey.looks.length - 1; index += 1) {
      const fewer = journey.looks.toSpliced(index, 1);
      assert.equal(endOf(fewer, journey), end, `${journey.name} without look ${index + 1}`);
    }
    const reversed = journey.looks.map((look) => ({ ...look, statements: look.statements.toReversed() }));
    assert.equal(endOf(reversed, journey), end, `${journey.name} the other way round`);
    const twice = journey.looks.flatMap((look) => [look, { ...look, atMs: look.atMs + 1 }]);
    const repeated = livedLooks({ ...journey, looks: twice }).filter((_, index) => index % 2 === 1);
    for (const [again] of repeated)
      assert.deepEqual(again?.events, [], `${journey.name}, the same answer twice`);
  }
});

function endOf(looks: Journey["looks"], journey: Journey): string {
  return livedLooks({ ...journey, looks }).at(-1)?.[0]?.status ?? "";
}

test("the journeys are sixty or more, in the forms of eight carriers or more", () => {
  const journeys: readonly Journey[] = all.flatMap((one) => one.journeys);
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
