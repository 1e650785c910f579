/** The JSON that the guides show: what it may be, and how it differs from a real answer. */
import { Compile } from "typebox/schema";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { products } from "../../src/products/index.ts";
import { readAisFile } from "../../src/products/ocean/sources/ais/ais-file.ts";
import { readCarriers } from "../../src/products/ocean/sources/carriers.ts";
import { readFeeds } from "../../src/products/schedules/sources/feeds-file.ts";
import type { Block } from "./examples.ts";

/** What another test holds against the code, by the page and the beginning of the block. */
const HELD_ELSEWHERE: readonly (readonly [page: string, start: RegExp, test: string])[] = [
  ["README.md", /^\{"id":"…"/, "a delivery with its parts left out"],
  [
    "docs/airlines.md",
    /^\{\s+"kind":"(fsr|mapped)"/,
    "test/air/airlines-file.test.ts, test/air/mapped.test.ts",
  ],
  ["docs/airlines.md", /^\{"shipment"/, "test/air/mapped.test.ts"],
  ["docs/airlines.md", /^(?:\{"shipmentTrackingStatus"|\[\{"awb")/, "test/air/catalogue/documented.test.ts"],
  ["docs/announcements.md", /^\{\s+"id"/, "test/announcements/changelog.test.ts"],
  ["docs/carriers.md", /^"assertion"/, "test/upstream/assertion.test.ts"],
  ["docs/carriers.md", /^"signature"/, "test/ocean/sources/signed-questions.test.ts"],
  ["docs/carriers.md", /^"spelling"/, "test/ocean/sources"],
  ["docs/operations.md", /^\{"event":"listening"/, "test/service/serve.test.ts"],
  ["docs/operator-api.md", /^\{/, "test/operator/routes.test.ts"],
  ["docs/schedules.md", /^\[/, "test/schedules/sources/samples.test.ts"],
  ["docs/tracking.md", /^"last_failure"/, "test/http/ocean.test.ts"],
];

/** Whether it is an event, a file that the service reads, or held by another test; else it is an answer. */
export function isKnownJson({ page, code }: Block): boolean {
  if (HELD_ELSEWHERE.some(([of, start]) => of === page && start.test(code))) return true;
  return isEvent(JSON.parse(code)) || READERS.some((reads) => reads(code));
}

const READERS: readonly ((text: string) => boolean)[] = [
  (text) => readCarriers(text).kind === "entries",
  (text) => readAirlines(text).kind === "entries",
  (text) => readFeeds(text).kind === "entries",
  (text) => readAisFile(text).kind !== "invalid",
];

const DELIVERIES = products.map((product) => ({
  types: product.catalogue.map(({ name }) => name),
  validator: Compile(deliverySchema(product)),
}));

/** A delivery, or the data of one. */
function isEvent(shown: object): boolean {
  if ("type" in shown && "data" in shown) return DELIVERIES.some(({ validator }) => validator.Check(shown));
  const data = JSON.stringify(shown);
  return DELIVERIES.some(({ types, validator }) =>
    types.some((type) => validator.Check(JSON.parse(buildDeliveryBody(ANY_ID, type, 0, data)))),
  );
}

const ANY_ID = "01900000-0000-7000-8000-000000000001";
