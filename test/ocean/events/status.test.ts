import assert from "node:assert/strict";
import { test } from "node:test";

import type { Milestone } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { place, utc } from "../records.ts";
import { types, watch } from "./watch.ts";

const held: Milestone = {
  key: "customs_hold::1",
  type: "customs_hold",
  from: "discharged",
  to: "customs_hold",
  at: { ms: march(20), offsetMinutes: 60, local: "2026-03-20T13:00:00" },
  place: place("NLRTM"),
};

test("spec 6.2: container_arrived; 6.3: container_arrived; 8: container_arrived: an arrival is raised once, however often the ETA crosses the 48 hours", () => {
  const poll = watch({ status: "in_transit" }, march(17));
  const [arrival, ...more] = poll({ status: "arriving" }, march(18));
  assert.deepEqual(more, []);
  assert.deepEqual(
    [arrival?.type, arrival?.data["previous_status"], arrival?.data["new_status"]],
    ["container_arrived", "in_transit", "arriving"],
  );
  assert.ok(!("event_date_time" in arrival!.data), "time alone brings it about");
  for (const status of ["in_transit", "arriving"] as const) {
    const [raised] = poll({ status }, march(19));
    assert.deepEqual([raised?.type, raised?.data["changed_fields"]], ["shipment_updated", ["status"]]);
  }
});

test("a box that is first polled while arriving never raises its arrival", () => {
  const poll = watch({ status: "arriving" }, march(18));
  poll({ status: "in_transit" }, march(19));
  assert.deepEqual(types(poll({ status: "arriving" }, march(20))), ["shipment_updated"]);
});

test("spec 2.3: event_date_time, event_local_datetime, utc_offset_minutes, event_timezone: the port's zone, if the carrier's offset fits it", () => {
  const raised = (at: Milestone["at"], unlocode: string) => {
    const poll = watch({ status: "discharged" }, march(19));
    const milestones = [{ ...held, at, place: place(unlocode) }];
    return poll({ status: "customs_hold", milestones }, march(20))[0]?.data ?? {};
  };
  const rotterdam = raised(held.at, "NLRTM");
  assert.deepEqual(
    ["event_date_time", "event_local_datetime", "utc_offset_minutes", "event_timezone"].map(
      (name) => rotterdam[name],
    ),
    ["2026-03-20T12:00:00.000Z", "2026-03-20T13:00:00", 60, "Europe/Amsterdam"],
  );
  assert.ok(!("event_timezone" in raised(held.at, "CNTAO")), "at UTC+1 it is not Qingdao's clock");
  assert.ok(!("event_timezone" in raised(held.at, "XXAAA")), "an unknown port");
  const inUtc = raised(utc(march(20)), "NLRTM");
  assert.equal(inUtc["event_local_datetime"], "2026-03-20T13:00:00", "plain UTC by the port's clock");
  const plain = raised(utc(march(20)), "XXAAA");
  assert.ok(!("event_timezone" in plain) && !("utc_offset_minutes" in plain), "plain UTC tells no clock");
});

test("an event of a box carries its number, and shipment_updated repeats no reported status", () => {
  const poll = watch({ status: "discharged" }, march(19));
  const raised = poll({ status: "customs_hold", milestones: [held] }, march(20));
  assert.deepEqual(types(raised), ["customs_hold"]);
  assert.equal(raised[0]?.data["equipment_reference"], "CSQU3054383");
  assert.deepEqual(poll({}, march(21)), []);
});

test("spec 2.4: container_misrouted; 6.2: container_misrouted; 6.3: container_misrouted: a misrouting is raised once, with both ports and its time", () => {
  const poll = watch({ status: "in_transit" }, march(19));
  const discharged = {
    status: "discharged",
    misrouting: { at: held.at, discharge: place("NLRTM"), expected: place("BEANR") },
  } as const;
  const raised = poll(discharged, march(20));
  assert.deepEqual(types(raised), ["container_misrouted", "shipment_updated"]);
  assert.deepEqual(
    [raised[0]?.data["discharge_port"], raised[0]?.data["expected_port"], raised[0]?.data["event_timezone"]],
    ["NLRTM", "BEANR", "Europe/Amsterdam"],
  );
  assert.deepEqual(poll({}, march(21)), []);
  poll({ misrouting: null }, march(22));
  assert.deepEqual(poll(discharged, march(23)), []);
});

test("a box that is first polled misrouted raises nothing later", () => {
  const misrouting = { at: held.at, discharge: place("NLRTM"), expected: place("BEANR") };
  const poll = watch({ misrouting }, march(19));
  assert.deepEqual(poll({ misrouting: { ...misrouting, expected: place("DEHAM") } }, march(20)), []);
});

test("a milestone that is taken back and stated again is an update of the status, and no milestone", () => {
  const poll = watch({ status: "discharged" }, march(19));
  const hold = { status: "customs_hold", milestones: [held] } as const;
  assert.deepEqual(types(poll(hold, march(20))), ["customs_hold"]);
  const updated = [["shipment_updated", ["status"]]];
  for (const [state, expected] of [
    [{ status: "discharged", milestones: [] }, updated],
    [{}, []],
    [hold, updated],
    [{}, []],
  ] as const) {
    const raised = poll(state, march(21));
    assert.deepEqual(
      raised.map(({ type, data }) => [type, data["changed_fields"]]),
      expected,
    );
  }
});

test("a port whose code is no UN/LOCODE is null", () => {
  const poll = watch({ status: "in_transit" }, march(19));
  const misrouting = { at: held.at, discharge: place("NLX01"), expected: place("NLRTM") };
  const [raised] = poll({ misrouting }, march(20));
  assert.deepEqual([raised?.data["discharge_port"], raised?.data["expected_port"]], [null, "NLRTM"]);
});
