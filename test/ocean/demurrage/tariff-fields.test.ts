/** How a tariff's fields are written. */
import assert from "node:assert/strict";
import test from "node:test";

import { equipmentText, readEquipment } from "../../../src/products/ocean/demurrage/read-tariffs.ts";

test("equipment is listed as it may be written", () => {
  for (const written of ["20ft", "40ft", "45ft", "45R", "22G1"]) {
    assert.equal(equipmentText(readEquipment(written) ?? ""), written);
  }
});
