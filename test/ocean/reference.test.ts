import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { checkDigit, readReference } from "../../src/producers/ocean/reference.ts";

test("a container number is known in any usual way of writing it", () => {
  for (const sent of ["CSQU3054383", "csqu3054383", " CSQU 305438 3 ", "CSQU-305438-3", "CSQU/305438.3"]) {
    assert.deepEqual(readReference(sent, []), {
      kind: "reference",
      text: "CSQU3054383",
      type: "container_id",
    });
  }
});

test("a wrong check digit is refused, and the message names the right one", () => {
  const read = readReference("CSQU3054384", []);
  assert.equal(read.kind, "invalid");
  assert.match(read.kind === "invalid" ? read.message : "", /should be 3 \(CSQU3054383\), not 4/);
});

test("the check digits of numbers in use are right, the remainder 10 written 0", () => {
  assert.equal(checkDigit("CSQU305438"), 3);
  assert.equal(checkDigit("APZU481209"), 0);
  assert.equal(checkDigit("TRNU510002"), 8);
});

test("exactly one of the ten digits makes a container number", () => {
  const number = fc.tuple(fc.stringMatching(/^[A-Z]{3}[UJZ]$/), fc.stringMatching(/^[0-9]{6}$/));
  fc.assert(
    fc.property(number, ([owner, serial]) => {
      const read = Array.from({ length: 10 }, (_, digit) => readReference(`${owner}${serial}${digit}`, []));
      assert.equal(read.filter(({ kind }) => kind === "reference").length, 1);
    }),
  );
});

test("a bill of lading is told by its prefix, and another paper is left open", () => {
  assert.deepEqual(readReference("medu aa-000001", ["MEDU"]), {
    kind: "reference",
    text: "MEDUAA000001",
    type: "bill_of_lading",
  });
  assert.deepEqual(readReference("100AAAAAA0002V", ["MEDU"]), {
    kind: "reference",
    text: "100AAAAAA0002V",
    type: null,
  });
});

test("anything else is refused without an exception", () => {
  for (const sent of [
    "",
    "AB",
    "Ω".repeat(10),
    "A".repeat(36),
    "ABC_12345",
    "\u0000\u0000\u0000\u0000\u0000\u0000",
  ]) {
    assert.equal(readReference(sent, []).kind, "invalid", sent);
  }
});
