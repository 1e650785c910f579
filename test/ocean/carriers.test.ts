import assert from "node:assert/strict";
import { test } from "node:test";

import { billPrefixes, candidates, readCarriers } from "../../src/producers/ocean/carriers.ts";
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

test("the likeliest carrier is asked first: by hint, by bill of lading, by the box's owner", () => {
  const asked = (reference: string, hint: string | null): readonly string[] =>
    candidates(carriers, reference, hint).map(({ scac }) => scac);
  assert.deepEqual(asked("TRNU5100028", "HRNL"), ["HRNL"]);
  assert.deepEqual(asked("TRNU5100028", null), ["TRNC", "HRNL"]);
  assert.deepEqual(asked("TRNB00001", null), ["TRNC", "HRNL"]);
  assert.deepEqual(asked("CSQU3054383", null), ["HRNL", "TRNC"]);
  assert.deepEqual(asked("CSQU3054383", "NONE"), ["HRNL", "TRNC"]);
  assert.deepEqual(billPrefixes(carriers), ["HRNL", "TRNC", "TRNB"]);
});
