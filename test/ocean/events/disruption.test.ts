/** Slips and silences of the sailing that a box waits for (spec 6.3: schedule_disruption). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { disruptionDueMs } from "../../../src/products/ocean/events/disruption.ts";
import type { BoxRecord, Sailing } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { TRACKED } from "../life.ts";
import { box, place } from "../records.ts";
import { DAY_MS, HOUR_MS, late, PROMISED_MS, sailing, types, waiting, watch } from "./watch.ts";

const KEY = `${TRACKED.id}:CSQU3054383:NLRTM:1`;
const DISRUPTION = ["schedule_disruption"];

test("a departure that is to be 48 hours or more after the one promised is a slip", () => {
  for (const [hours, raised] of [
    [47.98, []],
    [48, DISRUPTION],
    [48.02, DISRUPTION],
    [-20, []],
  ] as const)
    assert.deepEqual(types(watch(waiting, march(19))(late(hours), march(19, 13))), raised, `${hours} h`);
});

test("spec 2.4: schedule_disruption; 6.2: schedule_disruption; 6.3: schedule_disruption: a slip is raised, and again when it has grown by a day since", () => {
  const poll = watch(waiting, march(19));
  const [slip] = poll(late(72), march(20));
  const { kind, dedup_key, headline, delay_hours } = slip!.data;
  assert.deepEqual(
    { kind, dedup_key, headline, delay_hours },
    {
      kind: "slipped",
      dedup_key: `${KEY}:slipped`,
      headline: "MSC ANNA 123W from Rotterdam (NLRTM) now leaves 3 days later, on 24 March",
      delay_hours: 72,
    },
  );
  assert.deepEqual(
    [95, 96, 119, 60, 119, 120].map((hours) =>
      poll(late(hours), march(20)).map(({ data }) => data["delay_hours"]),
    ),
    [[], [96], [], [], [], [120]],
    "a delay that shrinks is none, and what was raised last counts",
  );
  const steps = watch(waiting, march(19));
  assert.deepEqual(
    [20, 40, 60].map((hours) => types(steps(late(hours), march(20)))),
    [[], [], DISRUPTION],
    "by small steps, too",
  );
});

test("a slip that an older record raised is not raised again until it grows", () => {
  const told = { ...box().told, disruptions: ["NLRTM:1:slipped"] };
  const poll = watch({ ...waiting, told }, march(19));
  assert.deepEqual(poll(late(80), march(20)), []);
  assert.deepEqual(poll(late(103), march(20)), []);
  assert.equal(poll(late(104), march(20))[0]?.data["delay_hours"], 104);
});

test("a headline names the day by the port's calendar, in every month", () => {
  for (let month = 0; month < 12; month += 1) {
    // Half an hour before midnight UTC: the next day in Rotterdam.
    const sailings = [sailing(Date.UTC(2027, month, 9, 23, 30))];
    const [slip] = watch(waiting, march(19))({ sailings }, march(20));
    const name = new Date(Date.UTC(2027, month, 10)).toLocaleString("en-GB", {
      month: "long",
      timeZone: "UTC",
    });
    assert.ok(String(slip?.data["headline"]).endsWith(`, on 10 ${name}`), String(slip?.data["headline"]));
  }
});

test("a headline says what is known, of the port and of the vessel", () => {
  const headline = (more: Partial<Sailing>, name: string | null = null) => {
    const from = more.from ?? "NLRTM";
    const timeline = [event("GTIN", from, march(18), { place: place(from, { name }) })];
    const first = { ...waiting, timeline, sailings: [sailing(PROMISED_MS, more)] };
    const slipped = { sailings: [sailing(PROMISED_MS + 2 * DAY_MS, more)] };
    return watch(first, march(19))(slipped, march(20))[0]?.data["headline"];
  };
  for (const [named, sailingText] of [
    [headline({ from: "XXAAA" }, "Aaa"), "MSC ANNA 123W from Aaa (XXAAA)"],
    [headline({ from: "XXAAA" }), "MSC ANNA 123W from XXAAA"],
    [headline({ voyage: null }), "MSC ANNA from Rotterdam (NLRTM)"],
    [headline({ vessel: null }), "Voyage 123W from Rotterdam (NLRTM)"],
    [headline({ vessel: null, voyage: null }), "The vessel from Rotterdam (NLRTM)"],
  ] as const)
    assert.equal(named, `${sailingText} now leaves 2 days later, on 23 March`);
});

test("no headline is composed for a raised disruption", () => {
  let readings = 0;
  const slipped = sailing(PROMISED_MS + 3 * DAY_MS);
  Object.defineProperty(slipped, "vessel", { enumerable: true, get: () => ((readings += 1), "MSC ANNA") });
  const poll = watch(waiting, march(19));
  assert.equal(poll({ sailings: [slipped] }, march(20)).length, 1);
  assert.ok(readings > 0);
  readings = 0;
  assert.equal(poll({ sailings: [slipped] }, march(20, 13)).length, 0);
  assert.equal(readings, 0);
});

test("24 hours without a reported departure raise not_departed, by time alone and once", () => {
  const poll = watch(waiting, march(19));
  const raised = [24 * HOUR_MS - 1, 24 * HOUR_MS, 25 * HOUR_MS, 9 * DAY_MS].map((ms) =>
    poll({}, PROMISED_MS + ms),
  );
  assert.deepEqual(raised.map(types), [[], DISRUPTION, [], []]);
  const { kind, dedup_key, headline, delay_hours } = raised[1]![0]!.data;
  assert.deepEqual(
    { kind, dedup_key, headline, delay_hours },
    {
      kind: "not_departed",
      dedup_key: `${KEY}:not_departed:2026-03-21`,
      headline:
        "MSC ANNA 123W has not left Rotterdam (NLRTM), where it was to leave on 21 March, " +
        "and the carrier gives no new date",
      delay_hours: null,
    },
  );
  assert.equal(disruptionDueMs(box(waiting), march(19)), PROMISED_MS + DAY_MS, "and it is due then");
  assert.equal(disruptionDueMs(box(waiting), PROMISED_MS + DAY_MS), null);
});

test("a new date ends the silence, and may be a slip of its own", () => {
  const poll = watch(waiting, march(19));
  assert.equal(poll(late(72), PROMISED_MS + 30 * HOUR_MS)[0]?.data["kind"], "slipped");
  assert.deepEqual(poll({}, PROMISED_MS + 4 * DAY_MS - 1), []);
  assert.equal(poll({}, PROMISED_MS + 4 * DAY_MS)[0]?.data["kind"], "not_departed");
});

test("a departure that is planned for a day counts from the end of that day", () => {
  const dayMs = march(21, 23);
  const plan = (code: string, unlocode: string, ms: number) =>
    event(code, unlocode, ms, { classifier: "planned" });
  const from = (arrival: ReturnType<typeof event>): Partial<BoxRecord> => ({
    ...waiting,
    timeline: [event("GTIN", "NLRTM", march(18)), plan("DEPA", "NLRTM", dayMs), arrival],
    sailings: [sailing(dayMs, { promisedMs: dayMs })],
  });
  const dates = from(plan("ARRI", "USNYC", march(30, 23)));
  assert.equal(disruptionDueMs(box(dates), march(19)), dayMs + 2 * DAY_MS);
  const poll = watch(dates, march(19));
  assert.deepEqual(poll({}, dayMs + 2 * DAY_MS - 1), []);
  assert.match(String(poll({}, dayMs + 2 * DAY_MS)[0]?.data["dedup_key"]), /:not_departed:2026-03-22$/);
  const times = from(plan("ARRI", "USNYC", march(30, 20)));
  const dueMs = disruptionDueMs(box(times), march(19));
  assert.equal(dueMs, dayMs + DAY_MS, "a carrier that gives times means midnight");
});

test("each new day that passes in silence is raised, and the same day corrected is not", () => {
  const poll = watch(waiting, march(19));
  for (const [hours, atHours, raised] of [
    [0, 24, DISRUPTION],
    [5, 48, []],
    [40, 64 - 1 / 3_600, []],
    [40, 64, DISRUPTION],
    [0, 88, []],
  ] as const)
    assert.deepEqual(types(poll(late(hours), PROMISED_MS + atHours * HOUR_MS)), raised, `at ${atHours} h`);
});

test("what has left late, holds at the first poll, or is of a box whose voyage is over or cancelled, is no disruption", () => {
  const left = sailing(PROMISED_MS + 5 * DAY_MS, { departedMs: PROMISED_MS + 5 * DAY_MS });
  assert.deepEqual(watch(waiting, march(19))({ sailings: [left] }, march(26)), []);
  assert.deepEqual(watch(waiting, PROMISED_MS + 2 * DAY_MS)({}, PROMISED_MS + 3 * DAY_MS), []);
  for (const status of ["discharged", "available", "delivered", "cancelled"] as const) {
    assert.deepEqual(watch({ ...waiting, status }, march(19))({}, PROMISED_MS + 9 * DAY_MS), []);
    assert.equal(disruptionDueMs(box({ ...waiting, status }), march(19)), null);
  }
});

const made = sailing(march(10), { from: "CNTAO", promisedMs: march(10), departedMs: march(10) });

test("a later sailing is not overdue while the box has yet to reach it", () => {
  const timeline = [event("DEPA", "CNTAO", march(10))];
  const atSea = { status: "in_transit", timeline, sailings: [made, sailing(PROMISED_MS)] } as const;
  const poll = watch(atSea, march(19));
  assert.deepEqual(poll({}, PROMISED_MS + 2 * DAY_MS), []);
  assert.equal(disruptionDueMs(box(atSea), march(19)), null);
  const ashore = [...timeline, event("DISC", "NLRTM", march(20))];
  const [silent] = poll({ status: "at_transshipment", timeline: ashore }, PROMISED_MS + 3 * DAY_MS);
  assert.equal(silent?.data["kind"], "not_departed");
});

test("a sailing that a re-route has left behind hides none that the box waits for at its port", () => {
  const ashore: Partial<BoxRecord> = {
    status: "at_transshipment",
    timeline: [event("DEPA", "CNTAO", march(10)), event("DISC", "DEHAM", march(19))],
    sailings: [made, sailing(march(20)), sailing(march(22), { from: "DEHAM", promisedMs: march(22) })],
  };
  const poll = watch(ashore, march(19, 13));
  assert.equal(disruptionDueMs(box(ashore), march(19, 13)), march(23));
  assert.deepEqual(poll({}, march(22)), [], "nobody waits where the box never came");
  assert.match(String(poll({}, march(23))[0]?.data["headline"]), /has not left Hamburg/);
});
