import assert from "node:assert/strict";
import { test } from "node:test";

import { readImoNumber } from "../../src/freight/references/imo-number.ts";

for (const written of [
  "9321483",
  " 9321483 ",
  "IMO9321483",
  "IMO 9321483",
  "imo - 9321483",
  " IMO 9321483",
]) {
  test(`"${written}" is read as the number that it holds`, () =>
    assert.deepEqual(readImoNumber(written), { kind: "imo", imo: "9321483" }));
}

for (const written of [
  "",
  "932148",
  "93214830",
  "a9321483",
  "9321483a",
  "9IMO321483",
  "IMO",
  "IMO_9321483",
]) {
  test(`"${written}" is refused, and the message says what an IMO number is`, () =>
    assert.deepEqual(readImoNumber(written), {
      kind: "invalid",
      message: "must be an IMO number, seven digits such as 9321483",
    }));
}

test("a wrong check digit is refused, and the message names the right one", () =>
  assert.deepEqual(readImoNumber("IMO 9321484"), {
    kind: "invalid",
    message: "must be an IMO number: the check digit of 932148 is 3, not 4",
  }));
