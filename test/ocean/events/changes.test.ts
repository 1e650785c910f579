/** The events that report what differs between two records: their data, their keys, and what raises none. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { march } from "../event.ts";
import { inLines, looksOf } from "../in-lines.ts";
import { TRACKED, UNARMED, pollThrough } from "../life.ts";
import type { CarrierEvent, Place } from "../../../src/products/ocean/sources/carrier-event.ts";
import { place, utc } from "../records.ts";
import type { BoxRecord, Milestone } from "../../../src/products/ocean/record/shipment-record.ts";
import { watch } from "./watch.ts";

const { assertLooks, last, polled, said } = inLines();

const loaded = "GTIN CNTAO 1; LOAD CNTAO 2 HERON";
const departure = "DEPA CNTAO 3 HERON";
const landed = `${loaded}; ${departure}; ARRI NLRTM 20; DISC NLRTM 21`;

test("spec 2.4: status_family, container_id, identifier, identifier_type, previous_status, new_status, eta; 6.2: vessel_departed; 6.3: vessel_departed: a departure", () => {
  const eta = "ARRI? NLRTM 31";
  const [raised, ...more] = last(`${loaded}; ${eta} | ${loaded}; ${departure}; ${eta}`).raised;
  assert.deepEqual(more, []);
  const { data, ...rest } = raised!;
  assert.deepEqual(rest, {
    product: "tracking",
    accountId: TRACKED.accountId,
    type: "vessel_departed",
    occurredAtMs: march(28),
    dedupKey: `${TRACKED.id}:CSQU3054383:vessel_departed:CNTAO:1`,
  });
  assert.deepEqual(JSON.parse(data), {
    container_id: TRACKED.id,
    identifier: TRACKED.reference,
    identifier_type: "container_id",
    equipment_reference: "CSQU3054383",
    previous_status: "pre_departure",
    new_status: "in_transit",
    eta: "2026-03-31T12:00:00.000Z",
    demurrage_days_overdue: null,
    demurrage_accrued_usd: null,
    event_date_time: "2026-03-03T12:00:00.000Z",
    event_local_datetime: "2026-03-03T13:00:00",
    utc_offset_minutes: 60,
  });
});

test("spec 6.2: customs_hold; 6.3: customs_hold: a hold at the destination, and its release", () =>
  assertLooks(
    `@21 ${landed} | @22 + CUS:HOLD 22 | @23 + CUS:RELS 23`,
    "discharged",
    "customs_hold customs_hold",
    "discharged updated(status)",
  ));

test("spec 3.3: first_resolution, repoll, genuine_transition: neither the first answer, a repeated one, nor a corrected time raises events", () => {
  const corrected = `${loaded}; DEPA CNTAO 3.9 HERON (5)`;
  for (const line of [landed, `${landed} | +`, `@9 ${loaded}; ${departure} | @10 ${corrected}`])
    assert.deepEqual(
      polled(line).flatMap(({ raised }) => raised),
      [],
      line,
    );
});

test("a retracted and repeated statement has the same key and is raised once", () => {
  const [first, again] = [departure, `${departure} (9)`].map(
    (left) => last(`${loaded} | + ${left}`).raised[0]?.dedupKey,
  );
  assert.equal(first, again);
});

test("spec 2.4: shipment_updated; 6.2: shipment_updated; 6.3: shipment_updated: a value that a carrier leaves out is no change, and one that it adds is", () => {
  const unnamed = loaded.replace(" HERON", "");
  assertLooks(`${loaded} | ${unnamed}`, "pre_departure", "pre_departure");
  assertLooks(`${unnamed} | ${loaded}`, "pre_departure", "pre_departure updated(vessel)");
});

test("a box whose record ended before implied deliveries existed raises none later", () => {
  const { record } = last(`${landed}; GTIN NLRTM 25 empty`);
  const [box] = record.boxes;
  const milestones = box!.milestones.filter(({ implied }) => implied !== true);
  const old = { ...record, boxes: [{ ...box!, milestones }] };
  const events = said(`${landed}; GTIN NLRTM 25 empty`);
  const answer = { carrier: "TEST", identifierType: "container_id", events, freeDays: [] } as const;
  const again = nextRecord(answer, old, UNARMED, march(28));
  assert.deepEqual(changesBetween(TRACKED, old, again, UNARMED, march(28)).events, []);
});

const IMO = {
  IMO: { vessel: { name: "HERON", imo: "9074729" } },
  OTHER: { vessel: { name: "HERON", imo: "9321483" } },
};
const { answers, looks } = inLines({ words: IMO });

const gateIn = "GTIN CNTAO 1";
const plan = (vessel: string): string => `${gateIn}; DEPA~ CNTAO 10 ${vessel}; ARRI~ NLRTM 30 ${vessel}`;
const [heron, tern, unnamed] = ["HERON", "TERN", "vessel"].map(plan) as [string, string, string];

/** The fields named at the last of the answers. */
const changedIn = (shown: readonly string[]): string => / updated\((.*)\)/.exec(shown.at(-1)!)?.[1] ?? "";
const inTurn = (told: readonly string[]): string => told.map((one, nth) => `@2.${nth} ${one}`).join(" | ");

