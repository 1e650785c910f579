import assert from "node:assert/strict";
import { test } from "node:test";

import { readSizeType } from "../../src/model/size-type.ts";

for (const [written, feet, kind] of [
  ["40HC", "40", "HC"],
  ["40' hq", "40", "HC"],
  ["20’DV", "20", "GP"],
  ["20DC", "20", "GP"],
  ["20ST", "20", "GP"],
  ["20SD", "20", "GP"],
  ["45PWH", "45", "PWH"],
] as const) {
  test(`${written} is ${feet} feet of ${kind}`, () =>
    assert.deepEqual(readSizeType(written), { feet, kind }));
}

for (const written of ["", "HC40", "140HC", "40H", "40HCXX", "40HC1", "41HC", "40"]) {
  test(`"${written}" is no name of the trade`, () => assert.equal(readSizeType(written), null));
}
