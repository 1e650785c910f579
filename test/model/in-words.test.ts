/** Events as people read them, in one line. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { createSummaries } from "../../src/model/summaries.ts";
import { products } from "../../src/products/index.ts";

const summaryOf = createSummaries(products);
const types = products.flatMap(({ tag, catalogue }) => catalogue.map((type) => ({ tag, ...type })));

test("each event of the catalogues is given in a line", () =>
  assert.deepEqual(
    Object.fromEntries(types.map(({ tag, name, example }) => [name, summaryOf(tag, name, example)])),
    {
      api_change_announced: "Events say the type of the identifier, effective 31 Dec",
      awb_accepted: "176-12345675: accepted, DXB → LHR",
      awb_arrived: "176-12345675: arrived, DXB → LHR",
      awb_available: "176-12345675: available, DXB → LHR",
      awb_delivered: "176-12345675: delivered, DXB → LHR",
      awb_departed: "176-12345675: departed, DXB → LHR",
      awb_in_transit: "176-12345675: in transit, DXB → LHR",
      blank_sailing: "HRNL FE1 048W (Harbour Star): blanked",
      container_arrived: "MSCU1234566: in transit → arriving, ETA 4 Dec 06:00 UTC",
      container_available: "MSCU1234566: discharged → available",
      container_delivered: "MSCU1234566: available → delivered",
      container_misrouted: "MSCU1234566: discharged at DEHAM, expected NLRTM",
      customs_hold: "MSCU1234566: discharged → customs hold",
      cutoff_approaching:
        "HRNL FE1 048W (Harbour Star): full container delivery cut-off at Shanghai in 23.9 h (1 Dec 08:00 UTC)",
      delivery_dead:
        "container_arrived to https://hooks.acme.example/containers: 6 attempts, http_503: The endpoint answered Service Unavailable.",
      demurrage_started: "MSCU1234566: available, 1 day overdue, 75 USD",
      demurrage_warning: "MSCU1234566: available, free time ends soon",
      endpoint_disabled:
        "https://hooks.acme.example/containers: 20 failures in a row, http_503: The endpoint answered Service Unavailable.",
      endpoint_failing:
        "https://hooks.acme.example/containers: 5 failures in a row, http_503: The endpoint answered Service Unavailable.",
      endpoint_recovered: "https://hooks.acme.example/containers",
      eta_changed: "MSCU1234566: ETA 2 Dec 06:00 → 4 Dec 06:00 UTC (+2 days)",
      index_refreshed: "Far East to North Europe: 1000.00 → 1042.17 on 2026-11-20 (+4.22 %)",
      lane_rate_updated: "CNSHA → NLRTM 40HC: 2150.00 → 2240.00 USD (+4.19 %)",
      plan_created: "Rotterdam, week 48, revision 1: 40 pieces in 1 container",
      plan_updated: "Rotterdam, week 48, revision 2: 40 pieces in 1 container",
      reliability_drop: "HRNL FE1: 80 % → 61.5 % on time, 52 calls",
      sailing_slipped:
        "HRNL FE1 048W (Harbour Star): departure from Shanghai 2 Dec 10:00 → 4 Dec 06:00 UTC (+44 h), Port congestion",
      schedule_disruption: "MSCU1234566: Harbour Star leaves Shanghai two days late.",
      shipment_updated: "MSCU1234566: changed: vessel, eta",
      source_down: "carrier HRNL: down since 1 Dec 08:00 UTC, It did not answer in time.",
      source_recovered: "carrier HRNL: was down since 1 Dec 08:00 UTC",
      vessel_departed: "MSCU1234566: pre departure → in transit, ETA 4 Dec 06:00 UTC",
    },
  ));

test("a number beyond all bounds is none", () =>
  assert.equal(
    summaryOf(
      "tracking",
      "demurrage_started",
      JSON.parse('{"identifier": "A", "demurrage_days_overdue": 1e999}'),
    ),
    "A",
  ));

test("any data gives a line that is not long, or none", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.object({ key: fc.constantFrom("a") }),
      ({ tag, name, example }, junk) => {
        const data = Object.fromEntries(
          Object.keys(example).map((key, at) => [key, Object.values(junk)[at % 3] ?? null]),
        );
        const line = summaryOf(tag, name, data);
        assert.ok(line === null || (line.length <= 200 && !line.includes("\n")));
      },
    ),
  ));