test("spec 2.4: shipment_updated: what returns is compared with the last one known, however often it was left out, or written otherwise", () => {
  for (const [fields, ...told] of [
    ["", heron, gateIn, heron],
    ["", heron, gateIn, gateIn, heron],
    ["vessel", heron, gateIn, tern],
    ["vessel", heron, unnamed, tern, unnamed, heron],
    ["", heron, plan("IMO")],
    ["", plan("IMO"), heron],
    ["", heron, plan("He-ron")],
    ["vessel", plan("IMO"), plan("OTHER")],
  ] as const)
    assert.equal(changedIn(looks(inTurn(told))), fields, inTurn(told));
});

/** The answers, their vessel bound for ports in turn. */
function boundFor(told: string, ...ports: readonly Place[]) {
  return answers(told).map(([atMs, stated], nth) => {
    const isThere = (one: CarrierEvent): boolean => one.place?.unlocode === "NLRTM";
    return [atMs, stated.map((one) => (isThere(one) ? { ...one, place: ports[nth]! } : one))] as const;
  });
}

test("spec 2.4: shipment_updated: a port of discharge without a UN/LOCODE changes by its name, and is arrived at", () => {
  const [piraeus, limassol] = ["PIRAEUS", "LIMASSOL"].map((name) => ({ ...place(""), unlocode: null, name }));
  for (const [fields, ...ports] of [
    ["", piraeus!, piraeus!],
    ["discharge", piraeus!, limassol!],
    ["", { ...piraeus!, unlocode: "GRPIR" }, piraeus!],
  ] as const)
    assert.equal(changedIn(looksOf(pollThrough(boundFor(inTurn([heron, heron]), ...ports)))), fields);
  const first = boundFor(inTurn([gateIn, heron]), piraeus!, piraeus!);
  assert.equal(changedIn(looksOf(pollThrough(first))), "eta,vessel,discharge");
  const sailed = `${gateIn}; DEPA CNTAO 2 HERON`;
  const arrives = `@3 ${sailed}; ARRI~ NLRTM 28 HERON | @29 ${sailed}; ARRI NLRTM 28 HERON`;
  assert.equal(pollThrough(boundFor(arrives, piraeus!, piraeus!)).at(-1)?.record.eta?.actual, true);
});

const held: Milestone = {
  key: "customs_hold::1",
  type: "customs_hold",
  from: "discharged",
  to: "customs_hold",
  at: { ms: march(20), offsetMinutes: 60, local: "2026-03-20T13:00:00" },
  place: place("NLRTM"),
};
const hold = { status: "customs_hold", milestones: [held] } as const;

type Step = readonly [differs: Partial<BoxRecord>, ...raised: readonly string[]];

/** Each step, a day after the one before, raises what it names; `status` is an update of the status alone. */
function assertRaised(firstDay: number, first: Partial<BoxRecord>, ...steps: readonly Step[]): void {
  const poll = watch(first, march(firstDay));
  const shown = steps.map(([differs], day) =>
    poll(differs, march(firstDay + 1 + day)).map(({ type, data }) =>
      type === "shipment_updated" ? String(data["changed_fields"]) : type,
    ),
  );
  assert.deepEqual(
    shown,
    steps.map(([, ...raised]) => raised),
  );
}

