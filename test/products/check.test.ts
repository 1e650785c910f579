import assert from "node:assert/strict";
import { test } from "node:test";

import { createEventDataCheck, createOperatorDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";

const check = createEventDataCheck(products);

const shipment = { container_id: "0190f5fe-7c00-7a00-8000-000000000000", identifier: "MSCU1234566" };

const RIGHT: readonly [product: string, type: string, data: object][] = [
  [
    "tracking",
    "container_available",
    {
      ...shipment,
      ...{ identifier_type: "container_id", previous_status: "discharged", new_status: "available" },
      ...{ eta: "2026-11-01T08:00:00Z", demurrage_days_overdue: null, demurrage_accrued_usd: 12.5 },
      ...{ event_date_time: "2026-11-01T08:00:00.000Z", event_local_datetime: "2026-11-01T09:00:00" },
      ...{ utc_offset_minutes: 60, event_timezone: "Europe/Amsterdam" },
      something_new: { of: ["ours"] },
    },
  ],
  ["air", "awb_delivered", { awb: "020-12345675", airline_iata: "LH", status: "delivered" }],
  [
    "schedules",
    "blank_sailing",
    {
      ...{
        kind: "voyage",
        reason: "blanked",
        status_code: "BLNK",
        carrier: "HRNL",
        service: "HE1",
        voyage: "014E",
      },
      port_calls: [{ port: "JPYOK", arrival: null, departure: "2026-11-05T09:00:00Z" }],
    },
  ],
  ["rates", "index_refreshed", { index_id: "europe", dated: "2026-10-30", value: "1042.17" }],
  [
    "loading",
    "plan_created",
    {
      ...{ plan_id: "0190f5fe-7c00-7a00-8000-000000000000", name: null, revision: 1, containers: [] },
      ...{
        container_count: 0,
        pieces: 2,
        pieces_placed: 0,
        pieces_left: 2,
        left_by_reason: { too_large: 2 },
      },
      ...{ volume_fill: null, volume_m3: 0, weight_kg: 0 },
    },
  ],
];

for (const [product, type, data] of RIGHT) {
  // spec 2.4: additional_properties
  test(`${type} may be raised with the data the specification shows`, () =>
    assert.deepEqual(check(product, type, data), { ok: true }));
}

const status = { ...shipment, previous_status: "discharged", new_status: "available" };

const WRONG: readonly [what: string, data: unknown, message: RegExp, type?: string][] = [
  ["an absent field", shipment, /^data lacks previous_status, new_status$/],
  ["an id that is no UUID", { ...status, container_id: "7" }, /^data\.container_id must be a UUID/],
  ["an unknown status", { ...status, new_status: "lost" }, /^data\.new_status must be one of/],
  ["a time with an offset", { ...status, eta: "2026-11-01T08:00:00+01:00" }, /ends in Z/],
  ["a time that never is", { ...status, eta: "2026-02-30T08:00:00Z" }, /^data\.eta/],
  ["a time in small letters", { ...status, eta: "2026-11-01t08:00:00z" }, /ends in Z/],
  ["null where only text is", { ...status, event_timezone: null }, /must be a string$/],
  ["a number for text or null", { ...status, identifier: 7 }, /must be a string or null$/],
  ["a local time with an offset", { ...status, event_local_datetime: "2026-11-01T08:00:00Z" }, /local/],
  ["an unknown changed field", { ...shipment, changed_fields: ["eta", "x"] }, /\[1\]/, "shipment_updated"],
  ["an unknown kind", { ...shipment, kind: "late", headline: "" }, /^data\.kind/, "schedule_disruption"],
  ["no UN/LOCODE", { ...shipment, discharge_port: "Rotterdam" }, /UN\/LOCODE/, "container_misrouted"],
  ["an array", [], /^data must be an object$/],
  ["null", null, /^data must be an object$/],
  ["nothing", undefined, /^data must be an object$/],
];

for (const [what, data, message, type = "container_available"] of WRONG) {
  test(`${type} is refused with ${what}, by a message that says where`, () => {
    const verdict = check("tracking", type, data);
    assert.ok(!verdict.ok);
    assert.match(verdict.message, message);
  });
}

for (const [product, type] of [
  ["tracking", "ping"],
  ["tracking", "vessel_rollover"],
  ["tracking", "awb_accepted"],
  ["air", "awb_departed"],
  ["rates", "constructor"],
] as const) {
  // spec 6.1: ping
  test(`${type} cannot be raised for ${product}`, () => {
    const verdict = check(product, type, {});
    assert.ok(!verdict.ok);
    assert.match(verdict.message, /^type must be one of/);
  });
}

test("an unknown product is refused by naming those there are", () =>
  assert.deepEqual(check("rail", "ping", {}), {
    ok: false,
    message: "product must be one of tracking, air, schedules, rates, loading, operations",
  }));

test("an operator may raise any object where the specification leaves the data open, and nothing else", () => {
  const raisedByOperators = createOperatorDataCheck(products);
  assert.deepEqual(raisedByOperators("rates", "index_refreshed", { value: 7 }), { ok: true });
  assert.equal(check("rates", "index_refreshed", { value: 7 }).ok, false);
  assert.equal(raisedByOperators("rates", "index_refreshed", []).ok, false);
  assert.equal(raisedByOperators("air", "awb_delivered", { status: 7 }).ok, false);
});
