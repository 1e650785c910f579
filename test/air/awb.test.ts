import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";

import fc from "fast-check";

import { checkDigitOf, formatAwb, readAwb } from "../../src/freight/references/awb.ts";
import { knownAirline, knownAirlines } from "../../src/freight/references/awb-prefixes.ts";
import { sharedPath } from "../support/shared.ts";
import { forAll } from "../support/runs.ts";
import { column } from "../support/columns.ts";

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

test("whatever stands between its digits, a number is read as it is printed", () =>
  forAll(100, anyAwb, fc.array(separators, { minLength: 12, maxLength: 12 }), (awb, between) => {
    const written = between.map((separator, index) => separator + (awb[index] ?? "")).join("");
    assert.deepEqual(readAwb(written), { kind: "awb", awb, prefix: awb.slice(0, 3) });
    assert.deepEqual(readAwb(formatAwb(awb)), readAwb(awb));
  }));

test("every wrong check digit is refused, and the message gives the right one", () =>
  forAll(100, anyAwb, fc.integer({ min: 1, max: 9 }), (awb, by) => {
    const wrong = `${awb.slice(0, 10)}${(Number(awb[10]) + by) % 10}`;
    const reading = readAwb(wrong);
    assert.ok(reading.kind === "invalid");
    assert.match(reading.message, new RegExp(`last digit would be ${awb[10]};`));
    assert.equal(checkDigitOf(wrong), awb[10]);
  }));

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

/** The airlines that carry most of the world's air cargo, as forwarders know them. */
const CARGO = `
  001 AA, 006 DL, 014 AC, 016 UA, 020 LH, 023 FX, 045 LA, 047 TP, 055 AZ, 057 AF, 065 SV, 071 ET,
  072 GF, 074 KL, 075 IB, 077 MS, 079 PR, 080 LO, 081 QF, 086 NZ, 098 AI, 105 AY, 108 FI, 112 CK,
  114 LY, 117 SK, 125 BA, 126 GA, 129 MP, 131 JL, 139 AM, 141 FZ, 145 UC, 147 AT, 155 ES, 157 QR,
  160 CX, 172 CV, 176 EK, 180 KE, 189 JX, 205 NH, 217 TG, 229 KU, 230 CM, 232 MH, 235 TK, 272 K4,
  288 LD, 297 CI, 312 6E, 345 NC, 356 C8, 369 5Y, 403 PO, 406 5X, 412 VI, 416 N8, 463 ZP, 465 KC,
  479 ZH, 485 8V, 489 W8, 501 7L, 512 RJ, 549 M3, 555 SU, 574 4W, 576 GG, 577 AD, 580 RU, 603 UL,
  607 EY, 615 QY, 618 SQ, 672 BI, 695 BR, 700 5C, 706 KQ, 716 MB, 724 LX, 729 QT, 738 VN, 744 X7,
  752 X6, 756 3V, 771 J2, 781 MU, 784 CZ, 804 CF, 810 M6, 828 RH, 832 GB, 838 WS, 851 HX, 860 YG,
  865 M7, 871 Y8, 873 6R, 876 3U, 880 HU, 904 KD, 910 WY, 921 O3, 932 VS, 933 KZ, 936 D0, 957 JJ,
  976 L7, 988 OZ, 992 D5, 994 KJ, 996 UX, 997 BG, 999 CA
`;

test("the main cargo airlines are known by their prefixes", () => {
  for (const pair of CARGO.split(",")) {
    const [prefix = "", iata] = pair.trim().split(" ");
    assert.equal(knownAirline(prefix)?.iata, iata, prefix);
  }
  assert.deepEqual(knownAirline("023"), { prefix: "023", iata: "FX", name: "FedEx Express" });
});

test("the table has at least 300 prefixes, each once, in order, and well-formed", () => {
  const airlines = [...knownAirlines().values()];
  assert.ok(airlines.length >= 300, String(airlines.length));
  const prefixes = airlines.map(({ prefix }) => prefix);
  assert.deepEqual(prefixes, [...new Set(prefixes)].toSorted());
  const lines = readFileSync(new URL("../../src/freight/references/prefixes.csv", import.meta.url), "utf8");
  assert.equal(lines.trimEnd().split("\n").length, airlines.length + 1, "no prefix is there twice");
  for (const { prefix, iata, name } of airlines) {
    assert.match(prefix, /^[0-9]{3}$/);
    assert.match(iata, /^(?:[A-Z][A-Z0-9]|[0-9][A-Z])$/, prefix);
    assert.ok(/^\S.*\S$/.test(name) && name === name.normalize("NFC"), name);
  }
  assert.equal(knownAirline("000"), null);
  assert.equal(knownAirline("1761"), null);
});

/** Where the table says something else than the list that it began with, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "003": "Compass Airlines ended in 2020; CMA CGM Air Cargo has its prefix",
  "023": "FedEx; Air Panama issues no air waybills",
  "174": "LAS Cargo; Comores Aviation ended",
  "189": "V Air ended in 2016; Starlux has its prefix",
  "489": "Cargojet; CTS Viaggi is a travel agency",
  "506": "Norse Atlantic; Islena Airlines ended",
  "744": "Challenge Airlines BE; Air Tindi flies within Canada",
  "828": "Hong Kong Air Cargo; Um Air ended",
  "926": "Bamboo Airways; Air Uganda ended in 2014",
};

const list = sharedPath("reference/airline-awb-prefixes.csv");

test(
  "where the table differs from opentraveldata's list, there is a reason",
  { skip: list === null ? "opentraveldata's list is not beside the project" : false },
  () => {
    const listed = new Map<string, string[]>();
    for (const row of readFileSync(list ?? "", "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)) {
      const [prefix = "", iata = ""] = row.split(",");
      if (iata !== "") listed.set(prefix, [...(listed.get(prefix) ?? []), iata]);
    }
    const different = [...knownAirlines().values()].filter(({ prefix, iata }) => {
      const codes = listed.get(prefix);
      return codes !== undefined && !codes.includes(iata);
    });
    assert.deepEqual(column(different, "prefix"), Object.keys(DIFFERENT).toSorted());
  },
);
