/** The oracle of simulated worlds, on worlds made up by hand: it has nothing against a right one, and names each fault. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";

import {
  type ShownCall,
  wrongOfBlankings,
  wrongOfContainer,
  wrongOfSlips,
  wrongOfWaybill,
} from "./journeys.ts";
import type { Arrival, KnownEndpoint, Observed } from "./observed.ts";
import { judge } from "./oracle.ts";
import { type Circumstances, type EndedAttempt, wrongOfOutcome } from "./outcomes.ts";

const ENDPOINT: KnownEndpoint = {
  ...{ id: "e1", account: 0, product: "tracking", url: "https://receiver.example/1", secret: "whsec_1" },
  ...{ types: ["customs_hold"], askedMs: 0, madeMs: 10, switches: [], descriptions: [] },
};

function arrivalOf(fields: Partial<Arrival> = {}, type = "customs_hold", marker = "m1"): Arrival {
  const occurredAt = "2026-11-02T12:00:00.000Z";
  const body = JSON.stringify({ id: "d1", type, occurred_at: occurredAt, data: { marker } });
  const signature = createHmac("sha256", ENDPOINT.secret).update(body).digest("hex");
  const headers = new Map([
    ["x-tracking-delivery", "d1"],
    ["x-tracking-event", type],
    ["x-tracking-signature", `sha256=${signature}`],
  ]);
  return {
    url: ENDPOINT.url,
    node: "a",
    atMs: 120,
    headers,
    body,
    answered: 200,
    broken: null,
    endedMs: 130,
    ...fields,
  };
}

const CALL = {
  ...{ account: 0, product: "tracking", type: "customs_hold", markers: ["m1"] },
  ...{ askedMs: 100, outcome: "accepted" as const, doneMs: 110 },
};
const DELIVERED = {
  ...{ id: "d1", endpointId: "e1", eventId: "v1", status: "delivered", attemptCount: 1 },
  ...{ deliveredAt: "2026-11-02T12:00:01Z", parkedUntil: null },
};
const FINAL = { id: "e1", active: true, failureCount: 0, lastDeliveryAt: "2026-11-02T12:00:01Z" };

const RIGHT: Observed = {
  ...{ endedMs: 100_000, endpoints: [ENDPOINT], unanswered: new Set(), raised: [CALL] },
  ...{ bySources: [], journeys: [], calls: [], announcedMs: 0 },
  ...{ pings: new Set(), pingsUnknown: new Set(), arrivals: [arrivalOf()], deliveries: [DELIVERED] },
  ...{
    finals: [FINAL],
    looks: [],
    readiness: [],
    faults: [],
    silences: [],
    directoryOutages: [],
    hasJumped: false,
    waitsMs: [1_000, 2_000],
  },
  ...{ served: [], metered: [], shown: [], knocks: [], entitled: [], entitlements: [[]] },
};

const switched = (to: "paused" | "deleted", doneMs: number | null = 60) => [
  { ...ENDPOINT, switches: [{ to, askedMs: 50, doneMs }] },
];
/** Failed attempts, each so long after the one before. */
const failing = (...afterMs: readonly number[]): readonly Arrival[] => {
  let atMs = 120;
  return [0, ...afterMs].map((ms) => {
    atMs += ms;
    return arrivalOf({ answered: 500, atMs, endedMs: atMs });
  });
};
const looked = (fields: Partial<typeof FINAL> | { readonly lastDeliveryAt: null }) => [
  { askedMs: 9_000, doneMs: 9_001, endpoints: [{ ...FINAL, ...fields }] },
];
const DEAD = { ...DELIVERED, status: "dead", deliveredAt: null, attemptCount: 6 };
const AWAY = { kind: "away", fromMs: 5_000, untilMs: 43_000, node: null };
const asked = (askedMs: number, isReady: boolean, missesDirectory = false) => ({
  ...{ node: "a", askedMs, doneMs: askedMs + 1, isReady, missesDirectory },
});
const servedOf = (isAnswered: boolean, doneMs = 20_010, sinceMs = -10_000) => ({
  ...{ what: "raising", sinceMs, askedMs: 20_000, doneMs, isAnswered },
});
const SHOWN = {
  ...{ id: "d1", event_type: "customs_hold", status: "delivered", attempt_count: 1, last_status_code: 200 },
  ...{ delivered_at: "2026-11-02T12:00:01Z" },
};
const read = (fields: object, ...recent: readonly object[]) => [
  {
    ...{ id: "e1", askedMs: 9_000, doneMs: 9_001 },
    data: {
      url: ENDPOINT.url,
      event_types: ["customs_hold"],
      description: "",
      active: true,
      recent_deliveries: recent,
      ...fields,
    },
  },
];
const knock = (fields: object) => [
  {
    ...{ node: "b", isOwn: false, revokedMs: 5_000, askedMs: 6_500, doneMs: 6_501, isLetIn: true },
    ...fields,
  },
];
const entitled = (status: number) => [{ account: 0, askedMs: 9_000, doneMs: 9_001, status }];
const metered = (askedMs: number, fields: object) => ({
  ...{ node: "a", askedMs, doneMs: askedMs + 1, attempts: 1, errors: 0, bugs: 0 },
  ...fields,
});
const LOST = { kind: "kill", fromMs: 125, untilMs: 200, node: "a" };

