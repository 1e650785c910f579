/** What a carrier's callback names. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { referencesIn } from "../../../src/products/ocean/sources/dcsa/notification.ts";
import { DCSA_SPELLING } from "../../../src/freight/dcsa/spelling.ts";

test("a callback about a paper names the containers among its references", () => {
  const held = {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: "HOLD",
    documentTypeCode: "CUS",
    documentID: "C-77",
    eventDateTime: "2026-03-10T19:24:00Z",
    references: [
      { referenceType: "PO", referenceValue: "ORDER7" },
      { referenceType: "EQ", referenceValue: "CSQU 305438-3" },
      { referenceType: "EQ", referenceValue: "HRNU4000017" },
    ],
  };
  assert.deepEqual(referencesIn([held], DCSA_SPELLING), ["CSQU3054383", "HRNU4000017"]);
});
