/** `schedule_disruption` by the record of schedules, beside what the box's carrier tells (spec 6.3). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { disruptionDueMs } from "../../../src/products/ocean/events/disruption.ts";
import type { ScheduledCall } from "../../../src/freight/scheduled-calls/scheduled-calls.ts";
import type { BoxRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { DAY_MS, HOUR_MS, NOT_ARMED, watch, type Raised } from "../events/watch.ts";
import { event, march } from "../event.ts";
import { TRACKED } from "../life.ts";
import { box } from "../records.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";

const PROMISED_MS = march(21);

const sailing = {
  from: "NLRTM",
  vessel: "MSC ANNA",
  voyage: "123W",
  promisedMs: PROMISED_MS,
  expectedMs: PROMISED_MS,
  departedMs: null,
};

const waiting: Partial<BoxRecord> = {
  status: "pre_departure",
  timeline: [event("GTIN", "NLRTM", march(18))],
  sailings: [sailing],
};

/** What the record has of every sailing; null: no call. */
function recorded(call: Partial<ScheduledCall> | null) {
  const whole: ScheduledCall = {
    vessel: { name: "MSC ANNA", imo: null },
    voyage: "123W",
    departuresMs: [PROMISED_MS],
    expectedMs: PROMISED_MS,
    departedMs: null,
    cancelled: null,
    ...call,
  };
  return { ...NOT_ARMED, scheduledAt: () => (call === null ? null : whole) };
}

function shown(raised: readonly Raised[]): readonly unknown[] {
  return raised.map(({ type, data }) => [type, data["kind"], data["headline"], data["delay_hours"]]);
}

test("a call that leaves two days late or more is raised, though the box's carrier says nothing", () => {
  const look = watch(waiting, march(19), recorded({}));
  const late = (hours: number) => recorded({ expectedMs: PROMISED_MS + hours * HOUR_MS });
  assert.deepEqual(shown(look({}, march(19, 13), late(47))), []);
  assert.deepEqual(shown(look({}, march(19, 14), late(72))), [
    [
      "schedule_disruption",
      "slipped",
      "MSC ANNA 123W from Rotterdam (NLRTM) now leaves 3 days later, on 24 March",
      72,
    ],
  ]);
  assert.deepEqual(look({}, march(19, 15), late(95)), []);
  assert.equal(look({}, march(19, 16), late(96))[0]?.data["delay_hours"], 96);
});

test("a disruption of the box's carrier is not raised again from the schedule, nor the other way round", () => {
  const slipped = { sailings: [{ ...sailing, expectedMs: PROMISED_MS + 3 * DAY_MS }] };
  const late = recorded({ expectedMs: PROMISED_MS + 4 * DAY_MS });
  const look = watch(waiting, march(19), recorded({}));
  const [raised] = look(slipped, march(19, 13), recorded({}));
  assert.equal(raised!.data["dedup_key"], `${TRACKED.id}:CSQU3054383:NLRTM:1:slipped`);
  assert.deepEqual(look({}, march(19, 14), late), []);
  const other = watch(waiting, march(19), recorded({}));
  const [first] = other({}, march(19, 13), late);
  assert.equal(first!.data["dedup_key"], raised!.data["dedup_key"]);
  assert.deepEqual(other(slipped, march(19, 14), late), []);
});

for (const [cancelled, why] of [
  ["blanked", "the carrier has blanked the sailing"],
  ["slid", "the carrier has slid the sailing, and its vessel is to leave as a later one"],
  ["omitted", "the vessel omits the port"],
  ["missing", "the carrier's schedule no longer has the call"],
] as const) {
  test(`a call that is ${cancelled} is raised at once, and the silence after it is not`, () => {
    const look = watch(waiting, march(19), recorded({}));
    const raised = look({}, march(19, 13), recorded({ cancelled, expectedMs: march(30) }));
    const headline = `MSC ANNA 123W does not leave Rotterdam (NLRTM) as planned: ${why}`;
    assert.deepEqual(shown(raised), [["schedule_disruption", "not_departed", headline, null]]);
    assert.deepEqual(look({}, march(25), recorded({ cancelled })), []);
    assert.deepEqual(look({}, march(26), recorded({})), [], "once, also when it is taken back");
  });
}

test("what holds at the first poll is not raised", () => {
  const look = watch(waiting, march(19), recorded({ cancelled: "blanked" }));
  assert.deepEqual(look({}, march(20), recorded({ cancelled: "blanked" })), []);
});

