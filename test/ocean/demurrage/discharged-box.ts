/** Boxes ashore and tariffs, made by hand. */
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import type { DischargedBox } from "../../../src/products/ocean/demurrage/free-time.ts";
import type { Tariff } from "../../../src/products/ocean/demurrage/tariff.ts";
import type { ContainerStatus } from "../../../src/products/ocean/event-data.ts";
import { event } from "../event.ts";

export function tariff(more: Partial<Tariff>): Tariff {
  return {
    carrier: "HRNL",
    port: null,
    equipment: null,
    freeDays: 5,
    dischargeDayCounts: false,
    days: "calendar",
    holidays: [],
    rates: [],
    validFrom: "2026-01-01",
    validTo: null,
    ...more,
  };
}

/** A box discharged at a port at a moment, and perhaps gone since. */
export function landed(
  unlocode: string,
  discharged: string,
  more: { readonly status?: ContainerStatus; readonly left?: string; readonly isoCode?: string } = {},
): DischargedBox {
  const disc = event("DISC", unlocode, Date.parse(discharged), isoCodeOf(more.isoCode));
  const left = more.left === undefined ? [] : [event("GTOT", unlocode, Date.parse(more.left))];
  return {
    equipment: "CSQU3054383",
    status: more.status ?? "discharged",
    timeline: [disc, ...left],
    milestones: left.map(({ at }) => ({
      key: "container_delivered::1",
      type: "container_delivered",
      from: "available",
      to: "delivered",
      at,
    })),
    discharge: disc.place,
    destination: disc.place,
    misrouting: null,
    isEndShown: true,
  };
}

function isoCodeOf(isoCode: string | undefined): Partial<CarrierEvent> {
  return isoCode === undefined ? {} : { isoCode };
}
