/**
 * What is raised once for each port and occasion of a trip, journeys lived through poll by poll: the events of each
 * poll with their statuses, `container_available(discharged, available)`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march, documentEvent } from "../event.ts";
import { pollThrough, type Poll } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const atHub = [...sailed, event("DISC", "SGSIN", march(9), heron)];
const onward = [
  ...atHub,
  event("LOAD", "SGSIN", march(12), tern),
  event("DEPA", "SGSIN", march(13), tern),
  event("DISC", "DEHAM", march(28), tern),
];
const landed = [...sailed, event("DISC", "NLRTM", march(20), heron)];

function eta(unlocode: string, day: number, more: Partial<CarrierEvent> = heron): CarrierEvent {
  return event("ARRI", unlocode, march(day), { classifier: "estimated", ...more });
}

function released(day: number): CarrierEvent {
  return documentEvent("SRM", "RELS", march(day));
}

/** The events of all polls but the first. */
function raisedIn(polls: readonly Poll[]): readonly string[] {
  return polls.slice(1).map(({ raised }) => raised.map(({ type, data }) => textOf(type, data)).join(" "));
}

function textOf(type: string, data: string): string {
  const { previous_status: from, new_status: to, changed_fields: fields } = JSON.parse(data) as Fields;
  return type === "shipment_updated" ? `updated(${String(fields)})` : `${type}(${from}, ${to})`;
}

type Fields = { readonly [name in "previous_status" | "new_status" | "changed_fields"]?: string };

function keysOf(polls: readonly Poll[]): readonly (string | undefined)[] {
  return polls.flatMap(({ raised }) => raised.flatMap(({ dedupKey = [] }) => dedupKey));
}

test("spec 6.3: container_available: a port that proves not to be the last spends no availability of the right one", () => {
  const atHubReady = [...atHub, event("AVPU", "SGSIN", march(10), { mode: null })];
  const polls = pollThrough([
    [march(4), sailed],
    [march(10), atHubReady],
    [march(28), [...atHubReady, ...onward.slice(atHub.length)]],
    [
      march(29),
      [...atHubReady, ...onward.slice(atHub.length), event("AVPU", "DEHAM", march(29), { mode: null })],
    ],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "container_available(in_transit, available) updated(eta,discharge)",
    "vessel_departed(available, in_transit) updated(status,eta,vessel,discharge)",
    "container_available(discharged, available)",
  ]);
  assert.equal(new Set(keysOf(polls)).size, keysOf(polls).length);
});

