/** What each route is asked for its example. What the world lacks is made here, by the API. */
import { products } from "../../src/products/index.ts";
import { ask, type Request, type Scene } from "./api.ts";

type Asked = Request & { readonly texts?: Readonly<Record<string, string>> };
type Ask = (scene: Scene) => Asked | Promise<Asked>;

/** A container and a waybill of the world; `try` has others tracked. */
const CONTAINER = "AVCU0003377";
const WAYBILL = "94110000546";

const CARTON = { id: "carton", length_mm: 400, width_mm: 300, height_mm: 250, weight_kg: 12, count: 48 };
const PLAN = {
  name: "Order 4711",
  cargo: [
    { id: "pallet", length_mm: 1200, width_mm: 800, height_mm: 1000, weight_kg: 400, count: 20 },
    { ...CARTON, palletised: true },
  ],
  containers: [{ type: "40HC", count: 2, cost: 2300 }],
  max_off_centre: { length: 0.05, width: 0.05 },
  vehicle: {
    kingpin_mm: 700,
    axle_groups: [
      { name: "steer", position_mm: -2300, tare_kg: 5300, max_kg: 8000 },
      { name: "drive", position_mm: 1300, tare_kg: 3400, max_kg: 11_500 },
      { name: "trailer", position_mm: 8700, tare_kg: 3800, max_kg: 24_000 },
    ],
  },
  pallet: { type: "EUR", height_mm_max: 1800, max_load_kg: 1000 },
};

const FSU = "FSU/14\r\n940-10000841AMSJFK/T10K250\r\nRCF/6Q8045/01NOV1230/JFK/T10K250";
const RATE = {
  ...{ origin: "CNSHA", destination: "SGSIN", equipment: "40HC" },
  ...{ currency: "USD", valid_from: "2026-11-01", base: "900.00" },
};
const TARIFF = {
  ...{ carrier: "AVCT", port: "NLRTM", equipment: "40ft", free_days: 5, valid_from: "2026-01-01" },
  rates: [{ from_day: 1, usd: 75 }],
};
const EXCHANGE_RATE = { source: "ECB", base: "EUR", currency: "USD", date: "2026-11-20", rate: "1.1302" };
const INDEX = {
  ...{ id: "far-east", name: "Far East", currency: "USD", base_date: "2026-11-01" },
  lanes: [{ origin: "CNSHA", destination: "SGSIN", equipment: "40HC", weight: "1" }],
};

const firstType = (tag: string) => products.find((one) => one.tag === tag)!.catalogue[0]!;
const own = ({ answered }: Scene) => answered("POST /v1/webhooks").data.id as string;
const ofEndpoint: Ask = (scene) => ({ parameters: { id: own(scene) } });
const account = ({ answered }: Scene) => answered("POST /v1/accounts").id as string;
const ofAccount: Ask = (scene) => ({ parameters: { id: account(scene) } });
const ofListed =
  (route: string, list: string, named: "id" | "reference" = "id"): Ask =>
  ({ answered }) => ({ parameters: { [named]: answered(route)[list][0].id } });
const ofData =
  (route: string): Ask =>
  ({ answered }) => ({ parameters: { id: answered(route).data[0].id } });
const ofPlan: Ask = ({ answered }) => ({ parameters: { id: answered("POST /v1/plans").data.id } });
const ofWaybill: Ask = () => ({ parameters: { awb: WAYBILL } });
/** Of the port calls, the first of which the page has something in `list`, if any has yet. */
const ofPortCall =
  (path: string, parameter: string, field: string, list: string): Ask =>
  async ({ api, answered }) => {
    const calls = answered("GET /public/port-calls").data as readonly Readonly<Record<string, string>>[];
    const values = calls.map((call) => call[field]!);
    for (const value of values) {
      type Page = { readonly data: Readonly<Record<string, readonly object[]>> };
      const { data } = await ask<Page>(api, "GET", path.replace(`{${parameter}}`, value));
      if (data[list]!.length > 0) return { parameters: { [parameter]: value } };
    }
    return { parameters: { [parameter]: values[0]! } };
  };

