/** `schedule_disruption` by the record of schedules, beside what the box's carrier tells (spec 6.3). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { disruptionDueMs } from "../../../src/products/ocean/events/disruption.ts";
import type { ScheduledCall } from "../../../src/freight/scheduled-calls/scheduled-calls.ts";
import { march } from "../event.ts";
import {
  DAY_MS,
  HOUR_MS,
  late,
  NOT_ARMED,
  PROMISED_MS,
  waiting,
  watch,
  type Raised,
} from "../events/watch.ts";
import { inLines } from "../in-lines.ts";
import { TRACKED, UNARMED } from "../life.ts";
import { box } from "../records.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";

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

const ahead = (hours: number) => recorded({ expectedMs: PROMISED_MS + hours * HOUR_MS });

test("a call that leaves two days late or more is raised, though the box's carrier says nothing", () => {
  const look = watch(waiting, march(19), recorded({}));
  assert.deepEqual(shown(look({}, march(19, 13), ahead(47))), []);
  const headline = "MSC ANNA 123W from Rotterdam (NLRTM) now leaves 3 days later, on 24 March";
  assert.deepEqual(shown(look({}, march(19, 14), ahead(72))), [
    ["schedule_disruption", "slipped", headline, 72],
  ]);
  assert.deepEqual(look({}, march(19, 15), ahead(95)), []);
  assert.equal(look({}, march(19, 16), ahead(96))[0]?.data["delay_hours"], 96);
});

test("a disruption of the box's carrier is not raised again from the schedule, nor the other way round", () => {
  const look = watch(waiting, march(19), recorded({}));
  const [raised] = look(late(72), march(19, 13), recorded({}));
  assert.equal(raised!.data["dedup_key"], `${TRACKED.id}:CSQU3054383:NLRTM:1:slipped`);
  assert.deepEqual(look({}, march(19, 14), ahead(96)), []);
  const other = watch(waiting, march(19), recorded({}));
  const [first] = other({}, march(19, 13), ahead(96));
  assert.equal(first!.data["dedup_key"], raised!.data["dedup_key"]);
  assert.deepEqual(other(late(72), march(19, 14), ahead(96)), []);
});

test("a call that is cancelled is raised at once, and the silence after it is not", () => {
  for (const [cancelled, why] of [
    ["blanked", "the carrier has blanked the sailing"],
    ["slid", "the carrier has slid the sailing, and its vessel is to leave as a later one"],
    ["omitted", "the vessel omits the port"],
    ["missing", "the carrier's schedule no longer has the call"],
  ] as const) {
    const look = watch(waiting, march(19), recorded({}));
    const raised = look({}, march(19, 13), recorded({ cancelled, expectedMs: march(30) }));
    const headline = `MSC ANNA 123W does not leave Rotterdam (NLRTM) as planned: ${why}`;
    assert.deepEqual(shown(raised), [["schedule_disruption", "not_departed", headline, null]]);
    assert.deepEqual(look({}, march(25), recorded({ cancelled })), []);
    assert.deepEqual(look({}, march(26), recorded({})), [], "once, also when it is taken back");
  }
});

test("what holds at the first poll, or of a box that sails no more, is not raised, nor a slip of what has left late", () => {
  const blanked = recorded({ cancelled: "blanked" });
  assert.deepEqual(watch(waiting, march(19), blanked)({}, march(20), blanked), []);
  const ended = watch(waiting, march(19), recorded({}))({ status: "cancelled" }, march(20), blanked);
  assert.ok(!ended.some(({ type }) => type === "schedule_disruption"));
  const lateMs = PROMISED_MS + 4 * DAY_MS;
  const left = recorded({ expectedMs: lateMs, departedMs: lateMs });
  assert.deepEqual(watch(waiting, march(19), recorded({}))({}, lateMs, left), []);
});

test("a departure in either is no silence, a later date puts the silence off, and without a call its carrier counts", () => {
  const noon = PROMISED_MS + DAY_MS;
  const left = recorded({ departedMs: PROMISED_MS + HOUR_MS });
  assert.deepEqual(watch(waiting, march(19), recorded({}))({}, noon, left), []);
  const put = ahead(30);
  const later = watch(waiting, march(19), put);
  assert.deepEqual(later({}, noon, put), []);
  const dueMs = disruptionDueMs(box(waiting), noon, put.scheduledAt);
  assert.equal(dueMs, PROMISED_MS + 54 * HOUR_MS);
  assert.equal(later({}, dueMs, put)[0]?.data["kind"], "not_departed");
  assert.equal(disruptionDueMs(box(waiting), noon, recorded({ cancelled: "omitted" }).scheduledAt), null);
  const unknown = watch(waiting, march(19), recorded(null))({}, noon, recorded(null));
  assert.equal(unknown[0]?.data["kind"], "not_departed");
});

const { said } = inLines({
  words: {
    ANNA: { vessel: { name: "MSC ANNA", imo: null } },
    BELLE: { vessel: { name: "MSC BELLE", imo: null } },
  },
});

type DailyPoll = readonly [departure: string, calls: typeof NOT_ARMED, ...raised: readonly string[]];

/** Daily polls of a box's carrier, which states a departure each time, beside what the schedules say of it. */
function assertBeside(...polls: readonly DailyPoll[]): void {
  let known: ShipmentRecord | null = null;
  const raisedBeside = polls.map(([departure, calls], index) => {
    const nowMs = march(10 + index);
    const events = said(`GTIN NLRTM 5; DEPA~ NLRTM ${departure} (${10 + index})`);
    const answer = { carrier: "TEST", identifierType: "container_id", events, freeDays: [] } as const;
    const changes = changesBetween(TRACKED, known, nextRecord(answer, known, UNARMED, nowMs), calls, nowMs);
    known = changes.record;
    return changes.events.flatMap(({ type, data }) => {
      const { kind, delay_hours: delay } = JSON.parse(data) as Record<string, unknown>;
      return type === "schedule_disruption" ? [`${String(kind)} ${String(delay)}`] : [];
    });
  });
  assert.deepEqual(
    raisedBeside,
    polls.map(([, , ...raised]) => raised),
  );
}

const BLANKED = recorded({ cancelled: "blanked" });
const NO_CALL = recorded(null);
const noWord: DailyPoll = ["21 ANNA", recorded({})];

test("what was raised of a vessel by the schedules is not raised again by its carrier's roll-over", () => {
  const blanked: DailyPoll = ["21 ANNA", BLANKED, "not_departed null"];
  assertBeside(noWord, blanked, ["28 BELLE", NO_CALL], ["30 BELLE", NO_CALL, "slipped 48"]);
  const isLate: DailyPoll = ["21 ANNA", recorded({ expectedMs: march(24) }), "slipped 72"];
  assertBeside(noWord, isLate, ["24 BELLE", NO_CALL]);
  assertBeside(noWord, isLate, ["28 BELLE", NO_CALL, "slipped 96"]);
  // The next vessel's call is another one than that of the vessel that the box is rolled over from.
  assertBeside(noWord, blanked, ["28 BELLE", NO_CALL], ["28 BELLE", BLANKED, "not_departed null"]);
});