const SOURCED = {
  ...{ id: "v2", account: 0, product: "tracking", type: "customs_hold" },
  ...{ data: '{"marker":""}', raisedMs: 60_000 },
};

type RaisedData = readonly [type: string, data: object];
/** Shown before all that is raised, and the last one twice after it. */
const shownOf = (name: string, ...statuses: readonly string[]) =>
  [...statuses, ...statuses.slice(-1)].map((status, at) => ({
    doneMs: at * 90_000,
    statuses: new Map([[name, status]]),
  }));
/** What a container's events say, in their order, and what is shown of it. */
const wrongWith = (shown: readonly string[], ...events: readonly RaisedData[]) =>
  wrongOfContainer(
    "MSCU1234566",
    events.map(([type, data], at) => ({ ...SOURCED, id: `v${at}`, type, data: JSON.stringify(data) })),
    shownOf("MSCU1234566", ...shown),
  ).join();
const wrongIn = (...events: readonly RaisedData[]) => wrongWith([], ...events);
const from = (previous: string, next: string) => ({ previous_status: previous, new_status: next });

const WRONG: readonly (readonly [what: string, seen: Partial<Observed>, message: RegExp])[] = [
  ["nobody registered it", { endpoints: [] }, /which nobody registered/],
  ["it never arrives", { arrivals: [], deliveries: [] }, /accepted and never sent/],
  ["it was refused", { raised: [{ ...CALL, outcome: "refused" }] }, /was refused, and sent/],
  ["nobody raised it", { raised: [] }, /which nobody raised/],
  ["another account's", { raised: [{ ...CALL, account: 1 }] }, /another account's/],
  ["another product's", { raised: [{ ...CALL, product: "air" }] }, /reached an endpoint of tracking/],
  [
    "not subscribed",
    { arrivals: [arrivalOf({}, "eta_changed")] },
    /reached an endpoint of tracking as eta_changed/,
  ],
  [
    "another body",
    { arrivals: [arrivalOf(), arrivalOf({ body: "{}" })], faults: [LOST] },
    /body of d1 has changed/,
  ],
  ["not its signature", { endpoints: [{ ...ENDPOINT, secret: "whsec_2" }] }, /signature of d1/],
  ["raised while paused", { endpoints: switched("paused") }, /raised while e1 was paused/],
  ["sent after its deletion", { endpoints: switched("deleted") }, /while it was deleted/],
  ["sent again after a success", { arrivals: [arrivalOf(), arrivalOf({ atMs: 5_000 })] }, /sent again/],
  ["a retry too early", { arrivals: failing(900) }, /attempt 2 of d1 came 900 ms after the last, not 1000/],
  ["a retry too late", { arrivals: failing(5_000) }, /d1 was due at 1.120 s and waited 4.000 s while e1/],
  ["the first attempt too late", { arrivals: [arrivalOf({ atMs: 4_000 })] }, /d1 was due at 0.110 s/],
  [
    "a seventh attempt",
    { arrivals: failing(...Array<number>(6).fill(2_000)), deliveries: [DEAD] },
    /sent 7 times/,
  ],
  [
    "attempts that were not made",
    { deliveries: [{ ...DELIVERED, attemptCount: 2 }] },
    /2 attempts, and 1 were made/,
  ],
  ["dead too soon", { arrivals: failing(), deliveries: [{ ...DEAD, attemptCount: 1 }] }, /dead after 1/],
  ["delivered to nobody", { arrivals: failing() }, /no receiver has taken it/],
  [
    "still pending",
    { deliveries: [{ ...DELIVERED, status: "pending", deliveredAt: null }] },
    /still pending/,
  ],
  ["not disabled", { finals: [{ ...FINAL, failureCount: 20 }] }, /failed 20 times and is active/],
  ["off too soon", { finals: [{ ...FINAL, active: false, failureCount: 19 }] }, /nobody paused it/],
  [
    "a ping that nobody wants",
    { raised: [], arrivals: [arrivalOf({}, "ping", "")] },
    /a ping that nobody asked for/,
  ],
  [
    "a failure counted twice",
    { arrivals: failing(), looks: looked({ failureCount: 2 }) },
    /counts 2 .* were 1/,
  ],
  ["a failure not counted", { arrivals: failing(), looks: looked({}) }, /counts 0 .* were 1/],
  [
    "not ready without a fault",
    { readiness: [asked(20_000, false)] },
    /a was not ready at 20.000 s, without/,
  ],
  [
    "ready without a database",
    { readiness: [asked(20_000, true)], faults: [AWAY] },
    /a was ready at 20.000 s, and its database away since 5.000 s/,
  ],
  [
    "not ready without the directory",
    { readiness: [asked(20_000, false, true)], directoryOutages: [AWAY] },
    /a was not ready at 20.000 s, without/,
  ],
  [
    "an outage of the directory that nobody names",
    { readiness: [asked(20_000, true)], directoryOutages: [AWAY] },
    /a did not name the directory at 20.000 s/,
  ],
  [
    "a directory that is missed and there",
    { readiness: [asked(20_000, true, true)] },
    /a named the directory at 20.000 s/,
  ],
  [
    "an event that is not taken without the directory",
    { served: [servedOf(false)], directoryOutages: [AWAY] },
    /^raising at 20.000 s, without the directory/,
  ],
  ["an event that is not taken", { served: [servedOf(false)] }, /^raising at 20.000 s, without a fault/],
  [
    "a caller who waits for the directory",
    { served: [servedOf(true, 22_000)], directoryOutages: [AWAY] },
    /^raising at 20.000 s, and took 2.000 s without/,
  ],
  [
    "a wait for the directory",
    { arrivals: [arrivalOf({ atMs: 20_000, endedMs: 20_010 })], directoryOutages: [AWAY] },
    /d1 was due .* and waited/,
  ],
  ["not disabled in the middle", { looks: looked({ failureCount: 20 }) }, /at 9.001 s, and is active/],
  ["a success that is not shown", { looks: looked({ lastDeliveryAt: null }) }, /has taken something/],
  ["a source's event that is not queued", { bySources: [SOURCED] }, /raised and never queued for e1/],
  ["an event that nobody shows", { arrivals: [arrivalOf({}, "customs_hold", "")] }, /does not show/],
  [
    "a source's event elsewhere",
    { bySources: [{ ...SOURCED, account: 1 }], arrivals: [arrivalOf({}, "customs_hold", "")] },
    /d1 reached another account's/,
  ],
];

const WRONG_ANSWERS: readonly (readonly [what: string, seen: Partial<Observed>, message: RegExp])[] = [
  ["a revoked key", { knocks: knock({}) }, /b let in at 6.500 s what was revoked at 5.000 s/],
  [
    "a revoked key at its own node",
    { knocks: knock({ isOwn: true, askedMs: 5_000 }), faults: [LOST] },
    /b let in/,
  ],
  ["refused what is entitled", { entitled: entitled(403) }, /answered 403 at 9.001 s, and it was there/],
  [
    "let in without an entitlement",
    { entitled: entitled(201), entitlements: [[{ to: "paused", askedMs: 5_000, doneMs: 5_100 }]] },
    /answered 201 at 9.001 s, and it was taken/,
  ],
  [
    "not found",
    { shown: read({}).map(({ data: _, ...one }) => ({ ...one, data: undefined })) },
    /is not found/,
  ],
  ["shown after its deletion", { shown: read({}), endpoints: switched("deleted") }, /after its deletion/],
  ["another description", { shown: read({ description: "new" }) }, /described as "new", not ""/],
  [
    "a description that was changed back",
    { shown: read({}), endpoints: [{ ...ENDPOINT, descriptions: [{ to: "new", askedMs: 50, doneMs: 60 }] }] },
    /described as "", not "new"/,
  ],
  ["a delivery that is left out", { shown: read({}) }, /lacks d1 among/],
  ["another URL", { shown: read({ url: "https://other.example" }) }, /another URL/],
  ["active though paused", { shown: read({}), endpoints: switched("paused") }, /though its owner paused it/],
  ["inactive though active", { shown: read({ active: false }) }, /though nobody paused it/],
  [
    "attempts that are not",
    { shown: read({}, { ...SHOWN, attempt_count: 2 }) },
    /d1 counts 2 attempts, and 1/,
  ],
  [
    "a code that nobody sent",
    { shown: read({}, { ...SHOWN, last_status_code: 500 }) },
    /answered 500, which/,
  ],
  ["dead too soon", { shown: read({}, { ...SHOWN, status: "dead", delivered_at: null }) }, /dead after 1/],
  ["a bug that a node counts", { metered: [metered(9_000, { bugs: 1 })] }, /a counts 1 bugs/],
  [
    "attempts that were not made",
    { metered: [metered(9_000, { attempts: 2 })] },
    /2 attempts .* made 1 to 1/,
  ],
  [
    "attempts that it does not count",
    { metered: [metered(9_000, { attempts: 0 })] },
    /0 attempts .* made 1 to 1/,
  ],
  [
    "errors that it does not count",
    { metered: [metered(4_000, {}), metered(20_000, {})], faults: [AWAY] },
    /a counts no errors of a database that is away since 5.000 s/,
  ],
  ["out of order", { shown: read({}, SHOWN, { ...SHOWN, id: "d2" }) }, /out of order/],
];

const SENT: EndedAttempt = {
  ...{ url: ENDPOINT.url, node: "a", atMs: 5_000, endedMs: 5_100 },
  outcome: { kind: "answered", status: 200 },
  receipts: [{ begun: 200, status: 200, answeredMs: 5_099 }],
};
const AROUND: Circumstances = { attemptMs: 4_000, faults: [], silences: [], isSteady: true };
const SILENCE = { kind: "names", fromMs: 4_000, untilMs: 6_000, node: null };
const failedWith = (code: string, status: number | null = null) => ({
  kind: "failed" as const,
  code,
  status,
});
const UNREACHABLE = "name_servers_unreachable";

const WRONG_OUTCOMES: readonly (readonly [
  what: string,
  sent: Partial<EndedAttempt>,
  message: RegExp,
  around?: Partial<Circumstances>,
])[] = [
  ["sent twice in one attempt", { receipts: [...SENT.receipts, ...SENT.receipts] }, /arrived 2 times/],
  ["another answer", { outcome: { kind: "answered", status: 500 } }, /ended with 500, and .* answered 200/],
  ["a status that nobody began", { outcome: failedWith("closed_early", 204) }, /204, which its receiver/],
  ["an answer after its time", { endedMs: 13_000 }, /took too long/],
  ["not made", { outcome: { kind: "unsent", code: "out_of_sockets" }, receipts: [] }, /could not be made/],
  [
    "name servers counted against a receiver",
    { outcome: failedWith(UNREACHABLE), receipts: [] },
    /no fault of its receiver/,
    { silences: [SILENCE] },
  ],
  ["nothing arrived", { outcome: failedWith("connection_refused"), receipts: [] }, /nothing arrived/],
  ["failed though answered", { outcome: failedWith("timeout") }, /timeout, and its receiver answered 200/],
];

describe("what an attempt comes to", () => {
  for (const [what, sent, message, around] of WRONG_OUTCOMES)
    test(`is objected to: ${what}`, () =>
      assert.match(wrongOfOutcome({ ...SENT, ...sent }, { ...AROUND, ...around }).join(), message));

  test("is right where its receiver did so, and where nobody else could", () => {
    const once = { begun: null, status: null, answeredMs: Number.POSITIVE_INFINITY };
    const moved = { outcome: failedWith("connection_refused"), receipts: [] };
    const unsent = { outcome: { kind: "unsent", code: UNREACHABLE } as const, receipts: [] };
    const frozen = [{ kind: "freeze", fromMs: 5_010, untilMs: 60_000, node: "a" }];
    for (const [sent, around] of [
      [{}, {}],
      [{ receipts: [once, ...SENT.receipts] }, {}],
      [moved, { isSteady: false }],
      [unsent, { silences: [SILENCE] }],
      [{ endedMs: 50_000, outcome: failedWith("timeout") }, { faults: frozen }],
    ] as const)
      assert.deepEqual(wrongOfOutcome({ ...SENT, ...sent }, { ...AROUND, ...around }), []);
  });
});

describe("the oracle", () => {
  test("leaves the time of the process alone, in which other tests run", () => {
    assert.equal(Date.name, "Date");
  });

  test("has nothing against a world in which all holds", () => {
    assert.deepEqual(judge(RIGHT), []);
  });

  test("has nothing against answers that are right", () => {
    const known = {
      knocks: [...knock({ isLetIn: false }), ...knock({ askedMs: 5_900 })],
      entitled: entitled(201),
    };
    assert.deepEqual(judge({ ...RIGHT, ...known, shown: read({}, SHOWN) }), []);
  });

  for (const [what, seen, message] of [...WRONG, ...WRONG_ANSWERS])
    test(`objects: ${what}`, () => assert.match(judge({ ...RIGHT, ...seen }).join("\n"), message));

  test("forgives what a fault may have cost, and what nobody was answered", () => {
    const isNew = { served: [servedOf(false, 20_010, 4_000)], directoryOutages: [AWAY] };
    assert.deepEqual(judge({ ...RIGHT, ...isNew }), []);
    const hasWoken = { readiness: [asked(20_000, true)], directoryOutages: [AWAY], faults: [LOST] };
    assert.deepEqual(judge({ ...RIGHT, ...hasWoken }), []);
    const again = { arrivals: [arrivalOf(), arrivalOf({ node: "b", atMs: 300, endedMs: 310 })] };
    assert.deepEqual(judge({ ...RIGHT, ...again, faults: [LOST] }), []);
    assert.notDeepEqual(judge({ ...RIGHT, ...again, faults: [{ ...LOST, node: "b" }] }), []);
    assert.deepEqual(judge({ ...RIGHT, endpoints: switched("paused", null) }), []);
    const late = [arrivalOf({ atMs: 4_000, endedMs: 4_010 })];
    assert.deepEqual(judge({ ...RIGHT, arrivals: late, faults: [LOST] }), []);
    // World 1795997400: the success is written when its node is cut off no longer, and resets the failure.
    const failed = arrivalOf({ answered: 500, atMs: 4_000, endedMs: 4_010 });
    const reset = { arrivals: [arrivalOf({ node: "b" }), failed], looks: looked({}) };
    const parted = { ...LOST, node: "b", untilMs: 8_000 };
    assert.match(judge({ ...RIGHT, ...reset }).join(), /counts 0 failures in a row/);
    assert.doesNotMatch(judge({ ...RIGHT, ...reset, faults: [parted] }).join(), /failures in a row/);
    const overlapping = [
      { to: "active" as const, askedMs: 50, doneMs: 70 },
      { to: "paused" as const, askedMs: 55, doneMs: 60 },
    ];
    assert.deepEqual(judge({ ...RIGHT, endpoints: [{ ...ENDPOINT, switches: overlapping }] }), []);
    const unanswered = new Set([ENDPOINT.url]);
    assert.deepEqual(judge({ ...RIGHT, endpoints: [], finals: [], unanswered }), []);
  });

  test("follows a waybill forwards", () => {
    const shown = (statuses: readonly string[], ...types: readonly string[]) =>
      wrongOfWaybill(
        "17612345675",
        types.map((type) => ({ ...SOURCED, type })),
        shownOf("17612345675", ...statuses),
      ).join();
    const raised = (...types: readonly string[]) => shown([], ...types);
    assert.equal(raised("awb_accepted", "awb_arrived", "awb_delivered"), "");
    assert.match(shown(["booked", "delivered"], "awb_arrived"), /is shown delivered, after awb_arrived/);
    assert.equal(shown(["booked", "arrived"], "awb_delivered"), "", "it was taken back");
    assert.match(raised("awb_arrived", "awb_arrived"), /awb_arrived v2 .* after awb_arrived/);
    assert.match(raised("awb_arrived", "awb_in_transit"), /awb_in_transit v2 .* after awb_arrived/);
  });

  test("follows a container from status to status", () => {
    const sails = ["vessel_departed", from("pre_departure", "in_transit")] as const;
    const lands = ["container_available", from("in_transit", "available")] as const;
    assert.equal(wrongIn(sails, lands), "");
    assert.match(wrongIn(sails, sails), /is raised again.*comes from pre_departure, after in_transit/);
    assert.equal(wrongIn(sails, ["container_arrived", from("at_transshipment", "arriving")]), "");
    const sailsOn = ["vessel_departed", from("at_transshipment", "in_transit")] as const;
    assert.equal(wrongIn(sails, sailsOn, sailsOn), "", "two ports of transshipment");
    assert.match(wrongIn(sails, sailsOn, sailsOn, sailsOn), /is raised again/);
    const held = ["customs_hold", from("in_transit", "customs_hold")] as const;
    assert.equal(wrongIn(sails, held, lands), "", "it was let go between two polls");
    assert.match(
      wrongIn(held, ["container_available", from("discharged", "available")]),
      /after customs_hold/,
    );
    assert.match(wrongIn(["container_arrived", from("arriving", "arriving")]), /changes nothing/);
    assert.match(wrongWith(["pending", "discharged"], sails), /is shown discharged, after in_transit/);
    assert.match(wrongWith(["pre_departure", "in_transit"]), /is shown in_transit, after pre_departure/);
    assert.match(wrongWith(["arriving"], sails), /comes from pre_departure, after arriving/);
    assert.equal(wrongWith(["pending", "in_transit"], sails, held), "");
    assert.equal(wrongWith(["pre_departure", "at_transshipment"], sails), "");
    const named = ["shipment_updated", { changed_fields: ["status"] }] as const;
    assert.equal(wrongIn(sails, named, ["container_available", from("discharged", "available")]), "");
    assert.match(wrongIn(["eta_changed", { delta_hours: -23 }]), /moved by -23 hours/);
    const slips = ["schedule_disruption", { dedup_key: "slipped-1" }] as const;
    assert.match(wrongIn(slips, slips), /reports slipped-1 again/);
  });

  test("follows a call from slip to slip, a day at a time", () => {
    const slipped = (...slips: readonly (readonly [from: number, to: number, day: number])[]) =>
      wrongOfSlips(
        slips.map(([old, now, day]) => ({
          ...{ ...SOURCED, product: "schedules", type: "sailing_slipped", raisedMs: day * 86_400_000 },
          data: JSON.stringify({ old_departure: old, new_departure: now, delta_hours: now - old }),
        })),
      ).join();
    assert.equal(slipped([0, 30, 0], [30, 60, 1]), "");
    assert.match(slipped([0, 30, 0], [10, 60, 1]), /comes from 10, after 30/);
    assert.match(slipped([0, 30, 0], [30, 60, 0]), /again on one day/);
    assert.match(slipped([0, 23, 0]), /slipped by 23 hours/);
  });

  test("asks for an event of each cancellation, and for no other", () => {
    const call = {
      ...{ service: "K1", port: "DEHAM", importVoyage: "1W", exportVoyage: "1E" },
      ...{ isCancelled: true, cancelledMs: [50] },
    };
    const omitted = {
      kind: "port_call",
      service: "K1",
      port: "DEHAM",
      import_voyage: "1W",
      export_voyage: "1E",
    };
    const blanked = (calls: readonly ShownCall[], ...events: readonly object[]) =>
      wrongOfBlankings(
        events.map((data) => ({ ...SOURCED, type: "blank_sailing", data: JSON.stringify(data) })),
        calls,
        10,
      ).join();
    assert.equal(blanked([call], omitted), "");
    assert.equal(blanked([call], { kind: "voyage", service: "K1", voyage: "1W" }), "");
    assert.match(blanked([call], { ...omitted, port: "BEANR" }), /at DEHAM was cancelled, and nothing/);
    const known = { ...call, port: "BEANR", importVoyage: "1E", cancelledMs: [] };
    assert.equal(blanked([call, known]), "", "its voyage was cancelled before");
    assert.match(blanked([call, { ...known, isCancelled: false }]), /at DEHAM was cancelled, and nothing/);
    assert.match(blanked([call], omitted, omitted), /cancelled 1 times, and 2 events/);
  });
});