test("a departure in either is no silence, and a later date puts the silence off", () => {
  const noon = PROMISED_MS + DAY_MS;
  const left = watch(waiting, march(19), recorded({}));
  assert.deepEqual(left({}, noon, recorded({ departedMs: PROMISED_MS + HOUR_MS })), []);
  const put = recorded({ expectedMs: PROMISED_MS + 30 * HOUR_MS });
  const later = watch(waiting, march(19), put);
  assert.deepEqual(later({}, noon, put), []);
  const dueMs = disruptionDueMs(box(waiting), noon, put.scheduledAt);
  assert.equal(dueMs, PROMISED_MS + 54 * HOUR_MS);
  assert.deepEqual(
    later({}, dueMs, put).map(({ data }) => data["kind"]),
    ["not_departed"],
  );
  assert.equal(disruptionDueMs(box(waiting), noon, recorded({ cancelled: "omitted" }).scheduledAt), null);
});

test("a call that has left late is known by its departure and raises no slip", () => {
  const look = watch(waiting, march(19), recorded({}));
  const lateMs = PROMISED_MS + 4 * DAY_MS;
  assert.deepEqual(look({}, lateMs, recorded({ expectedMs: lateMs, departedMs: lateMs })), []);
});

test("a sailing that the record does not have is raised as its carrier states it", () => {
  const look = watch(waiting, march(19), recorded(null));
  const silent = look({}, PROMISED_MS + DAY_MS, recorded(null));
  assert.deepEqual(
    silent.map(({ data }) => data["kind"]),
    ["not_departed"],
  );
});

test("a box that sails no more raises nothing of its vessel's calls", () => {
  const look = watch(waiting, march(19), recorded({}));
  const ended = { ...waiting, status: "cancelled" as const };
  assert.deepEqual(
    look(ended, march(20), recorded({ cancelled: "blanked" })).filter(
      ({ type }) => type === "schedule_disruption",
    ),
    [],
  );
});

/** Polls of a box's carrier, which states a departure each time, beside what the schedules say of it. */
function rolledBeside(
  polls: readonly (readonly [vessel: string, day: number, calls: typeof NOT_ARMED])[],
): readonly unknown[] {
  let known: ShipmentRecord | null = null;
  return polls.map(([vessel, day, calls], index) => {
    const nowMs = march(10 + index);
    const departure: CarrierEvent = event("DEPA", "NLRTM", march(day), {
      classifier: "planned",
      createdAtMs: nowMs,
      vessel: { name: vessel, imo: null },
    });
    const events = [event("GTIN", "NLRTM", march(5)), departure];
    const next = nextRecord(
      { carrier: "TEST", identifierType: "container_id", events, freeDays: [] },
      known,
      { tariffs: [], armedFromMs: null },
      nowMs,
    );
    const changes = changesBetween(TRACKED, known, next, calls, nowMs);
    known = changes.record;
    return changes.events
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => {
        const { kind, delay_hours: delay } = JSON.parse(data) as Record<string, unknown>;
        return [kind, delay];
      });
  });
}

test("what was raised of a vessel by the schedules is not raised again by its carrier's roll-over", () => {
  const blanked = recorded({ cancelled: "blanked" });
  const rolled = [
    ["MSC ANNA", 21, recorded({})],
    ["MSC ANNA", 21, blanked],
    ["MSC BELLE", 28, recorded(null)],
    ["MSC BELLE", 30, recorded(null)],
  ] as const;
  assert.deepEqual(rolledBeside(rolled), [[], [["not_departed", null]], [], [["slipped", 48]]]);
  const late = recorded({ expectedMs: march(24) });
  const swapped = [
    ["MSC ANNA", 21, recorded({})],
    ["MSC ANNA", 21, late],
    ["MSC BELLE", 24, recorded(null)],
  ] as const;
  assert.deepEqual(rolledBeside(swapped), [[], [["slipped", 72]], []]);
  const later = [...swapped.slice(0, 2), ["MSC BELLE", 28, recorded(null)] as const];
  assert.deepEqual(rolledBeside(later), [[], [["slipped", 72]], [["slipped", 96]]]);
});

test("the next vessel's call is another one than that of the vessel that the box is rolled over from", () => {
  const blanked = recorded({ cancelled: "blanked" });
  const polls = [
    ["MSC ANNA", 21, recorded({})],
    ["MSC ANNA", 21, blanked],
    ["MSC BELLE", 28, recorded(null)],
    ["MSC BELLE", 28, blanked],
  ] as const;
  assert.deepEqual(rolledBeside(polls), [[], [["not_departed", null]], [], [["not_departed", null]]]);
});