export const OF_PRODUCTS: Readonly<Record<string, Ask>> = {
  // However few there are, there is a next page.
  "GET /v1/deliveries": () => ({ parameters: { limit: 1 } }),
  "GET /v1/events": () => ({ parameters: { limit: 1, include_deliveries: "true" } }),
  "POST /v1/webhooks": ({ world, api }) => ({
    body: {
      url: `${world.RECEIVER}/webhooks`,
      event_types: [firstType(api.name).name],
      description: "our warehouse",
    },
  }),
  "GET /v1/webhooks/{id}": ofEndpoint,
  "PATCH /v1/webhooks/{id}": async (scene) => ({
    ...(await ofEndpoint(scene)),
    body: { description: "our other warehouse", active: true },
  }),
  "DELETE /v1/webhooks/{id}": ofEndpoint,
  "POST /v1/webhooks/{id}/test": async (scene) => ({
    ...(await ofEndpoint(scene)),
    body: { event_type: firstType(scene.api.name).name },
  }),
  "GET /v1/webhooks/{id}/deliveries": async (scene) => {
    await ask(scene.api, "POST", `/v1/webhooks/${own(scene)}/test`, {
      event_type: firstType(scene.api.name).name,
    });
    return { parameters: { id: own(scene), limit: 1, status: "delivered" } };
  },
  "GET /v1/webhooks/{id}/deliveries/{delivery_id}": (scene) => ({
    parameters: { id: own(scene), delivery_id: scene.answered("POST /v1/webhooks/{id}/test").data.id },
  }),
  "GET /v1/events/stream": async ({ api }) => {
    const events = await ask<{ data: { id: string }[] }>(api, "GET", "/v1/events");
    return { parameters: { "last-event-id": events.data.at(-1)!.id } };
  },
  "GET /v1/find": () => ({ parameters: { q: "our warehouse" } }),
  "POST /v1/portal/session": ({ api }) => ({ body: { key: api.key } }),

  "POST /v1/containers": () => ({ body: { reference: CONTAINER, carrier: "AVCT" } }),
  "GET /v1/containers/{id}": ofData("GET /v1/containers"),
  "POST /v1/containers/{id}/recheck": ({ answered }) => ({
    parameters: { id: answered("POST /v1/containers").id },
  }),
  "DELETE /v1/containers/{id}": ({ answered }) => ({
    parameters: { id: answered("POST /v1/containers").id },
  }),
  "GET /public/containers/{reference}": () => ({ parameters: { reference: "AVCU0000085" } }),

  "GET /track/{awb}": ofWaybill,
  "DELETE /track/{awb}": ofWaybill,
  "GET /v1/waybills/{awb}": ofWaybill,
  "GET /public/airlines/{prefix}": () => ({ parameters: { prefix: WAYBILL.slice(0, 3) } }),

  "GET /public/port-calls/{id}/history": ofPortCall("/public/port-calls/{id}/history", "id", "id", "changes"),
  "GET /public/vessels/{imo}": ofPortCall("/public/vessels/{imo}", "imo", "vessel_imo", "previous"),

  "GET /v1/lanes/{id}": ofData("GET /v1/lanes"),
  "GET /v1/lanes/{id}/history": ofData("GET /v1/lanes"),
  "GET /v1/indices/{id}": () => ({ parameters: { id: "try-asia" } }),

  "POST /v1/plans": () => ({ body: PLAN }),
  "GET /v1/plans/{id}": ofPlan,
  "PUT /v1/plans/{id}": async (scene) => ({ ...(await ofPlan(scene)), body: PLAN }),
  "DELETE /v1/plans/{id}": ofPlan,
};

