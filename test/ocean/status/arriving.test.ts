/** `container_arrived` (spec 6.3, 8): the moment at which 48 hours are left, whatever the vessel does then. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { VesselReport } from "../../../src/products/ocean/sources/ais/ais-answer.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecordAt, nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { RecordContext, ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { TRACKED, UNARMED } from "../life.ts";

const HERON = { name: "HERON DAWN", imo: "9074729" };
const AT_ANCHOR = 1;
const MOORED = 5;
const UNDER_WAY = 0;

function call(
  code: string,
  unlocode: string,
  atMs: number,
  facilityType: string | null = null,
): CarrierEvent {
  const place = { unlocode, name: null, facility: null, facilityType };
  return event(code, unlocode, atMs, { place, vessel: HERON });
}

const eta = { ...call("ARRI", "NLRTM", march(20)), classifier: "estimated" as const, createdAtMs: march(1) };
const sailed = [
  event("LOAD", "CNTAO", march(2), { vessel: HERON }),
  event("DEPA", "CNTAO", march(3), { vessel: HERON }),
];

type Poll = {
  readonly atMs: number;
  readonly stated: readonly CarrierEvent[];
  readonly lies?: VesselReport["status"];
};

/** The status at each poll, and the raised events: `arriving container_arrived(in_transit, arriving)`. */
function lived(polls: readonly Poll[]): readonly string[] {
  let before: ShipmentRecord | null = null;
  return polls.map(({ atMs, stated, lies }) => {
    const context: RecordContext =
      lies === undefined
        ? UNARMED
        : { ...UNARMED, vesselReportOf: () => ({ status: lies, seenMs: atMs - 60_000 }) };
    const statements = {
      carrier: "HRNL",
      identifierType: "container_id",
      events: stated,
      freeDays: [],
    } as const;
    const next = nextRecord(statements, before, context, atMs);
    const { record, events } = changesBetween(TRACKED, before, next, context, atMs);
    before = record;
    return [record.status, ...events.map(({ type, data }) => line(type, data))].join(" ");
  });
}

function line(type: string, data: string): string {
  const { previous_status, new_status, changed_fields } = JSON.parse(data) as Record<string, unknown>;
  if (type === "shipment_updated") return `updated(${String(changed_fields)})`;
  return `${type}(${String(previous_status)}, ${String(new_status)})`;
}

const planned = [...sailed, eta];

for (const [where, status, lies] of [
  ["anchor", "at_anchor", AT_ANCHOR],
  ["berth", "at_berth", MOORED],
] as const) {
  test(`a box arrives when 48 hours are left though its vessel says that it lies at ${where}`, () => {
    assert.deepEqual(
      lived([
        { atMs: march(17), stated: planned },
        { atMs: march(18, 10), stated: planned, lies },
        { atMs: march(18, 12) + 1, stated: planned, lies },
        { atMs: march(18, 18), stated: planned, lies },
        { atMs: march(19), stated: planned, lies: UNDER_WAY },
      ]),
      [
        "in_transit",
        `${status} updated(status)`,
        `${status} container_arrived(${status}, ${status})`,
        status,
        "arriving updated(status)",
      ],
    );
  });
}

test("a box arrives when 48 hours are left though a port call has its vessel at anchor, or at a port on the way", () => {
  const anchored = [...planned, call("ARRI", "NLRTM", march(18), "ANCH")];
  const late = { ...eta, at: call("ARRI", "NLRTM", march(22)).at, createdAtMs: march(18) };
  const waiting = [...sailed, call("ARRI", "NLRTM", march(18), "ANCH"), late];
  assert.deepEqual(
    lived([
      { atMs: march(18, 11), stated: planned },
      { atMs: march(19), stated: waiting },
      { atMs: march(20, 13), stated: waiting },
      { atMs: march(21), stated: waiting },
    ]),
    [
      "in_transit",
      "at_anchor eta_changed(undefined, undefined) updated(status)",
      "at_anchor container_arrived(at_anchor, at_anchor)",
      "at_anchor",
    ],
  );
  const onTheWay = [...planned, call("ARRI", "BEANR", march(18))];
  assert.deepEqual(
    lived([
      { atMs: march(17), stated: planned },
      { atMs: march(18, 12) - 1, stated: onTheWay },
      { atMs: march(18, 12) + 1, stated: onTheWay },
    ]),
    ["in_transit", "at_berth updated(status)", "at_berth container_arrived(at_berth, at_berth)"],
  );
  assert.deepEqual(
    lived([
      { atMs: march(17), stated: planned },
      { atMs: march(19), stated: anchored },
    ]),
    ["in_transit", "at_anchor container_arrived(in_transit, at_anchor)"],
    "the status of the same poll is raised with it",
  );
});

