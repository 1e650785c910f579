/** Bytes of another encoding in the tables that operators load. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readTariffs } from "../../src/products/ocean/demurrage/read-tariffs.ts";
import { readRates, REQUEST_BOUNDS, type ReadRates } from "../../src/products/rates/lanes/read-rates.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";

const HEADING = "origin,destination,equipment,carrier,currency,valid_from,base";
const GOOD = "CNSHA,NLRTM,40HC,HRNL,USD,2026-11-01,2000.00";
const MESSAGE = "it is not valid UTF-8; save it as UTF-8";

function read(bytes: Buffer, format: "csv" | "json"): ReadRates {
  return runToEnd(readRates(bytes, format, REQUEST_BOUNDS));
}

test("a byte that is no UTF-8 costs its line or its place in the list, not the file", () => {
  const csv = [HEADING, GOOD, GOOD.replace("HRNL", "S\xfcd"), GOOD.replace("NLRTM", "DEHAM")].join("\n");
  const json = '[{"origin": "M\xfc"}, {"origin": "CNSHA", "destination": "CNSHA"}]';
  for (const [text, format, loaded, line] of [
    [csv, "csv", 2, 3],
    [json, "json", 0, 1],
  ] as const) {
    const found = read(Buffer.from(text, "latin1"), format);
    assert.ok(found.kind === "rates");
    assert.equal(found.rates.length, loaded);
    assert.deepEqual(found.problems[0], { line, message: MESSAGE });
  }
});

test("around the rows it costs the file, and the mark for such a byte may be written", () => {
  const whole = { kind: "unreadable", message: MESSAGE };
  assert.deepEqual(read(Buffer.from("[{}] \xfc", "latin1"), "json"), whole);
  assert.deepEqual(read(Buffer.from(`${HEADING},\xfc\n${GOOD}`, "latin1"), "csv"), whole);
  const written = read(Buffer.from(`${HEADING}\n${GOOD.replace("HRNL", "\uFFFD")}`), "csv");
  assert.match(written.kind === "rates" ? written.problems[0]!.message : "", /^carrier must be/);
});

test("in tariffs, which load all or none, it is reported with its line", () => {
  const text = "carrier,port,free_days,valid_from\nHRNL,,1,2026-02-02\nHRNL,Z\xfcrich,2,2026-02-02\n";
  assert.deepEqual(runToEnd(readTariffs(Buffer.from(text, "latin1"), "csv")), {
    kind: "invalid",
    problems: [{ line: 3, message: MESSAGE }],
  });
});
