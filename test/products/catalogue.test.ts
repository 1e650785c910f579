import assert from "node:assert/strict";
import { test } from "node:test";

import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";

/** The accepted values of spec 6.2. */
const SUBSCRIBABLE: Readonly<Record<string, string>> = {
  tracking:
    "container_arrived container_available container_delivered customs_hold vessel_departed eta_changed " +
    "container_misrouted demurrage_started demurrage_warning schedule_disruption api_change_announced",
  air: "awb_accepted awb_in_transit awb_arrived awb_available awb_delivered awb_departed",
  schedules: "blank_sailing cutoff_approaching sailing_slipped reliability_drop",
  rates: "lane_rate_updated index_refreshed",
  loading: "plan_created plan_updated",
  operations:
    "endpoint_failing endpoint_disabled endpoint_recovered delivery_dead source_down source_recovered",
};

const product = (tag: string): Product => products.find((candidate) => candidate.tag === tag)!;

// spec 6.2: api_change_announced, awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered
// spec 6.2: awb_departed; 1: products
test("every product offers the event types of the specification, one more those of operations, and no others", () => {
  const offered = products.map(({ tag, catalogue }) => [
    tag,
    catalogue.flatMap((type) => (type.subscribable ? [type.name] : [])).join(" "),
  ]);
  assert.deepEqual(Object.fromEntries(offered), SUBSCRIBABLE);
});

// spec 6.2: shipment_updated, awb_departed
test("shipment_updated is raised and offered to nobody, awb_departed offered and raised by nobody", () => {
  const updated = product("tracking").catalogue.find((type) => !type.subscribable);
  assert.deepEqual([updated!.name, updated!.raised], ["shipment_updated", true]);
  const departed = product("air").catalogue.find((type) => !type.raised);
  assert.equal(departed!.name, "awb_departed");
});

// spec 1: differences; 4.1: envelope_ok, envelope_data; 5: prefixes
test("keys, entitlements, envelopes and versions are those of the design", () => {
  const facts = products.map(({ tag, headerTag, keyPrefixes, entitlement, envelope, versions }) =>
    [tag, headerTag, keyPrefixes.join("+"), entitlement, envelope, versions.join(" ")].join(" | "),
  );
  assert.deepEqual(facts, [
    "tracking | Tracking | tracking |  | ok-and-data | 2026-06-01 2026-08-19",
    "air | Air | tracking | aircargo | data-only | ",
    "schedules | Schedules | schedules |  | ok-and-data | ",
    "rates | Rates | rates+tracking | freightrates | data-only | ",
    "loading | Loading | loading | loading | ok-and-data | ",
    "operations | Operations | tracking+schedules+rates+loading |  | ok-and-data | ",
  ]);
});
