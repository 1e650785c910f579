/** The numbers under which recorded boxes are replayed. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { replayedNumbers } from "../../packages/simulator/src/replay/box-numbers.ts";
import { readRecordings } from "../../packages/simulator/src/replay/server.ts";
import { readReference } from "../../src/freight/references/reference.ts";

function replayed(...texts: string[]): readonly string[] {
  return [...replayedNumbers(texts)].map((pair) => pair.join(" as ")).toSorted();
}

test("a wrong check digit is put right, and boxes that differ in it alone stay apart", () => {
  assert.deepEqual(replayed('"HRNU4000017"'), ["HRNU4000017 as HRNU4000017"]);
  assert.deepEqual(replayed('"HRNU4000010"'), ["HRNU4000010 as HRNU4000017"]);
  const both = ["HRNU4000010 as HRNU4000022", "HRNU4000017 as HRNU4000017"];
  assert.deepEqual(replayed('["HRNU4000010","HRNU4000017"]'), both);
  assert.deepEqual(replayed('"HRNU4000017"', '"HRNU4000010"'), both, "of two recordings too");
});

test("a number that is made up is no other box's, and can be tracked", () => {
  const crowd = ["HRNU9999991", "HRNU9999992", "HRNU9999993", "HRNU0000004"];
  const numbers = [...replayedNumbers([JSON.stringify(crowd)]).values()];
  assert.equal(new Set(numbers).size, crowd.length);
  for (const number of numbers) assert.equal(readReference(number, []).kind, "reference", number);
});

test("of two boxes that differ in the check digit only, each is replayed with its own events", async () => {
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  const move = (equipmentReference: string, equipmentEventTypeCode: string) => ({
    eventType: "EQUIPMENT",
    equipmentEventTypeCode,
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-10T19:24:00+09:00",
    equipmentReference,
  });
  try {
    const answer = [move("HRNU4000011", "LOAD"), move("HRNU4000012", "DISC")];
    await writeFile(join(folder, "bill.json"), JSON.stringify(answer));
    const [recording] = await readRecordings(folder);
    const boxes = recording?.events.map(({ equipment, code }) => `${equipment} ${code}`);
    assert.deepEqual(boxes, ["HRNU4000017 LOAD", "HRNU4000022 DISC"]);
    assert.equal(recording?.references.length, 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