/** In this order: what makes something goes before what removes it. */
export const OF_OPERATOR: Readonly<Record<string, Ask>> = {
  "GET /healthz": () => ({}),
  "GET /readyz": () => ({}),
  "GET /metrics": () => ({}),
  "POST /v1/session": ({ api }) => ({ body: { token: api.key } }),
  "DELETE /v1/session": () => ({}),
  "POST /v1/accounts": () => ({
    body: { name: "Acme Forwarding", entitlements: ["aircargo", "freightrates"] },
  }),
  "GET /v1/accounts": () => ({}),
  "GET /v1/find": () => ({ parameters: { q: "Acme" } }),
  "GET /v1/accounts/{id}": ofAccount,
  "PATCH /v1/accounts/{id}": async (scene) => ({
    ...(await ofAccount(scene)),
    body: { demurrage_alerting: true },
  }),
  "POST /v1/accounts/{id}/keys": async (scene) => ({
    ...(await ofAccount(scene)),
    body: { prefix: "tracking", label: "production" },
  }),
  "GET /v1/accounts/{id}/keys": ofAccount,
  "DELETE /v1/keys/{id}": ({ answered }) => ({
    parameters: { id: answered("POST /v1/accounts/{id}/keys").id },
  }),
  "POST /v1/accounts/{id}/portal-links": async (scene) => ({
    ...(await ofAccount(scene)),
    body: { product: "tracking", expires_in_seconds: 300, theme: "dark" },
  }),
  "GET /v1/accounts/{id}/portal-links": ofAccount,
  "DELETE /v1/accounts/{id}/portal-links/{link_id}": (scene) => ({
    parameters: {
      id: account(scene),
      link_id: scene.answered("POST /v1/accounts/{id}/portal-links").id,
    },
  }),
  "POST /v1/events": ({ world }) => {
    const { name: type, example: data } = firstType("tracking");
    const event = { product: "tracking", account_id: world.ACCOUNT, type, data, dedup_key: "move-4711" };
    return { body: { events: [event] } };
  },
  "GET /v1/events": () => ({}),
  "GET /v1/events/{id}": ofListed("GET /v1/events", "events"),
  "GET /v1/endpoints": () => ({}),
  "GET /v1/endpoints/failing": () => ({}),
  "GET /v1/endpoints/{id}": ofListed("GET /v1/endpoints", "endpoints"),
  "GET /v1/endpoints/{id}/health": ofListed("GET /v1/endpoints/failing", "endpoints"),
  "POST /v1/endpoints/{id}/enable": ofListed("GET /v1/endpoints", "endpoints"),
  "GET /v1/deliveries": () => ({}),
  "GET /v1/deliveries/{id}": async ({ api }) => {
    // The newest one may be to an endpoint that is off.
    type Listed = { readonly id: string };
    const { deliveries } = await ask<{ deliveries: Listed[] }>(api, "GET", "/v1/deliveries?status=delivered");
    return { parameters: { id: deliveries[0]!.id } };
  },
  "GET /v1/deliveries/{id}/body": ofListed("GET /v1/deliveries", "deliveries"),
  "GET /v1/deliveries/{id}/signature": ofListed("GET /v1/deliveries", "deliveries"),
  "GET /v1/status": () => ({}),
  "GET /v1/history": () => ({}),
  "GET /v1/live": () => ({}),
  "GET /v1/settings": () => ({}),
  "GET /v1/sources": () => ({}),
  "GET /v1/sources/{id}": ofListed("GET /v1/sources", "sources"),
  "GET /v1/migrations": () => ({}),
  "GET /v1/cells": () => ({}),
  "POST /v1/cells/{number}/close": () => ({ parameters: { number: "0" } }),
  "POST /v1/cells/{number}/open": () => ({ parameters: { number: "0" } }),
  "POST /v1/vessels/positions": async ({ world }) => {
    const tracking = { url: `${world.API}/tracking`, key: world.KEY };
    type Position = { readonly vessel: { readonly imo: string } | null };
    const { data } = await ask<{ data: Position[] }>(tracking, "GET", "/v1/containers/positions");
    const imo = data.find(({ vessel }) => vessel !== null)?.vessel?.imo ?? "9321483";
    const status = "At anchor";
    const at = new Date(Date.now() - 1_000).toISOString();
    return { body: { positions: [{ imo, status, at, latitude: 29.41, longitude: 122.93, course: 104.2 }] } };
  },
  "GET /v1/containers": ({ world }) => ({ parameters: { account_id: world.ACCOUNT } }),
  "GET /v1/containers/{reference}": ofListed("GET /v1/containers", "containers", "reference"),
  "POST /v1/containers/{reference}/recheck": ofListed("GET /v1/containers", "containers", "reference"),
  "DELETE /v1/containers/{reference}": ofListed("GET /v1/containers", "containers", "reference"),
  "GET /v1/waybills": ({ world }) => ({ parameters: { account_id: world.ACCOUNT, limit: 1 } }),
  "GET /v1/waybills/{reference}": ofListed("GET /v1/waybills", "waybills", "reference"),
  "DELETE /v1/waybills/{reference}": ofListed("GET /v1/waybills", "waybills", "reference"),
  "GET /v1/plans": async ({ world }) => {
    await ask({ url: `${world.API}/loading`, key: world.LOADING_KEY }, "POST", "/v1/plans", PLAN);
    return { parameters: { account_id: world.ACCOUNT } };
  },
  "POST /v1/tracking/milestones": () => ({
    parameters: { source: "edi-provider" },
    body: {
      milestones: ["HRNU4000017", "HRNU4000018"].map((container) => ({
        ...{ container, milestone: "gate_in", time: "2026-11-21T08:00:00Z", location: "NLRTM" },
      })),
    },
  }),
  "POST /v1/air/messages": () => ({
    body: { messages: [FSU, "FSU/14\r\n940-1"] },
    texts: {
      "text/plain": FSU,
      "message/rfc822": `From: cargo@kite.example\r\nSubject: FSU\r\nMIME-Version: 1.0\r\n\r\n${FSU}`,
      "application/xml": `<Inbox><Message>${FSU}</Message></Inbox>`,
    },
  }),
  "POST /v1/schedules/{feed}": () => ({
    parameters: { feed: "myna-ports" },
    body: [
      {
        location: { UNLocationCode: "SGSIN" },
        vesselSchedules: [
          {
            vessel: { vesselIMONumber: "9321483", name: "HERON DAWN" },
            servicePartners: [
              { carrierCode: "MYNA", carrierServiceCode: "M1", carrierExportVoyageNumber: "914E" },
            ],
            timestamps: [
              {
                eventTypeCode: "DEPA",
                eventClassifierCode: "EST",
                eventDateTime: "2026-12-03T21:00:00+08:00",
              },
            ],
          },
        ],
      },
    ],
  }),
  "GET /v1/schedules/feeds": () => ({}),
  "GET /v1/schedules/calls": () => ({}),
  "GET /v1/schedules/calls/{id}": ofListed("GET /v1/schedules/calls", "calls"),
  "POST /v1/tariffs": () => ({ body: { tariffs: [TARIFF] } }),
  "GET /v1/tariffs": () => ({}),
  "DELETE /v1/tariffs/{id}": ofListed("GET /v1/tariffs", "tariffs"),
  "POST /v1/rates": () => ({ body: { rates: [RATE, { ...RATE, base: "much" }] } }),
  "POST /v1/rates/indices": () => ({ body: INDEX }),
  "POST /v1/rates/indices/{id}/values": () => ({ parameters: { id: INDEX.id }, body: { on: "2026-11-20" } }),
  "POST /v1/rates/currencies": () => ({
    parameters: { source: "ECB", base: "EUR" },
    body: { exchange_rates: [EXCHANGE_RATE, { ...EXCHANGE_RATE, rate: "much" }] },
  }),
  "GET /v1/rates/lanes": () => ({}),
  "GET /v1/rates/lanes/{id}": ({ answered }) => ({
    parameters: { id: answered("GET /v1/rates/lanes").rates[0].lane_id },
  }),
  "GET /v1/rates/indices": () => ({}),
  "GET /v1/rates/currencies": () => ({ parameters: { source: "ECB" } }),
  "DELETE /v1/rates/currencies": () => ({ parameters: { source: "ECB" } }),
  "DELETE /v1/rates/indices/{id}": () => ({ parameters: { id: INDEX.id } }),
  "GET /v1/broadcasts": () => ({}),
  "DELETE /v1/rates/{id}": async ({ world }) => {
    const rates = { url: `${world.API}/rates`, key: world.KEY };
    type Lane = { readonly rate: { readonly id: string } };
    const { data } = await ask<{ data: Lane[] }>(rates, "GET", "/v1/lanes?destination=SGSIN");
    return { parameters: { id: data[0]!.rate.id } };
  },
  "DELETE /v1/accounts/{id}": ofAccount,
};