test("spec 6.3: container_available: again after a customs hold, and after a release that was withdrawn", () => {
  const held = [...landed, released(21), documentEvent("CUS", "HOLD", march(22))];
  const cleared = [...held, documentEvent("CUS", "RELS", march(23))];
  const withdrawn = [...cleared, documentEvent("SRM", "HOLD", march(24))];
  const polls = pollThrough([
    [march(20), landed],
    [march(21), [...landed, released(21)]],
    [march(22), held],
    [march(23), cleared],
    [march(24), withdrawn],
    [march(25), [...withdrawn, released(25)]],
    [march(26), [...withdrawn, released(25)]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "container_available(discharged, available)",
    "customs_hold(available, customs_hold)",
    "container_available(customs_hold, available)",
    "updated(status)",
    "container_available(discharged, available)",
    "",
  ]);
});

test("spec 3.3: genuine_transition: a release that is retracted and repeated is one, another one days later is not", () => {
  const polls = pollThrough([
    [march(20), landed],
    [march(21), [...landed, released(21)]],
    [march(22), landed],
    [march(22, 13), [...landed, released(21)]],
    [march(23), landed],
    [march(25), [...landed, released(25)]],
    [march(28), [...landed, released(27)]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "container_available(discharged, available)",
    "updated(status)",
    "updated(status)",
    "updated(status)",
    "container_available(discharged, available)",
    "",
  ]);
  assert.equal(new Set(keysOf(polls)).size, 2);
});

test("spec 6.3: customs_hold: each hold, though the carrier drops the one before, and each once", () => {
  const hold = (day: number): CarrierEvent => documentEvent("CUS", "HOLD", march(day));
  const polls = pollThrough([
    [march(20), landed],
    [march(21), [...landed, hold(21)]],
    [march(22), [...landed, documentEvent("CUS", "RELS", march(22))]],
    [march(24), [...landed, hold(24)]],
    [march(26), [...landed, { ...hold(24), at: hold(25).at }]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "customs_hold(discharged, customs_hold)",
    "updated(status)",
    "customs_hold(discharged, customs_hold)",
    "",
  ]);
});

test("spec 6.3: customs_hold: one hold at the port and inland is one", () => {
  const rail = { mode: "rail" } as const;
  const plan = event("DISC", "DEMUC", march(26), { ...rail, classifier: "planned" });
  const held = [...landed, plan, documentEvent("CUS", "HOLD", march(21))];
  const polls = pollThrough([
    [march(20), [...landed, plan]],
    [march(21), held],
    [march(23), [...held, event("LOAD", "NLRTM", march(23), rail)]],
    [march(26), [...held, event("LOAD", "NLRTM", march(23), rail), event("DISC", "DEMUC", march(26), rail)]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "customs_hold(discharged, customs_hold)",
    "updated(status)",
    "updated(status)",
  ]);
});

test("spec 6.3: container_delivered: a handover that proves to be none spends no other, and each is raised once", () => {
  const rail = { mode: "rail" } as const;
  const out = [...landed, event("GTOT", "NLRTM", march(21))];
  const further = [...out, event("GTIN", "DEMUC", march(23)), event("GTOT", "DEMUC", march(24))];
  const [first, , delivered, ...more] = pollThrough([
    [march(20), landed],
    [march(21), out],
    [march(24), further],
    [march(25), further.map((one) => (one.at.ms === march(24) ? { ...one, place: null } : one))],
    [march(26), further],
    [march(27), [...further, event("LOAD", "NLRTM", march(22), rail)]],
  ]);
  assert.ok(first);
  assert.match(raisedIn([first, delivered!])[0]!, /^container_delivered/);
  assert.ok(!raisedIn([first, ...more]).some((line) => line.includes("container_delivered")));
});

test("spec 6.3: container_arrived: once for each destination port, and of each only once", () => {
  const polls = pollThrough([
    [march(10), [...sailed, eta("NLRTM", 20)]],
    [march(19), [...sailed, eta("NLRTM", 20)]],
    [march(19, 13), [...sailed, eta("BEANR", 21)]],
    [march(20), [...sailed, eta("BEANR", 21)]],
    [march(20, 13), [...sailed, eta("NLRTM", 22)]],
    [march(20, 14), [...sailed, eta("NLRTM", 24)]],
    [march(23), [...sailed, eta("NLRTM", 24)]],
  ]);
  const arrivals = raisedIn(polls).map((line) => /container_arrived\(.*?\)/.exec(line)?.[0] ?? "");
  assert.deepEqual(arrivals, [
    "container_arrived(in_transit, arriving)",
    "container_arrived(arriving, arriving)",
    "",
    "",
    "",
    "",
  ]);
});

test("spec 6.3: container_misrouted: once for each port of discharge", () => {
  const wrong = [...sailed, eta("NLRTM", 21), event("DISC", "BEANR", march(19), heron)];
  const shipped = [
    ...wrong,
    event("LOAD", "BEANR", march(22), tern),
    event("DEPA", "BEANR", march(23), tern),
  ];
  const again = [...shipped, eta("NLRTM", 26, tern), event("DISC", "GBFXT", march(25), tern)];
  const polls = pollThrough([
    [march(10), [...sailed, eta("NLRTM", 21)]],
    [march(19), wrong],
    [march(20), [...sailed, eta("NLRTM", 21)]],
    [march(20, 13), wrong],
    [march(25), again],
  ]);
  const misrouted = raisedIn(polls).map((line) => line.includes("container_misrouted"));
  assert.deepEqual(misrouted, [true, false, false, true]);
});

test("spec 2.4: previous_status: a departure reported late leaves a box that is arriving as it is", () => {
  const loaded = [sailed[0]!, eta("NLRTM", 20)];
  const polls = pollThrough([
    [march(10), loaded],
    [march(19), loaded],
    [march(19, 13), [...sailed, eta("NLRTM", 20)]],
    [march(20), [...sailed, event("ARRI", "NLRTM", march(20), heron)]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "container_arrived(pre_departure, arriving)",
    "vessel_departed(arriving, arriving)",
    "updated(status)",
  ]);
});

test("spec 2.4: previous_status: implied steps and inland rail go from the status shown before", () => {
  const rail = { mode: "rail" } as const;
  const plan = event("DISC", "DEMUC", march(26), { ...rail, classifier: "planned" });
  const atDoor = [
    ...landed,
    event("LOAD", "NLRTM", march(23), rail),
    event("DISC", "DEMUC", march(26), rail),
    event("AVPU", "DEMUC", march(26, 18), { mode: null }),
  ];
  const polls = pollThrough([
    [march(10), [sailed[0]!, plan]],
    [march(26, 18), [...atDoor.filter(({ code }) => code !== "DEPA")]],
    [march(29), [...atDoor, event("GTIN", "DEMUC", march(29), { laden: false })]],
  ]);
  assert.deepEqual(
    raisedIn(polls).map((line) => line.split(" updated")[0]),
    [
      "vessel_departed(pre_departure, in_transit) container_available(in_transit, available)",
      "container_delivered(available, delivered)",
    ],
  );
});

test("spec 3.3: genuine_transition: a box that is available again by one answer is no more available than it was", () => {
  const ready = [...landed, released(21)];
  const back = [
    event("GTOT", "NLRTM", march(22)),
    event("GTIN", "NLRTM", march(23), { place: { ...landed[2]!.place!, facility: "T2" } }),
  ];
  const withdrawn = [documentEvent("SRM", "HOLD", march(22)), released(23)];
  for (const between of [back, withdrawn]) {
    const polls = pollThrough([
      [march(20), landed],
      [march(21), ready],
      [march(24), [...ready, ...between]],
      [march(25), [...ready, ...between]],
      [march(26), [...ready, ...between, event("GTOT", "NLRTM", march(26))]],
    ]);
    assert.deepEqual(raisedIn(polls), [
      "container_available(discharged, available)",
      "",
      "",
      "container_delivered(available, delivered)",
    ]);
    const once = pollThrough([
      [march(20), landed],
      [march(24), [...ready, ...between]],
    ]);
    assert.deepEqual(raisedIn(once), ["container_available(discharged, available)"]);
  }
  const rail = { mode: "rail" } as const;
  const inland = [event("LOAD", "NLRTM", march(23), rail), event("AVPU", "DEMUC", march(26), { mode: null })];
  const elsewhere = pollThrough([
    [march(20), landed],
    [march(21), ready],
    [march(26), [...ready, ...inland]],
  ]);
  assert.match(raisedIn(elsewhere)[1]!, /^container_available/, "at another place");
});
