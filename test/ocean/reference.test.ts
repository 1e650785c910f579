import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { checkDigit, readReference } from "../../src/freight/references/reference.ts";

test("a container number is known in any usual way of writing it", () => {
  for (const sent of [
    "CSQU3054383",
    "csqu3054383",
    " CSQU 305438 3 ",
    "CSQU-305438-3",
    "CSQU/305438.3",
    "CSQU\u2013305438\u20113",
    "CSQU\u00a0305438\u2212\u200b3\n",
    "ＣＳＱＵ　３０５４３８－３",
    "ＣＳＱＵ３０５４３８ー３",
    "Container: CSQU3054383",
    "container no. CSQU 305438 3",
    "CNTR CSQU3054383",
    "CSQU 305438 [3]",
    "CSQU 305438(3)",
    '"CSQU3054383"',
    "\u201cCSQU3054383\u201d",
  ]) {
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

test("several container numbers in one are refused, whatever stands between them", () => {
  for (const sent of ["CSQU3054383 MSKU1234565", "CSQU3054383/MSKU1234565", "CSQU3054383-MSKU1234565"]) {
    assert.deepEqual(readReference(sent, []), {
      kind: "invalid",
      message: "CSQU3054383MSKU1234565 is 2 container numbers: each is tracked by itself",
    });
  }
});

test("the check digits of numbers in use are right, the remainder 10 written 0", () => {
  assert.equal(checkDigit("CSQU305438"), 3);
  assert.equal(checkDigit("APZU481209"), 0);
  assert.equal(checkDigit("TRNU510002"), 8);
});

test("the categories of ISO 6346 are containers, and no other letter is", () => {
  const typeOf = (sent: string) => {
    const read = readReference(sent, []);
    return read.kind === "reference" ? read.type : "invalid";
  };
  for (const category of ["U", "J", "Z"]) {
    const number = `CSQ${category}305438`;
    assert.equal(typeOf(number + checkDigit(number)), "container_id");
  }
  assert.equal(typeOf(`CSQR305438${checkDigit("CSQR305438")}`), null);
});

test("a letter taken for a digit, and a digit for a letter, are hinted at", () => {
  for (const [sent, meant] of [
    ["CSQU3O54383", "CSQU3054383"],
    ["0OLU1234567", "OOLU1234567"],
    ["00LUI23456S", null],
    ["MSKUI23456 5", "MSKU1234565"],
  ] as const) {
    const read = readReference(sent, []);
    if (meant === null) assert.equal(read.kind, "reference", sent);
    else assert.match(read.kind === "invalid" ? read.message : "", new RegExp(`should be ${meant}`), sent);
  }
});

test("a container number without its check digit is refused with the one it lacks", () => {
  const messageOf = (sent: string, prefixes: readonly string[] = []): string => {
    const read = readReference(sent, prefixes);
    return read.kind === "invalid" ? read.message : read.text;
  };
  assert.match(messageOf("msku 123456"), /MSKU1234565/);
  assert.match(messageOf("ABCU123456"), /ABCU1234560/, "of whomsoever, a lessor's too");
  assert.match(messageOf("tghj-654321"), /TGHJ6543216/);
  assert.match(messageOf("MAEU123456", ["MAEU"]), /MAEU1234567/, "that line's bills are longer");
  assert.equal(messageOf("ABCU123456", ["ABCU"]), "ABCU123456", "a carrier here has such bills");
  assert.equal(messageOf("CMDU123456"), "CMDU123456", "a line's bills begin so, and no container");
  assert.equal(messageOf("ABCX123456"), "ABCX123456", "no category of containers");
});

test("a label goes where it is plainly one, and stays where it may be part of the number", () => {
  const textOf = (sent: string) => {
    const read = readReference(sent, []);
    return read.kind === "reference" ? read.text : read.message;
  };
  for (const sent of [
    "B/L No. MAEU123456789",
    "B/L MAEU123456789",
    "b/l: maeu 123456789",
    "BL MAEU123456789",
    "BL# MAEU123456789",
    "MBL No MAEU-123456789",
    "Bill of Lading Number: MAEU123456789",
    "BOL. MAEU123456789",
  ])
    assert.equal(textOf(sent), "MAEU123456789", sent);
  for (const [sent, text] of [
    ["Booking 123456789", "123456789"],
    ["BKG No: 123456789", "123456789"],
    ["BKG 123456789", "BKG123456789"],
    ["BL 123456789", "BL123456789"],
    ["BL123456789", "BL123456789"],
    ["BLNO123456", "BLNO123456"],
    ["BOOKING123", "BOOKING123"],
    ["Container 7", "a reference has 5 to 35 letters and digits"],
  ] as const)
    assert.equal(textOf(sent), text, sent);
});

test("a booking is recognised by its form", () => {
  assert.deepEqual(readReference("EBKG 01234567", []), {
    kind: "reference",
    text: "EBKG01234567",
    type: "booking",
  });
});

test("however a reference is read, reading it again gives the same", () => {
  const written = fc.stringMatching(/^[MSKUBL/NO.: #0-9o０ー－-]{0,40}$/);
  fc.assert(
    fc.property(written, (sent) => {
      const read = readReference(sent, []);
      if (read.kind === "invalid") return;
      assert.match(read.text, /^[A-Z0-9]{5,35}$/);
      assert.deepEqual(readReference(read.text, []), read);
    }),
  );
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

test("spec 2.4: identifier_types: a bill of lading is recognised by its prefix; another document number stays open", () => {
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
    "straße12345",
    "ıııı123456",
    `${" ".repeat(1000)}CSQU3054383`,
  ]) {
    assert.equal(readReference(sent, []).kind, "invalid", sent);
  }
});
