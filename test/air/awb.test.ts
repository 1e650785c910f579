import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { checkDigitOf, formatAwb, readAwb } from "../../src/freight/references/awb.ts";

/** Ten digits, and the eleventh that belongs to them. */
const anyAwb = fc.stringMatching(/^[0-9]{10}$/).map((digits) => `${digits}${Number(digits.slice(3)) % 7}`);

const separators = fc.constantFrom(
  ..." -.\t/\u2013\u2011\u2212\u00a0\u200b".split(""),
  ...["", "%20", "%2D"],
);

test("spec 4.3: awb is read in any formatting", () => {
  for (const written of [
    "17612345675",
    "176-12345675",
    "176 1234 5675",
    " 176–1234–5675 ",
    "176%2D12345675",
    "176%201234%205675",
    "176\u2011\u200b12345675",
    "１７６－１２３４５６７５",
    "176.1234/5675",
    "(176) 1234+5675",
    "AWB 176-12345675",
    "AWB No. 176-12345675",
    "Air Waybill number: 176-12345675",
    "mawb: 17612345675",
    "awb17612345675",
  ]) {
    assert.deepEqual(readAwb(written), { kind: "awb", awb: "17612345675", prefix: "176" }, written);
  }
});

test("whatever stands between its digits, a number is read as it is printed", () => {
  fc.assert(
    fc.property(anyAwb, fc.array(separators, { minLength: 12, maxLength: 12 }), (awb, between) => {
      const written = between.map((separator, index) => separator + (awb[index] ?? "")).join("");
      assert.deepEqual(readAwb(written), { kind: "awb", awb, prefix: awb.slice(0, 3) });
      assert.deepEqual(readAwb(formatAwb(awb)), readAwb(awb));
    }),
  );
});

test("every wrong check digit is refused, and the message gives the right one", () => {
  fc.assert(
    fc.property(anyAwb, fc.integer({ min: 1, max: 9 }), (awb, by) => {
      const wrong = `${awb.slice(0, 10)}${(Number(awb[10]) + by) % 10}`;
      const reading = readAwb(wrong);
      assert.ok(reading.kind === "invalid");
      assert.match(reading.message, new RegExp(`last digit would be ${awb[10]};`));
      assert.equal(checkDigitOf(wrong), awb[10]);
    }),
  );
});

test("a text that is no air waybill is refused with a reason", () => {
  for (const [written, why] of [
    ["", /11 digits.* this has none/],
    ["176-1234567", /11 digits.* this has 10/],
    ["176-123456755", /this has 12/],
    ["176-1234567S", /digits only, .* no S/],
    ["HAWB 176-12345675", /digits only, .* no H/],
    ["AWBS 176-12345675", /digits only, .* no A/],
    ["176-12345675 AWB", /digits only, .* no A/],
    ["176-12345%ZZ", /digits only, .* no %/],
    ["١٧٦-12345675", /digits only/],
    ["1".repeat(1_000), /this has more/],
    ["176-12345674", /^176-12345674 is no air waybill: after 1234567 the last digit would be 5/],
  ] as const) {
    const reading = readAwb(written);
    assert.ok(reading.kind === "invalid", written);
    assert.match(reading.message, why);
  }
});
