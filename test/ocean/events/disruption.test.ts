import assert from "node:assert/strict";
import { test } from "node:test";

import { disruptionDueMs } from "../../../src/products/ocean/events/disruption.ts";
import type { BoxRecord, Sailing } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { TRACKED } from "../life.ts";
import { box, place } from "../records.ts";
import { DAY_MS, HOUR_MS, types, watch } from "./watch.ts";

const MINUTE_MS = 60_000;
const PROMISED_MS = march(21);

function sailing(expectedMs: number, more: Partial<Sailing> = {}): Sailing {
  return {
    from: "NLRTM",
    vessel: "MSC ANNA",
    voyage: "123W",
    promisedMs: PROMISED_MS,
    expectedMs,
    departedMs: null,
    ...more,
  };
}

const waiting: Partial<BoxRecord> = {
  status: "pre_departure",
  timeline: [event("GTIN", "NLRTM", march(18))],
  sailings: [sailing(PROMISED_MS)],
};

for (const [delay, delayMs, expected] of [
  ["47:59 h", 48 * HOUR_MS - MINUTE_MS, []],
  ["48:00 h", 48 * HOUR_MS, ["schedule_disruption"]],
  ["48:01 h", 48 * HOUR_MS + MINUTE_MS, ["schedule_disruption"]],
  ["-20:00 h", -20 * HOUR_MS, []],
] as const) {
  test(`a departure that is to be ${delay} after the one promised is ${expected.length === 0 ? "no" : "a"} slip`, () => {
    const poll = watch(waiting, march(19));
    assert.deepEqual(types(poll({ sailings: [sailing(PROMISED_MS + delayMs)] }, march(19, 13))), expected);
  });
}

test("spec 2.4: schedule_disruption; 6.2: schedule_disruption; 6.3: schedule_disruption: a slip is raised, and again when it has grown by a day since", () => {
  const poll = watch(waiting, march(19));
  const [slip] = poll({ sailings: [sailing(PROMISED_MS + 3 * DAY_MS)] }, march(20));
  const { kind, dedup_key, headline, delay_hours } = slip!.data;
  assert.deepEqual(
    { kind, dedup_key, headline, delay_hours },
    {
      kind: "slipped",
      dedup_key: `${TRACKED.id}:CSQU3054383:NLRTM:1:slipped`,
      headline: "MSC ANNA 123W from Rotterdam (NLRTM) now leaves 3 days later, on 24 March",
      delay_hours: 72,
    },
  );
  const later = (hours: number) => poll({ sailings: [sailing(PROMISED_MS + hours * HOUR_MS)] }, march(20));
  assert.deepEqual(
    [95, 96, 119, 60, 119, 120].map((hours) => later(hours).map(({ data }) => data["delay_hours"])),
    [[], [96], [], [], [], [120]],
    "a delay that shrinks is none, and what was raised last counts",
  );
});

test("a slip that an older record raised is not raised again until it grows", () => {
  const told = { ...box().told, disruptions: ["NLRTM:1:slipped"] };
  const poll = watch({ ...waiting, told }, march(19));
  const slipped = (hours: number) => [sailing(PROMISED_MS + hours * HOUR_MS)];
  assert.deepEqual(poll({ sailings: slipped(80) }, march(20)), []);
  assert.deepEqual(poll({ sailings: slipped(103) }, march(20)), []);
  assert.equal(poll({ sailings: slipped(104) }, march(20))[0]?.data["delay_hours"], 104);
});