test("spec 6.2: container_arrived; 6.3: container_arrived; 8: container_arrived: an arrival is raised once, however often the ETA crosses the 48 hours", () => {
  const [arrival] = watch({ status: "in_transit" }, march(17))({ status: "arriving" }, march(18));
  assert.deepEqual(
    [arrival?.type, arrival?.data["previous_status"], arrival?.data["new_status"]],
    ["container_arrived", "in_transit", "arriving"],
  );
  assert.ok(!("event_date_time" in arrival!.data), "time alone brings it about");
  const [near, far] = [{ status: "arriving" }, { status: "in_transit" }] as const;
  assertRaised(17, far, [near, "container_arrived"], [far, "status"], [near, "status"]);
  assertRaised(18, near, [far, "status"], [near, "status"]);
});

test("spec 2.3: event_date_time, event_local_datetime, utc_offset_minutes, event_timezone: the port's zone, if the carrier's offset fits it", () => {
  const timesOf = (at: Milestone["at"], unlocode: string) => {
    const milestones = [{ ...held, at, place: place(unlocode) }];
    const poll = watch({ status: "discharged" }, march(19));
    const [{ data } = { data: {} }] = poll({ status: "customs_hold", milestones }, march(20));
    return ["event_date_time", "event_local_datetime", "utc_offset_minutes", "event_timezone"].map(
      (name) => (data as Record<string, unknown>)[name],
    );
  };
  const [noon, one] = ["2026-03-20T12:00:00.000Z", "2026-03-20T13:00:00"];
  for (const [at, port, ...times] of [
    [held.at, "NLRTM", noon, one, 60, "Europe/Amsterdam"],
    [held.at, "CNTAO", noon, one, 60, undefined],
    [held.at, "XXAAA", noon, one, 60, undefined],
    [utc(march(20)), "NLRTM", noon, one, 60, "Europe/Amsterdam"],
    [utc(march(20)), "XXAAA", noon, "2026-03-20T12:00:00", undefined, undefined],
  ] as const)
    assert.deepEqual(timesOf(at, port), times, port);
});

test("an event of a box carries its number, and shipment_updated repeats no reported status", () => {
  const [raised, ...more] = watch({ status: "discharged" }, march(19))(hold, march(20));
  assert.deepEqual(
    [raised?.type, raised?.data["equipment_reference"], more],
    ["customs_hold", "CSQU3054383", []],
  );
});

test("a milestone that is taken back and stated again is an update of the status, and no milestone", () =>
  assertRaised(
    19,
    { status: "discharged" },
    [hold, "customs_hold"],
    [{}],
    [{ status: "discharged", milestones: [] }, "status"],
    [{}],
    [hold, "status"],
    [{}],
  ));

test("spec 2.4: container_misrouted; 6.2: container_misrouted; 6.3: container_misrouted: a misrouting is raised once, with both ports and its time", () => {
  const misrouting = { at: held.at, discharge: place("NLRTM"), expected: place("BEANR") };
  const discharged = { status: "discharged", misrouting } as const;
  const portsOf = (differs: Partial<BoxRecord>) => {
    const [raised] = watch({ status: "in_transit" }, march(19))(differs, march(20));
    return [raised?.data["discharge_port"], raised?.data["expected_port"], raised?.data["event_timezone"]];
  };
  assert.deepEqual(portsOf(discharged), ["NLRTM", "BEANR", "Europe/Amsterdam"]);
  const own = portsOf({ misrouting: { ...misrouting, discharge: place("NLX01") } });
  assert.deepEqual(own.slice(0, 2), [null, "BEANR"], "a port whose code is no UN/LOCODE");
  assertRaised(
    19,
    { status: "in_transit" },
    [discharged, "container_misrouted", "status"],
    [{}],
    [{ misrouting: null }],
    [discharged],
  );
  assertRaised(19, { misrouting }, [{ misrouting: { ...misrouting, expected: place("DEHAM") } }]);
});
