import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { checkDigit, readReference } from "../../src/freight/references/reference.ts";
import { forAll } from "../support/runs.ts";

/** What a reference is read as: `MSKU1234565 container_id`, or the message that refuses it. */
function readAs(sent: string, prefixes: readonly string[] = []): string {
  const read = readReference(sent, prefixes);
  return read.kind === "invalid" ? read.message : `${read.text} ${read.type}`;
}

test("a container number is known in any usual way of writing it", () => {
  for (const sent of [
    ...["CSQU3054383", "csqu3054383", " CSQU 305438 3 ", "CSQU-305438-3", "CSQU/305438.3"],
    ...["CSQU\u2013305438\u20113", "CSQU\u00a0305438\u2212\u200b3\n", "ＣＳＱＵ　３０５４３８－３"],
    ...["ＣＳＱＵ３０５４３８ー３", "Container: CSQU3054383", "container no. CSQU 305438 3"],
    ...["CNTR CSQU3054383", "CSQU 305438 [3]", "CSQU 305438(3)", '"CSQU3054383"', "\u201cCSQU3054383\u201d"],
  ])
    assert.equal(readAs(sent), "CSQU3054383 container_id", sent);
});

test("the check digits of numbers in use are right, the remainder 10 written 0, and a wrong one is named", () => {
  assert.equal(checkDigit("CSQU305438"), 3);
  assert.equal(checkDigit("APZU481209"), 0);
  assert.equal(checkDigit("TRNU510002"), 8);
  assert.match(readAs("CSQU3054384"), /should be 3 \(CSQU3054383\), not 4/);
});

test("several container numbers in one are refused, whatever stands between them", () => {
  const message = "CSQU3054383MSKU1234565 is 2 container numbers: each is tracked by itself";
  for (const between of [" ", "/", "-"]) assert.equal(readAs(`CSQU3054383${between}MSKU1234565`), message);
});

test("the categories of ISO 6346 are containers, and no other letter is", () => {
  for (const [category, type] of [
    ["U", "container_id"],
    ["J", "container_id"],
    ["Z", "container_id"],
    ["R", "null"],
  ] as const) {
    const number = `CSQ${category}305438`;
    assert.equal(readAs(number + checkDigit(number)).split(" ")[1], type, category);
  }
});

test("a letter taken for a digit, a digit for a letter, and a missing check digit are hinted at", () => {
  for (const [sent, meant, prefixes] of [
    ["CSQU3O54383", /should be CSQU3054383/],
    ["0OLU1234567", /should be OOLU1234567/],
    ["00LUI23456S", /^00LUI23456S null$/],
    ["MSKUI23456 5", /should be MSKU1234565/],
    ["msku 123456", /MSKU1234565/],
    // Of whomsoever, a lessor's too.
    ["ABCU123456", /ABCU1234560/],
    ["tghj-654321", /TGHJ6543216/],
    // That line's bills are longer.
    ["MAEU123456", /MAEU1234567/, ["MAEU"]],
    // A carrier here has such bills.
    ["ABCU123456", /^ABCU123456 /, ["ABCU"]],
    // A line's bills begin so, and no container.
    ["CMDU123456", /^CMDU123456 /],
    ["ABCX123456", /^ABCX123456 null$/],
  ] as const)
    assert.match(readAs(sent, prefixes), meant);
});

test("a label goes where it is plainly one, and stays where it may be part of the number", () => {
  for (const sent of [
    ...["B/L No. MAEU123456789", "B/L MAEU123456789", "b/l: maeu 123456789", "BL MAEU123456789"],
    ...["BL# MAEU123456789", "MBL No MAEU-123456789", "Bill of Lading Number: MAEU123456789"],
    "BOL. MAEU123456789",
  ])
    assert.match(readAs(sent), /^MAEU123456789 /, sent);
  for (const [sent, text] of [
    ["Booking 123456789", /^123456789 /],
    ["BKG No: 123456789", /^123456789 /],
    ["BKG 123456789", /^BKG123456789 /],
    ["BL 123456789", /^BL123456789 /],
    ["BL123456789", /^BL123456789 /],
    ["BLNO123456", /^BLNO123456 /],
    ["BOOKING123", /^BOOKING123 /],
    ["Container 7", /^a reference has 5 to 35 letters and digits$/],
  ] as const)
    assert.match(readAs(sent), text, sent);
});

test("spec 2.4: identifier_types: a booking is recognised by its form, a bill of lading by its prefix; another document number stays open", () => {
  assert.equal(readAs("EBKG 01234567"), "EBKG01234567 booking");
  assert.equal(readAs("medu aa-000001", ["MEDU"]), "MEDUAA000001 bill_of_lading");
  assert.equal(readAs("100AAAAAA0002V", ["MEDU"]), "100AAAAAA0002V null");
});

test("however a reference is read, reading it again gives the same", () => {
  const written = fc.stringMatching(/^[MSKUBL/NO.: #0-9o０ー－-]{0,40}$/);
  forAll(100, written, (sent) => {
    const read = readReference(sent, []);
    if (read.kind === "invalid") return;
    assert.match(read.text, /^[A-Z0-9]{5,35}$/);
    assert.deepEqual(readReference(read.text, []), read);
  });
});

test("exactly one of the ten digits makes a container number", () => {
  const number = fc.tuple(fc.stringMatching(/^[A-Z]{3}[UJZ]$/), fc.stringMatching(/^[0-9]{6}$/));
  forAll(100, number, ([owner, serial]) => {
    const read = Array.from({ length: 10 }, (_, digit) => readReference(`${owner}${serial}${digit}`, []));
    assert.equal(read.filter(({ kind }) => kind === "reference").length, 1);
  });
});

test("anything else is refused without an exception", () => {
  for (const sent of [
    ...[
      "",
      "AB",
      "Ω".repeat(10),
      "A".repeat(36),
      "ABC_12345",
      "\u0000".repeat(6),
      "straße12345",
      "ıııı123456",
    ],
    `${" ".repeat(1000)}CSQU3054383`,
  ])
    assert.equal(readReference(sent, []).kind, "invalid", sent);
});