test("a headline names the day by the port's calendar, in every month", () => {
  for (let month = 0; month < 12; month += 1) {
    const poll = watch(waiting, march(19));
    // Half an hour before midnight UTC: the next day in Rotterdam.
    const toMs = Date.UTC(2027, month, 9, 23, 30);
    const [slip] = poll({ sailings: [sailing(toMs)] }, march(20));
    const day = new Date(Date.UTC(2027, month, 10)).toLocaleString("en-GB", {
      day: "numeric",
      month: "long",
      timeZone: "UTC",
    });
    assert.ok(String(slip?.data["headline"]).endsWith(`, on ${day}`), String(slip?.data["headline"]));
  }
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

test("a slip by small steps is a slip, too", () => {
  const poll = watch(waiting, march(19));
  const steps = [20, 40, 60].map((hours) =>
    types(poll({ sailings: [sailing(PROMISED_MS + hours * HOUR_MS)] }, march(20))),
  );
  assert.deepEqual(steps, [[], [], ["schedule_disruption"]]);
});

test("a vessel that has left late raises its departure and no slip", () => {
  const poll = watch(waiting, march(19));
  const left = sailing(PROMISED_MS + 5 * DAY_MS, { departedMs: PROMISED_MS + 5 * DAY_MS });
  assert.deepEqual(poll({ sailings: [left] }, march(26)), []);
});

test("24 hours without a reported departure raise not_departed, by time alone and once", () => {
  const poll = watch(waiting, march(19));
  const raised = [24 * HOUR_MS - 1, 24 * HOUR_MS, 25 * HOUR_MS, 9 * DAY_MS].map((ms) =>
    poll({}, PROMISED_MS + ms),
  );
  assert.deepEqual(raised.map(types), [[], ["schedule_disruption"], [], []]);
  const { kind, dedup_key, headline, delay_hours } = raised[1]![0]!.data;
  assert.deepEqual(
    { kind, dedup_key, headline, delay_hours },
    {
      kind: "not_departed",
      dedup_key: `${TRACKED.id}:CSQU3054383:NLRTM:1:not_departed:2026-03-21`,
      headline:
        "MSC ANNA 123W has not left Rotterdam (NLRTM), where it was to leave on 21 March, " +
        "and the carrier gives no new date",
      delay_hours: null,
    },
  );
});

test("a new date ends the silence, and may be a slip of its own", () => {
  const poll = watch(waiting, march(19));
  const sailings = [sailing(PROMISED_MS + 3 * DAY_MS)];
  assert.equal(poll({ sailings }, PROMISED_MS + 30 * HOUR_MS)[0]?.data["kind"], "slipped");
  assert.deepEqual(poll({}, PROMISED_MS + 4 * DAY_MS - 1), []);
  assert.equal(poll({}, PROMISED_MS + 4 * DAY_MS)[0]?.data["kind"], "not_departed");
});

test("a departure that is planned for a day counts from the end of that day", () => {
  const dayMs = march(21, 23);
  const plan = (code: string, unlocode: string, ms: number) =>
    event(code, unlocode, ms, { classifier: "planned" });
  const from = (...timeline: BoxRecord["timeline"]): Partial<BoxRecord> => ({
    ...waiting,
    timeline: [event("GTIN", "NLRTM", march(18)), plan("DEPA", "NLRTM", dayMs), ...timeline],
    sailings: [sailing(dayMs, { promisedMs: dayMs })],
  });
  const dates = from(plan("ARRI", "USNYC", march(30, 23)));
  assert.equal(disruptionDueMs(box(dates), march(19)), dayMs + 2 * DAY_MS);
  const poll = watch(dates, march(19));
  assert.deepEqual(poll({}, dayMs + 2 * DAY_MS - 1), []);
  assert.match(String(poll({}, dayMs + 2 * DAY_MS)[0]?.data["dedup_key"]), /:not_departed:2026-03-22$/);
  const times = from(plan("ARRI", "USNYC", march(30, 20)));
  assert.equal(
    disruptionDueMs(box(times), march(19)),
    dayMs + DAY_MS,
    "a carrier that gives times means midnight",
  );
});

test("each new day that passes in silence is raised, and the same day corrected is not", () => {
  const poll = watch(waiting, march(19));
  const silent = (toMs: number, atMs: number) => types(poll({ sailings: [sailing(toMs)] }, atMs));
  assert.deepEqual(silent(PROMISED_MS, PROMISED_MS + DAY_MS), ["schedule_disruption"]);
  assert.deepEqual(silent(PROMISED_MS + 5 * HOUR_MS, PROMISED_MS + 2 * DAY_MS), []);
  const nextMs = PROMISED_MS + 40 * HOUR_MS;
  assert.deepEqual(silent(nextMs, nextMs + DAY_MS - 1), []);
  assert.deepEqual(silent(nextMs, nextMs + DAY_MS), ["schedule_disruption"]);
  assert.deepEqual(silent(PROMISED_MS, nextMs + 2 * DAY_MS), [], "back to the first day");
});

test("a disruption that holds at the first poll is never raised", () => {
  const poll = watch(waiting, PROMISED_MS + 2 * DAY_MS);
  assert.deepEqual(poll({}, PROMISED_MS + 3 * DAY_MS), []);
});

test("a later sailing is not overdue while the box has yet to reach it", () => {
  const made = sailing(march(10), { from: "CNTAO", promisedMs: march(10), departedMs: march(10) });
  const atSea: Partial<BoxRecord> = {
    status: "in_transit",
    timeline: [event("DEPA", "CNTAO", march(10))],
    sailings: [made, sailing(PROMISED_MS)],
  };
  const poll = watch(atSea, march(19));
  assert.deepEqual(poll({}, PROMISED_MS + 2 * DAY_MS), []);
  assert.equal(disruptionDueMs(box(atSea), march(19)), null);
  const ashore = {
    status: "at_transshipment",
    timeline: [...atSea.timeline!, event("DISC", "NLRTM", march(20))],
  } as const;
  assert.equal(poll(ashore, PROMISED_MS + 3 * DAY_MS)[0]?.data["kind"], "not_departed");
});

test("a box whose voyage is over or cancelled misses no sailing", () => {
  for (const status of ["discharged", "available", "delivered", "cancelled"] as const) {
    const poll = watch({ ...waiting, status }, march(19));
    assert.deepEqual(poll({}, PROMISED_MS + 9 * DAY_MS), []);
    assert.equal(disruptionDueMs(box({ ...waiting, status }), march(19)), null);
  }
});

test("a box is re-evaluated when its sailing counts as not departed", () => {
  assert.equal(disruptionDueMs(box(waiting), march(19)), PROMISED_MS + DAY_MS);
  assert.equal(disruptionDueMs(box(waiting), PROMISED_MS + DAY_MS), null);
});

test("a headline says what is known, of the port and of the vessel", () => {
  const headline = (more: Partial<Sailing>, name: string | null) => {
    const timeline = [
      event("GTIN", more.from ?? "NLRTM", march(18), { place: place(more.from ?? "NLRTM", { name }) }),
    ];
    const poll = watch({ ...waiting, timeline, sailings: [sailing(PROMISED_MS, more)] }, march(19));
    return poll({ sailings: [sailing(PROMISED_MS + 2 * DAY_MS, more)] }, march(20))[0]?.data["headline"];
  };
  const later = "now leaves 2 days later, on 23 March";
  assert.equal(headline({ from: "XXAAA" }, "Aaa"), `MSC ANNA 123W from Aaa (XXAAA) ${later}`);
  assert.equal(headline({ from: "XXAAA" }, null), `MSC ANNA 123W from XXAAA ${later}`);
  assert.equal(headline({ voyage: null }, null), `MSC ANNA from Rotterdam (NLRTM) ${later}`);
  assert.equal(headline({ vessel: null }, null), `Voyage 123W from Rotterdam (NLRTM) ${later}`);
  assert.equal(headline({ vessel: null, voyage: null }, null), `The vessel from Rotterdam (NLRTM) ${later}`);
  const nearMidnight = { promisedMs: march(21, 17), expectedMs: march(21, 17) };
  const poll = watch(
    { ...waiting, sailings: [sailing(march(21, 17), { ...nearMidnight, from: "CNTAO" })] },
    march(19),
  );
  const moved = sailing(march(23, 17), { promisedMs: march(21, 17), from: "CNTAO" });
  assert.match(
    String(poll({ sailings: [moved] }, march(20))[0]?.data["headline"]),
    /on 24 March$/,
    "the port's day",
  );
});

test("a sailing that a re-route has left behind hides none that the box waits for at its port", () => {
  const made = sailing(march(10), { from: "CNTAO", promisedMs: march(10), departedMs: march(10) });
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
