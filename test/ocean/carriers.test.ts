import assert from "node:assert/strict";
import { test } from "node:test";

import { billPrefixes, readCarriers } from "../../src/producers/ocean/carriers.ts";
import { HERON, TERN } from "./shipping-lines.ts";

const carriers = [HERON, { ...TERN, billPrefixes: ["TRNB"] }];

test("a carriers file is read, and what is wrong is named without its values", () => {
  assert.deepEqual(readCarriers(JSON.stringify(carriers)), { kind: "carriers", carriers });
  const secret = "a key nobody may read";
  const wrong = readCarriers(
    JSON.stringify([{ ...HERON, scac: "toolong", headers: { "api-key": [secret] } }]),
  );
  assert.equal(wrong.kind, "invalid");
  const said = JSON.stringify(wrong);
  assert.match(said, /\/0\/scac/);
  assert.equal(said.includes(secret), false);
  assert.equal(readCarriers("{").kind, "invalid");
  assert.equal(readCarriers(JSON.stringify([HERON, HERON])).kind, "invalid");
});

test("bills of lading begin with their carrier's SCAC, or as its entry says", () => {
  assert.deepEqual(billPrefixes(carriers), ["HRNL", "TRNC", "TRNB"]);
});
