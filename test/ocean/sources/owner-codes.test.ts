import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { carrierNamed, likelyCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { BILL_PREFIXES, ownersOf, sameLineAs } from "../../../src/freight/references/owner-codes.ts";
import { sharedPath } from "../../support/shared.ts";
import { HERON, TERN } from "../shipping-lines.ts";

test("the owners of well-known containers are known, and a lessor's says nothing", () => {
  const owners = {
    MSKU: "MAEU",
    MRKU: "MAEU",
    MEDU: "MSCU",
    CMAU: "CMDU",
    APHU: "CMDU",
    CSLU: "COSU",
    OOLU: "OOLU",
    HLXU: "HLCU",
    UACU: "HLCU",
    NYKU: "ONEY",
    EISU: "EGLV",
    HMMU: "HDMU",
    YMMU: "YMLU",
    ZCSU: "ZIMU",
    WHSU: "WHLC",
  };
  for (const [code, scac] of Object.entries(owners)) assert.ok(ownersOf(code).includes(scac), code);
  for (const lessor of ["TCLU", "TEMU", "TGHU", "CAIU", "TRHU", "FCIU", "BMOU", "SEGU"]) {
    assert.deepEqual(ownersOf(lessor), [], lessor);
  }
});

test("a SCAC stands for one line, and its bills begin with it", () => {
  assert.equal(new Set(BILL_PREFIXES).size, BILL_PREFIXES.length);
  for (const scac of BILL_PREFIXES) {
    assert.match(scac, /^[A-Z]{4}$/);
    assert.ok(sameLineAs(scac).includes(scac));
  }
  assert.deepEqual(sameLineAs("HRNL"), ["HRNL"]);
});

test("a hint finds its carrier by SCAC, then by the bills' prefix, then by the line", () => {
  const msc = { ...HERON, scac: "MSCU" };
  const carriers = [{ ...HERON, billPrefixes: ["TRNC"] }, TERN, msc];
  assert.equal(carrierNamed(carriers, "TRNC"), TERN);
  assert.equal(carrierNamed(carriers.slice(0, 1), "TRNC"), carriers[0]);
  assert.equal(carrierNamed(carriers, "MEDU"), msc);
  assert.equal(carrierNamed(carriers, "MAEU"), null);
});

test("a hint may be any code that a line is known by: another SCAC, or how its containers begin", () => {
  const lines = {
    MAEU: ["MAEI", "SEJJ", "SEAU", "MSKU"],
    CMDU: ["CHNL", "ANNU", "CMAU"],
    HLCU: ["HLXU"],
    EGLV: ["EISU", "EMCU"],
    ONEY: ["NYKU"],
  };
  const carriers = Object.keys(lines).map((scac) => ({ ...HERON, scac }));
  for (const [scac, codes] of Object.entries(lines)) {
    for (const code of codes) assert.equal(carrierNamed(carriers, code)?.scac, scac, code);
  }
  assert.equal(carrierNamed(carriers, "TCLU"), null, "a lessor's");
});

test("no line's containers begin with the SCAC of another", () => {
  for (const scac of BILL_PREFIXES) {
    const owners = ownersOf(scac);
    assert.ok(owners.length === 0 || owners.includes(scac), scac);
  }
});

test("what the configuration says of a reference comes before what is known of the main lines", () => {
  const maersk = { ...HERON, scac: "MAEU" };
  const feeder = { ...TERN, ownerCodes: ["MSKU"] };
  assert.deepEqual(likelyCarriers([maersk, HERON, feeder], "MSKU1234565"), [feeder, maersk]);
  assert.deepEqual(likelyCarriers([maersk, HERON, feeder], "MAEU123456789"), [maersk]);
  assert.deepEqual(likelyCarriers([maersk, HERON, feeder], "123456789"), []);
});

const list = sharedPath("reference/dcsa-carriers.csv");

test(
  "the carriers of DCSA's list are known by their SCACs",
  { skip: list === null ? "DCSA's list is not beside the project" : false },
  () => {
    const rows = readFileSync(list ?? "", "utf8")
      .split(/\r?\n/)
      .slice(1)
      .filter((row) => row !== "");
    for (const row of rows) assert.ok(BILL_PREFIXES.includes(row.slice(-4)), row);
  },
);
