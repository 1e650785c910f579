/** The published schema of deliveries, against bodies as they are sent and as they must not be. */
import assert from "node:assert/strict";
import { test } from "node:test";

import Schema from "typebox/schema";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { announcementOf } from "../../src/freight/announcements/entry.ts";
import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { products } from "../../src/products/index.ts";
import { PING_DATA } from "../../src/model/ping.ts";
import { tracking } from "../../src/products/ocean/catalogue.ts";
import { entryOn, PUBLICATION } from "../announcements/entries.ts";

const ID = "01900000-0000-7000-8000-000000000001";
const SHIPMENT = { container_id: ID, identifier: "MSCU1234566", identifier_type: "container_id" };
const STATUS = {
  ...SHIPMENT,
  previous_status: "in_transit",
  new_status: "arriving",
  eta: "2026-11-04T08:00:00Z",
  demurrage_days_overdue: null,
  demurrage_accrued_usd: null,
};

/** Of every type that ocean tracking sends. */
const DATA: Readonly<Record<string, object>> = {
  container_arrived: STATUS,
  container_available: STATUS,
  container_delivered: STATUS,
  customs_hold: STATUS,
  vessel_departed: STATUS,
  demurrage_started: STATUS,
  demurrage_warning: STATUS,
  eta_changed: { ...SHIPMENT, old_eta: null, new_eta: "2026-11-04T08:00:00.000Z", delta_hours: 30 },
  container_misrouted: { ...SHIPMENT, discharge_port: "NLRTM", expected_port: null },
  schedule_disruption: { ...SHIPMENT, kind: "slipped", headline: "Two days late.", delay_hours: 48 },
  shipment_updated: { ...SHIPMENT, changed_fields: ["eta", "vessel"] },
  api_change_announced: announcementOf(entryOn("2026-11-02"), PUBLICATION),
  ping: JSON.parse(PING_DATA) as object,
};

const schema = deliverySchema(tracking);
const validates = (body: unknown): boolean => Schema.Check(schema, body);
const sent = (type: string, data: object): Record<string, unknown> =>
  JSON.parse(buildDeliveryBody(ID, type, Date.UTC(2026, 10, 2), JSON.stringify(data))) as Record<
    string,
    unknown
  >;

test("every type that ocean tracking sends has a body here", () => {
  const types = tracking.catalogue.filter((type) => type.raised).map(({ name }) => name);
  assert.deepEqual(Object.keys(DATA).toSorted(), [...types, "ping"].toSorted());
});

for (const [type, data] of Object.entries(DATA)) {
  // spec 9: delivery_schema; 2.3: data; 2.4: additional_properties, ping
  test(`the schema takes ${type} as it is sent, with more in its data too, and not without its data`, () => {
    assert.ok(validates(sent(type, data)));
    assert.ok(validates(sent(type, { ...data, something_new: { of: ["ours"] } })));
    assert.ok(!validates(sent(type, {})));
    assert.ok(!validates({ ...sent(type, data), data: [data] }));
    assert.ok(!validates({ ...sent(type, data), data: null }));
  });

  test(`the schema takes the data of ${type} for no other shape's`, () => {
    for (const [other, otherData] of Object.entries(DATA)) {
      // Statuses share one shape, and a misrouting requires nothing beyond the shipment.
      if (otherData === data || other === "container_misrouted") continue;
      assert.ok(!validates(sent(other, data)), other);
    }
  });
}

const right = sent("container_arrived", STATUS);

for (const [what, wrong] of [
  ["a type that is not ocean's", { ...right, type: "awb_delivered" }],
  ["a fifth key", { ...right, sent_at: "2026-11-02T00:00:00Z" }],
  ["an id that is no UUID", { ...right, id: "1" }],
  ["a time with an offset", { ...right, occurred_at: "2026-11-02T00:00:00+00:00" }],
  ["a status that is none", { ...right, data: { ...STATUS, new_status: "lost" } }],
  ["an ETA in local time", { ...right, data: { ...STATUS, eta: "2026-11-04T08:00:00" } }],
  ["no type", { id: right["id"], occurred_at: right["occurred_at"], data: STATUS }],
  ["no object", []],
] as const) {
  // spec 2.3: four_keys, utc; 9: delivery_schema
  test(`the schema refuses a delivery with ${what}`, () => assert.ok(!validates(wrong)));
}

test("every product's schema names its own types alone, and all it refers to is in it", () => {
  for (const product of products) {
    const own = deliverySchema(product) as {
      properties: { type: { enum: string[] } };
      $defs: Record<string, object>;
    };
    const raised = product.catalogue.filter((type) => type.raised).map(({ name }) => name);
    assert.deepEqual(own.properties.type.enum, [...raised, "ping"]);
    for (const [, name] of JSON.stringify(own).matchAll(/"#\/\$defs\/(\w+)"/g)) assert.ok(own.$defs[name!]);
    assert.ok(Schema.Check(own, sent("ping", DATA["ping"]!)), product.tag);
  }
});
