/** What is logged of a cell whose server is gone for long. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createCellLog } from "../../src/engine/cell-log.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { recordingLog } from "../support/log.ts";

test("a warning of a cell whose server is gone comes once, and its count when the server is back", () => {
  const recording = recordingLog();
  const { log, beat } = createCellLog(recording, cellsNamed("boathook", 1)[0]);
  let seen = 0;
  const lines = () => {
    const fresh = recording.lines.slice(seen);
    seen = recording.lines.length;
    return fresh.map(({ level, message }) => `${level}: ${message}`);
  };
  const gone = new StoreUnavailable("gone");
  for (let times = 0; times < 30; times += 1) {
    log.warn({ err: gone }, "the sweep failed");
    if (times % 10 === 0) log.warn({ cause: gone, deliveries: 3 }, "pruning failed");
    beat();
  }
  log.warn({ err: new Error("a bug") }, "the sweep failed");
  assert.deepEqual(lines(), ["warn: the sweep failed", "warn: pruning failed", "warn: the sweep failed"]);
  beat();
  assert.deepEqual(recording.lines.at(-1)?.fields, {
    cell: 0,
    repeated: { "the sweep failed": 29, "pruning failed": 2 },
  });
  assert.deepEqual(lines(), ["info: the cell's database answers again"]);
  beat();
  log.warn({ err: gone }, "the sweep failed");
  beat();
  beat();
  assert.deepEqual(lines(), ["warn: the sweep failed"], "what was said once needs no count");
});
