/** Boxes that sail later than they were to: rolled over to another vessel, once for each that they miss. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march } from "../event.ts";
import { pollThrough, TRACKED, type Poll } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" };
const egret = { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9000003" }, voyage: "007W" };

type Ship = Pick<CarrierEvent, "vessel" | "voyage">;

const gateIn = event("GTIN", "CNTAO", march(1));

/** A plan that its carrier made on the day `created`. */
function sails(ship: Ship, day: number, created: number, from = "CNTAO", hour = 12): CarrierEvent {
  return event("DEPA", from, march(day, hour), {
    ...ship,
    classifier: "planned",
    createdAtMs: march(created),
  });
}

const load = (ship: Ship, day: number, from = "CNTAO") => event("LOAD", from, march(day), ship);
const off = (ship: Ship, day: number, from = "CNTAO") => event("DISC", from, march(day), ship);
const leaves = (ship: Ship, day: number, from = "CNTAO") => event("DEPA", from, march(day), ship);

/**
 * One poll a day from the 2nd on, later if an answer reports a later day; each line is the day, the kind, the delay and
 * the headline of a disruption.
 */
function disruptions(...answers: readonly (readonly CarrierEvent[])[]): readonly string[] {
  let atMs = march(1);
  const polls = answers.map((stated) => {
    const madeMs = stated.filter(({ classifier }) => classifier === "actual").map(({ at }) => at.ms);
    atMs = Math.max(atMs + 86_400_000, ...madeMs);
    return [atMs, stated] as const;
  });
  return told(pollThrough(polls));
}

function told(polls: readonly Poll[]): readonly string[] {
  return polls.flatMap(({ atMs, raised }) =>
    raised
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => {
        const { kind, delay_hours: delay, headline } = JSON.parse(data) as Record<string, string>;
        return `${new Date(atMs).getUTCDate()} ${kind} ${delay} ${headline}`;
      }),
  );
}

const AT = "The box is rolled over at Qingdao (CNTAO)";

test("spec 6.3: schedule_disruption: a box that is booked on a vessel a day later or more is rolled over, once for each vessel", () => {
  const first = [gateIn, sails(heron, 10, 1)];
  const second = [gateIn, sails(egret, 17, 3)];
  const third = [gateIn, sails(tern, 20, 4)];
  assert.deepEqual(disruptions(first, second, second, third, first, third), [
    `3 slipped 168 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 7 days later, on 17 March`,
    `5 slipped 72 ${AT}, from EGRET BAY 044E to TERN SOLSTICE 007W, which leaves 3 days later, on 20 March`,
  ]);
  const polls = pollThrough([
    [march(2), first],
    [march(3), second],
    [march(4), third],
  ]);
  const keys = polls
    .flatMap(({ raised }) => raised)
    .map(({ data }) => JSON.parse(data) as { dedup_key?: string });
  assert.deepEqual(
    keys.flatMap(({ dedup_key: key }) => key ?? []),
    [1, 2].map((nth) => `${TRACKED.id}:CSQU3054383:CNTAO:${nth}:rolled_over`),
  );
});

test("a swap of vessels within a day is no roll-over, and its slips count from the first promise", () => {
  const swapped = (hour: number, day = 11) => [gateIn, sails(egret, day, 3, "CNTAO", hour)];
  assert.deepEqual(disruptions([gateIn, sails(heron, 10, 1)], swapped(11), swapped(11, 12)), []);
  assert.deepEqual(disruptions([gateIn, sails(heron, 10, 1)], swapped(11), swapped(12, 12)), [
    "4 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 12 March",
  ]);
  assert.equal(disruptions([gateIn, sails(heron, 10, 1)], swapped(12)).length, 1);
  assert.deepEqual(disruptions([gateIn, sails(heron, 10, 1)], [gateIn, sails(egret, 6, 3)]), [], "earlier");
});

test("a name that is corrected, a vessel that is named late or a voyage that is renumbered is no roll-over", () => {
  const misspelt = { ...heron, vessel: { name: "HERRON DAWN", imo: "9000001" } };
  const spaced = { ...heron, vessel: { name: "Heron-Dawn", imo: null } };
  const unnamed = { vessel: null, voyage: null };
  const undirected = { ...heron, voyage: "12" };
  for (const other of [misspelt, spaced, unnamed, undirected]) {
    for (const [one, two] of [
      [heron, other],
      [other, heron],
    ] as const) {
      const raised = disruptions([gateIn, sails(one, 10, 1)], [gateIn, sails(two, 11, 3, "CNTAO", 13)]);
      assert.deepEqual(raised, [], JSON.stringify([one, two]));
    }
  }
  const renumbered = disruptions(
    [gateIn, sails(heron, 10, 1)],
    [gateIn, sails({ ...heron, voyage: "013E" }, 10, 3)],
  );
  assert.deepEqual(renumbered, []);
  const next = disruptions(
    [gateIn, sails(heron, 10, 1)],
    [gateIn, sails({ ...heron, voyage: "013E" }, 24, 3)],
  );
  assert.equal(next.length, 1, "the same vessel's next voyage");
});

