/** What events are found by, in whatever form it is written. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createReferenceReader, normalizeReference, wantedReference } from "../../src/model/references.ts";
import { products } from "../../src/products/index.ts";

describe("a reference", () => {
  for (const [written, normalized] of [
    ["mscu 123456-6", "MSCU1234566"],
    ["176-1234 5675", "17612345675"],
    ["CNSHA → NLRTM", "CNSHANLRTM"],
    ["ＭＳＣＵ１２３４５６６", "MSCU1234566"],
    ["Málaga, week 48", "MÁLAGAWEEK48"],
    [" -/\0\ud800 ", ""],
    ["x".repeat(200), "X".repeat(64)],
  ] as const)
    test(`is the same however it is written: ${JSON.stringify(written)}`, () =>
      assert.equal(normalizeReference(written), normalized));

  test("is looked for as a beginning from four letters and digits on", () => {
    assert.deepEqual(wantedReference("ms-cu"), { text: "MSCU", isWhole: false });
    assert.deepEqual(wantedReference("48W"), { text: "48W", isWhole: true });
    assert.equal(wantedReference(undefined), null);
  });
});

describe("what an event is found by", () => {
  const referencesOf = createReferenceReader(products);

  test("is what its data says, each once", () => {
    const data = { identifier: "MSCU1234566", equipment_reference: "MSCU 123456 6" };
    assert.deepEqual(referencesOf("tracking", "container_arrived", data), ["MSCU1234566"]);
    assert.deepEqual(referencesOf("rates", "lane_rate_updated", { origin: "CNSHA", equipment: "40HC" }), []);
    assert.deepEqual(referencesOf("air", "awb_accepted", {}), []);
    assert.deepEqual(referencesOf("other", "type", { awb: "1" }), []);
  });

  for (const { tag, catalogue } of products)
    test(`is in the examples of ${tag}`, () => {
      const found = catalogue.filter(({ name, example }) => referencesOf(tag, name, example).length === 0);
      assert.deepEqual(
        found.map(({ name }) => name),
        tag === "tracking" ? ["api_change_announced"] : [],
      );
    });
});
