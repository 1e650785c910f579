/**
 * The payload types against the catalogue: names at run time; shapes by the compiler, which reads this
 * file in the type check.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Static } from "typebox";

import type { Delivery, DeliveryOf, EventData, EventType } from "../../packages/receiver/src/delivery.ts";
import type { ContainerStatus } from "../../packages/receiver/src/ocean.ts";
import { products } from "../../src/products/index.ts";
import { ping } from "../../src/model/ping.ts";
import type * as loading from "../../src/products/loading/event-data.ts";
import type * as rates from "../../src/products/rates/event-data.ts";
import type * as schedules from "../../src/products/schedules/event-data.ts";
import type * as catalogue from "../../src/products/ocean/event-data.ts";

const typed: { readonly [Type in EventType]: true } = {
  container_arrived: true,
  container_available: true,
  container_delivered: true,
  customs_hold: true,
  vessel_departed: true,
  demurrage_started: true,
  demurrage_warning: true,
  eta_changed: true,
  container_misrouted: true,
  schedule_disruption: true,
  shipment_updated: true,
  api_change_announced: true,
  awb_accepted: true,
  awb_in_transit: true,
  awb_arrived: true,
  awb_available: true,
  awb_delivered: true,
  awb_departed: true,
  blank_sailing: true,
  cutoff_approaching: true,
  sailing_slipped: true,
  reliability_drop: true,
  lane_rate_updated: true,
  index_refreshed: true,
  plan_created: true,
  plan_updated: true,
  endpoint_failing: true,
  endpoint_disabled: true,
  endpoint_recovered: true,
  delivery_dead: true,
  source_down: true,
  source_recovered: true,
  ping: true,
};

describe("the payload types", () => {
  it("name every event of every catalogue, and no other", () => {
    const named = [...products.flatMap((product) => product.catalogue), ping].map(({ name }) => name);
    assert.deepEqual(Object.keys(typed).toSorted(), named.toSorted());
  });

  it("narrow data by type", () => {
    const delivery = {
      id: "019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01",
      type: "eta_changed",
      occurred_at: "2026-11-20T08:15:00.000Z",
      data: { container_id: "019a9c1e-0000-7000-8000-00000000c0de", new_eta: null, added_later: 1 },
    } satisfies Delivery;
    assert.equal(etaOf(delivery), null);
  });
});

function etaOf(delivery: Delivery): string | null | undefined {
  switch (delivery.type) {
    case "eta_changed":
      return delivery.data.new_eta satisfies string | null;
    case "container_available":
      delivery.data.new_status satisfies ContainerStatus;
      // @ts-expect-error -- optional, and null when there is none
      delivery.data.eta satisfies string;
      return delivery.data.eta;
    case "shipment_updated":
      // @ts-expect-error -- no such field can change
      delivery.data.changed_fields.includes("colour");
      return null;
    case "schedule_disruption":
      // @ts-expect-error -- one of two kinds
      delivery.data.kind satisfies "slipped";
      return null;
    case "awb_arrived":
      delivery.data.awb satisfies string;
      // @ts-expect-error -- unknown until it is checked: a property that may come later
      delivery.data["gate"] satisfies string;
      return null;
    default:
      return null;
  }
}

/** True where what the service may raise is what the receiver's types say. */
type Fits<Raised, Typed> = Raised extends Typed ? true : { readonly differs: [Raised, Typed] };

({
  container_available: true,
  eta_changed: true,
  container_misrouted: true,
  schedule_disruption: true,
  shipment_updated: true,
  api_change_announced: true,
  blank_sailing: true,
  sailing_slipped: true,
  cutoff_approaching: true,
  reliability_drop: true,
  lane_rate_updated: true,
  index_refreshed: true,
  plan_created: true,
}) satisfies {
  container_available: Fits<Static<typeof catalogue.StatusData>, EventData["container_available"]>;
  eta_changed: Fits<Static<typeof catalogue.EtaChangedData>, EventData["eta_changed"]>;
  container_misrouted: Fits<Static<typeof catalogue.MisroutedData>, EventData["container_misrouted"]>;
  schedule_disruption: Fits<
    Static<typeof catalogue.ScheduleDisruptionData>,
    EventData["schedule_disruption"]
  >;
  shipment_updated: Fits<Static<typeof catalogue.ShipmentUpdatedData>, EventData["shipment_updated"]>;
  api_change_announced: Fits<Static<typeof catalogue.ApiChangeData>, EventData["api_change_announced"]>;
  blank_sailing: Fits<Static<typeof schedules.BlankSailingData>, EventData["blank_sailing"]>;
  sailing_slipped: Fits<Static<typeof schedules.SailingSlippedData>, EventData["sailing_slipped"]>;
  cutoff_approaching: Fits<Static<typeof schedules.CutOffApproachingData>, EventData["cutoff_approaching"]>;
  reliability_drop: Fits<Static<typeof schedules.ReliabilityDropData>, EventData["reliability_drop"]>;
  lane_rate_updated: Fits<Static<typeof rates.LaneRateUpdatedData>, EventData["lane_rate_updated"]>;
  index_refreshed: Fits<Static<typeof rates.IndexRefreshedData>, EventData["index_refreshed"]>;
  plan_created: Fits<Static<typeof loading.LoadPlanData>, EventData["plan_created"]>;
};

// @ts-expect-error -- `new_status` is required
({ container_id: "", previous_status: "unknown" }) satisfies EventData["customs_hold"];
// @ts-expect-error -- the type decides the data
({ id: "", type: "ping", occurred_at: "", data: {} }) satisfies DeliveryOf<"ping">;