test("what a roll-over tells is no slip, and a slip of the next sailing counts from there", () => {
  const rolled = (day: number) => [gateIn, sails(egret, day, 3)];
  const raised = disruptions([gateIn, sails(heron, 10, 1)], ...[17, 18, 19, 20].map(rolled));
  assert.deepEqual(raised.slice(1), [
    "5 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 19 March",
    "6 slipped 72 EGRET BAY 044E from Qingdao (CNTAO) now leaves 3 days later, on 20 March",
  ]);
});

test("a sailing that an answer leaves out keeps its promise, and a box is rolled over from it", () => {
  const plan = [gateIn, sails(heron, 10, 1)];
  const slipped = "4 slipped 72 HERON DAWN 012E from Qingdao (CNTAO) now leaves 3 days later, on 13 March";
  assert.deepEqual(disruptions(plan, [gateIn], [gateIn, sails(heron, 13, 3)]), [slipped]);
  const swapped = [gateIn, sails(egret, 10, 3, "CNTAO", 20)];
  assert.deepEqual(disruptions(plan, [gateIn], swapped, [gateIn], [gateIn, sails(egret, 13, 5)]), [
    "6 slipped 72 EGRET BAY 044E from Qingdao (CNTAO) now leaves 3 days later, on 13 March",
  ]);
  assert.deepEqual(disruptions(plan, [gateIn], [gateIn], [gateIn, sails(egret, 17, 4)]), [
    `5 slipped 168 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 7 days later, on 17 March`,
  ]);
});

test("a box that is taken off again is rolled over when its next vessel is known, or when the vessel leaves", () => {
  const plan = sails(heron, 6, 1);
  const loaded = [gateIn, load(heron, 3), plan];
  const unloaded = [...loaded, off(heron, 5)];
  const next = sails(egret, 6, 5, "CNTAO", 22);
  assert.deepEqual(disruptions([gateIn, plan], loaded, unloaded, [...unloaded, next]), [
    `6 slipped 10 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 10 hours later, on 7 March`,
  ]);
  const left = [gateIn, load(heron, 3), off(heron, 5), leaves(heron, 6)];
  const gone = `6 not_departed null ${AT}: HERON DAWN 012E has left without it, and no next sailing is known`;
  assert.deepEqual(disruptions(loaded, unloaded, left, [...left, sails(egret, 13, 8)]), [gone]);
  assert.deepEqual(disruptions(loaded.slice(0, 2), unloaded.slice(0, 2), left), [gone], "without any plan");
  const slips = [14, 15].map((day) => [...left, sails(egret, day, day - 6)]);
  const later = disruptions(loaded, unloaded, left, [...left, sails(egret, 13, 7)], ...slips);
  assert.deepEqual(later.slice(1), [
    "9 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 15 March",
  ]);
  const again = [...unloaded, load(heron, 6)];
  assert.deepEqual(disruptions(loaded, unloaded, again, [...again, leaves(heron, 7)]), [], "loaded again");
});

test("a vessel that leaves without a box that was swapped to another one leaves it behind", () => {
  const swapped = [
    gateIn,
    event("LOAD", "CNTAO", march(7), { ...egret, classifier: "planned" }),
    sails(egret, 7, 3),
  ];
  const left = [...swapped, leaves(heron, 6)];
  assert.deepEqual(disruptions([gateIn, sails(heron, 7, 1, "CNTAO", 10)], swapped, left, left), [
    `6 slipped 24 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 24 hours later, on 7 March`,
  ]);
});

test("a vessel that only her departure names leaves a box behind by her voyage", () => {
  const unnamed = (voyage: string): Ship => ({ vessel: null, voyage });
  const next = [gateIn, sails(unnamed("044E"), 17, 7)];
  assert.deepEqual(disruptions([gateIn, sails(unnamed("012E"), 6, 1)], [...next, leaves(heron, 6)]), [
    `6 slipped 264 ${AT}, from Voyage 012E to Voyage 044E, which leaves 11 days later, on 17 March`,
  ]);
  const hub = [gateIn, load(tern, 1), leaves(tern, 2), off(tern, 4, "SGSIN")];
  const waits = [...hub, sails(unnamed("012E"), 9, 1, "SGSIN")];
  const behind = [...hub, leaves(heron, 9, "SGSIN"), sails(unnamed("044E"), 16, 9, "SGSIN")];
  const [rolled, ...rest] = disruptions(waits, behind, behind, behind);
  assert.match(rolled!, /^9 slipped 168 .* from Voyage 012E to Voyage 044E/);
  assert.deepEqual(rest, []);
});

