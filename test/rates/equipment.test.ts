/** Equipment by ISO 6346, or by the trade's groups. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ValidationError } from "../../src/freight/tables/field.ts";
import { readEquipment } from "../../src/products/rates/lanes/equipment.ts";

const WRONG = "40XX 40ZZZ 40QQ 22G 22G11 22X1 02G1 21G1 22GZ HC40 40";

test("size and type codes are read as they are", () => {
  for (const code of [
    ..."22G1 42G1 45G1 L5G1 LEG1 L5R1 2EG1 4CG1 12G1 25G1 45R1 45R9 22R1 22RT 42RE 22HR 22H5 42H2".split(" "),
    ..."22U1 42UT 45U6 22P1 42P3 42PL 48P0 49PL 22PF 42PC 42PS 22T0 22T6 22TN 22K2 22K8 22KL 22N0".split(" "),
    ..."22NH 22V0 22VH 22B0 22BU 22BK 20BK 22S1 42SN 40AS 42A0 22GB 42GY M5G1 P5G1 N5G1 K2P1 40GP".split(" "),
  ])
    assert.equal(readEquipment(code), code);
});

test("the trade's groups are read as it writes them", () => {
  const written = ["40hc", "40' HQ", "40HQ", "20DC", "20DV", "20ST", "20SD", "40RF", "40RH"];
  assert.equal(written.map(readEquipment).join(" "), "40HC 40HC 40HC 20GP 20GP 20GP 20GP 40RF 40RH");
  for (const group of "40NOR 20OT 40FR 20TK 45PW 53HC".split(" ")) assert.equal(readEquipment(group), group);
});

test("what is no equipment is refused, and the answer shows what is", () => {
  const isRefused = (error: unknown) =>
    error instanceof ValidationError && /^must be an ISO 6346 .*22G1.*40HC.*, not "/.test(error.message);
  for (const wrong of WRONG.split(" ")) assert.throws(() => readEquipment(wrong), isRefused, wrong);
});