test("a departure that is planned still, and overdue, holds back no box whose vessel is at anchor at its port", () => {
  const plan = {
    ...call("DEPA", "CNTAO", march(3)),
    classifier: "estimated" as const,
    createdAtMs: march(1),
  };
  const loaded = [sailed[0]!, plan, eta];
  assert.deepEqual(
    lived([
      { atMs: march(17), stated: loaded },
      { atMs: march(19), stated: [...loaded, call("ARRI", "NLRTM", march(19), "ANCH")] },
    ]).slice(1),
    ["at_anchor vessel_departed(pre_departure, in_transit) container_arrived(in_transit, at_anchor)"],
  );
});

test("a box that is loaded after its vessel was to leave has not sailed while that plan is stated", () => {
  const plan = {
    ...call("DEPA", "CNTAO", march(1)),
    classifier: "estimated" as const,
    createdAtMs: march(1),
  };
  const soon = { ...eta, at: call("ARRI", "NLRTM", march(4)).at };
  const polls = (stated: readonly CarrierEvent[]) =>
    lived([
      { atMs: march(1), stated: [plan, soon] },
      { atMs: march(2, 20), stated },
    ])[1];
  assert.match(polls([sailed[0]!, plan, soon])!, /^pre_departure (?!container)/);
  assert.match(polls([sailed[0]!, soon])!, /^arriving container_arrived/);
});

test("a box that is first polled within its 48 hours never raises its arrival, wherever its vessel is", () => {
  const anchored = [...planned, call("ARRI", "NLRTM", march(18), "ANCH")];
  const later = { ...eta, at: call("ARRI", "NLRTM", march(25)).at, createdAtMs: march(19) };
  assert.deepEqual(
    lived([
      { atMs: march(19), stated: anchored },
      { atMs: march(19, 18), stated: anchored, lies: UNDER_WAY },
      { atMs: march(20), stated: [...anchored, later] },
      { atMs: march(24), stated: [...anchored, later] },
    ]).map((one) => one.includes("container_arrived")),
    [false, false, false, false],
  );
});

test("the moment is due by time alone while the vessel lies at anchor", () => {
  const waiting = [...planned, call("ARRI", "NLRTM", march(17), "ANCH")];
  const statements = { carrier: "HRNL", identifierType: null, events: waiting, freeDays: [] };
  const before = nextRecord(statements, null, UNARMED, march(17, 13));
  assert.equal(before.changesAtMs, march(18) + 1);
  const after = nextRecordAt(before, UNARMED, march(18) + 1);
  const { events } = changesBetween(TRACKED, before, after, UNARMED, march(18) + 1);
  assert.deepEqual(
    events.map(({ type, dedupKey }) => [type, dedupKey]),
    [["container_arrived", `${TRACKED.id}:CSQU3054383:container_arrived:NLRTM`]],
  );
});

test("neither a leg before the last nor a box that has landed arrives", () => {
  const onward = [
    {
      ...call("DEPA", "NLRTM", march(22)),
      vessel: { name: "TERN", imo: null },
      classifier: "planned" as const,
    },
    {
      ...call("ARRI", "PLGDN", march(24)),
      vessel: { name: "TERN", imo: null },
      classifier: "planned" as const,
    },
  ];
  const anchored = [...planned, ...onward, call("ARRI", "NLRTM", march(18), "ANCH")];
  const landed = [...sailed, call("ARRI", "NLRTM", march(16)), event("DISC", "NLRTM", march(17))];
  const arrivals = (polls: readonly Poll[]) =>
    lived(polls).filter((one) => one.includes("container_arrived"));
  assert.deepEqual(
    arrivals([
      { atMs: march(17), stated: [...planned, ...onward] },
      { atMs: march(19), stated: anchored, lies: AT_ANCHOR },
    ]),
    [],
  );
  assert.deepEqual(
    arrivals([
      { atMs: march(15), stated: planned },
      { atMs: march(19), stated: landed, lies: MOORED },
    ]),
    [],
  );
});