test("a vessel that has left and comes back under the same number puts its sailing off, and may leave a box again", () => {
  const putOff = [gateIn, load(heron, 3), off(heron, 4), sails(heron, 19, 5)];
  const gone = [...putOff, leaves(heron, 5)];
  const next = [...gone.filter((one) => one.classifier === "actual"), sails(egret, 26, 6)];
  assert.deepEqual(
    disruptions([gateIn, sails(heron, 5, 1)], putOff, gone, gone, next, [...next, leaves(heron, 19)]),
    [
      "4 slipped 336 HERON DAWN 012E from Qingdao (CNTAO) now leaves 14 days later, on 19 March",
      `7 slipped 168 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 7 days later, on 26 March`,
    ],
  );
});

test("a departure that was believed and proves to be of another vessel than the box's gives way to the true one", () => {
  const sailed = [gateIn, sails(heron, 3, 1), leaves(heron, 3)];
  const behind = [
    ...sailed,
    event("LOAD", "CNTAO", march(9), { ...egret, classifier: "planned" }),
    sails(egret, 10, 5),
  ];
  const polls = pollThrough([
    [march(2), sailed.slice(0, 2)],
    [march(3), sailed],
    [march(5), behind],
    [march(10), [...behind, load(egret, 9), leaves(egret, 10)]],
  ]);
  const departures = polls.map(
    ({ raised }) => raised.filter(({ type }) => type === "vessel_departed").length,
  );
  assert.deepEqual(departures, [0, 1, 0, 1]);
  assert.deepEqual(
    polls.map(({ record }) => record.status),
    ["pre_departure", "in_transit", "pre_departure", "in_transit"],
  );
  assert.deepEqual(told(polls), [
    `5 slipped 168 ${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves 7 days later, on 10 March`,
  ]);
});

test("a loading that proves false, or a departure that is withdrawn, rolls nothing over", () => {
  const plan = [gateIn, sails(heron, 10, 1)];
  assert.deepEqual(disruptions(plan, [...plan, load(heron, 3)], plan, plan), []);
  assert.deepEqual(
    disruptions(plan, [...plan, leaves(heron, 3)], plan, [...plan, load(heron, 5), leaves(heron, 5)]),
    [],
  );
});

test("a box is rolled over at a hub, too, before it comes there and when it waits there", () => {
  const sailed = [gateIn, load(heron, 1), leaves(heron, 2)];
  const hub = [...sailed, event("ARRI", "SGSIN", march(4), heron), off(heron, 4, "SGSIN")];
  const rolled =
    /rolled over at Singapore \(SGSIN\), from TERN SOLSTICE 007W to EGRET BAY 044E, which leaves 5 days/;
  const [atSea, ...none] = disruptions(
    [...sailed, sails(tern, 9, 1, "SGSIN")],
    [...sailed, sails(egret, 14, 3, "SGSIN")],
  );
  assert.match(atSea!, rolled);
  assert.deepEqual(none, []);
  const planned = (ship: Ship, day: number, created: number) => [
    { ...load(ship, day, "SGSIN"), classifier: "planned" as const, createdAtMs: march(created) },
    sails(ship, day, created, "SGSIN"),
  ];
  const waits = [...hub, ...planned(tern, 9, 1)];
  const gone = [...hub, leaves(heron, 5, "SGSIN"), ...planned(egret, 14, 5), leaves(tern, 9, "SGSIN")];
  const [ashore, ...rest] = told(
    pollThrough([
      [march(5), waits],
      [march(9), gone],
      [march(10), gone],
    ]),
  );
  assert.match(ashore!, rolled);
  assert.deepEqual(rest, []);
});

test("a vessel that leaves late takes its box, and a box that has sailed misses nothing", () => {
  const plan = [gateIn, sails(heron, 3, 1)];
  assert.deepEqual(disruptions(plan, [gateIn, load(egret, 9), leaves(egret, 10)]), []);
  const sailed = [gateIn, load(heron, 3), leaves(heron, 3)];
  assert.deepEqual(
    disruptions(plan, sailed, [...sailed, sails(egret, 10, 4)], [...sailed, leaves(egret, 6)]),
    [],
  );
});

test("a roll-over from before the first poll is not raised when a departure is withdrawn", () => {
  const waits = [gateIn, load(heron, 2), off(heron, 3), leaves(heron, 4), sails(egret, 12, 4)];
  const sailed = [...waits, leaves(egret, 11)];
  assert.deepEqual(disruptions(sailed, waits), []);
});

test("what holds at the first poll raises nothing", () => {
  const left = [gateIn, load(heron, 2), off(heron, 3), leaves(heron, 4)];
  assert.deepEqual(
    told(
      pollThrough([
        [march(5), left],
        [march(6), left],
        [march(7), [...left, sails(egret, 12, 6)]],
      ]),
    ),
    [],
  );
});
