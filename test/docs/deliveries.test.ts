/** The events that the guides of the products show are what the products' schemas say. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Compile } from "typebox/schema";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { products } from "../../src/products/index.ts";
import { column } from "../support/columns.ts";

/** What each guide shows one of, as a whole delivery or its data alone. */
const SHOWN: readonly (readonly [tag: string, page: string, types: readonly string[]])[] = [
  ["tracking", "tracking.md", ["eta_changed"]],
  ["air", "air-tracking.md", ["awb_arrived"]],
  [
    "schedules",
    "schedules.md",
    ["blank_sailing", "sailing_slipped", "cutoff_approaching", "reliability_drop"],
  ],
  ["rates", "rates.md", ["lane_rate_updated", "index_refreshed"]],
  ["loading", "load-planning.md", ["plan_created"]],
  ["operations", "operational-events.md", ["endpoint_disabled"]],
];

const ANY_ID = "01900000-0000-7000-8000-000000000001";

const objectsOn = (page: string): readonly object[] =>
  [
    ...readFileSync(join(import.meta.dirname, "../../docs", page), "utf8").matchAll(
      /^```json\n(\{.*?)^```/gms,
    ),
  ].map(([, json = ""]) => JSON.parse(json) as object);

for (const [tag, page, types] of SHOWN) {
  const product = products.find((one) => one.tag === tag)!;
  const validator = Compile(deliverySchema(product));
  for (const type of types) {
    test(`${page} shows ${type} as its schema says`, () => {
      const deliveries = objectsOn(page).map((shown): unknown =>
        "type" in shown && "data" in shown
          ? shown
          : JSON.parse(buildDeliveryBody(ANY_ID, type, 0, JSON.stringify(shown))),
      );
      const isShown = deliveries.some(
        (one) => (one as { type: string }).type === type && validator.Check(one),
      );
      assert.ok(isShown, `none of ${deliveries.length}`);
    });
  }
}

test("every product has a guide that shows one", () =>
  assert.deepEqual(
    SHOWN.map(([tag]) => tag),
    column(products, "tag"),
  ));
