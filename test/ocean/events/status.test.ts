/** The events of statuses and milestones, of records made by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { BoxRecord, Milestone } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { place, utc } from "../records.ts";
import { watch } from "./watch.ts";

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

test("a milestone that is taken back and stated again is an update of the status, and no milestone", () => {
  assertRaised(
    19,
    { status: "discharged" },
    [hold, "customs_hold"],
    [{}],
    [{ status: "discharged", milestones: [] }, "status"],
    [{}],
    [hold, "status"],
    [{}],
  );
});

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