const DAY_MS = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Values of parameters, by name, or behind the name of the API or of the operation. */
const VALUES: Readonly<Record<string, unknown>> = {
  limit: 50,
  "api-version": products.find(({ versions }) => versions.length > 0)!.versions.at(-1),
  since: `${day(-1)}T00:00:00Z`,
  until: `${day(1)}T00:00:00Z`,
  "listDeliveries.status": "delivered",
  "listContainers.status": "in_transit",
  "listWaybills.status": "in_transit",
  "getDeliveries.status": "delivered",
  "searchDeliveries.status": "delivered",
  carrier: "KITE",
  "tracking.carrier": "AVCT",
  "rates.carrier": "market",
  reference: CONTAINER,
  "air.reference": WAYBILL,
  "schedules.reference": "1751046",
  "rates.reference": "CNSHA NLRTM",
  "loading.reference": PLAN.name,
  awb: WAYBILL,
  origin: "CNSHA",
  destination: "NLRTM",
  port: "CNSHA",
  vessel: "1751046",
  service: "K1",
  from: day(3),
  to: day(30),
  "postSchedulesFeed.from": `${day(0)}T00:00:00Z`,
  "postSchedulesFeed.to": `${day(30)}T00:00:00Z`,
  day: day(0),
  on: day(0),
  weeks: 26,
  equipment: "40HC",
  "listLanes.kind": "contract",
  "getRatesLanes.kind": "contract",
  contract: "SC-118",
  commodity: "FAK",
  values: 10,
  source: "ECB",
  base: "EUR",
  signature: `sha256=${"6f0c".repeat(16)}`,
};

/** Undefined: only an answer has one. */
export function valueOf(
  scene: Scene,
  operationId: string,
  { name, schema = {} }: { readonly name: string; readonly schema?: { readonly enum?: readonly unknown[] } },
): unknown {
  const { api, world, answered } = scene;
  for (const key of [`${operationId}.${name}`, `${api.name}.${name}`, name])
    if (key in VALUES) return VALUES[key];
  if (name === "type" || name === "event_type")
    return firstType(api.name === "operator" ? "tracking" : api.name).name;
  if (name === "account_id") return world.ACCOUNT;
  if (name === "endpoint_id")
    return api.name === "operator" ? answered("GET /v1/endpoints").endpoints[0].id : own(scene);
  return schema.enum?.[0];
}
