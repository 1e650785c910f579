/** One port in several forms: its own code, that of a terminal or neighbour, a name, or a facility alone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isKnownToDiffer,
  samePlace,
  type CarrierEvent,
} from "../../src/products/ocean/sources/carrier-event.ts";
import { inSameHarbour } from "../../src/products/ocean/timeline/distance.ts";
import { documentEvent, event, march } from "./event.ts";
import { pollThrough, raisedIn } from "./life.ts";
import { place } from "./records.ts";

const name = (text: string) => ({ ...place("XXXXX"), unlocode: null, name: text });
const facility = (code: string) => ({ ...place("XXXXX"), unlocode: null, facility: code });

const ORIGINS = [
  place("CNTXG"),
  place("CNXGG"),
  place("CNTXG", { name: "TIANJIN XINGANG" }),
  name("Tianjin Xingang"),
];
const DESTINATIONS = [
  place("USLAX"),
  place("USLGB"),
  name("Los Angeles"),
  name("LOS ANGELES"),
  facility("Y258"),
];
const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };

function life(from: typeof ORIGINS, to: typeof DESTINATIONS): readonly string[] {
  const [planned, gated, loaded, left] = from;
  const [expected, arrived, discharged, out] = to;
  const at = (where: (typeof ORIGINS)[0] | undefined, one: CarrierEvent) => ({
    ...one,
    place: where ?? null,
  });
  const said = [
    at(gated, event("GTIN", "X", march(2))),
    at(loaded, event("LOAD", "X", march(3), heron)),
    at(left, event("DEPA", "X", march(4), heron)),
    at(arrived, event("ARRI", "X", march(20), heron)),
    at(discharged, event("DISC", "X", march(20, 18), heron)),
    documentEvent("SRM", "RELS", march(21)),
    at(out, event("GTOT", "X", march(22))),
  ];
  const plans = [
    at(planned, event("DEPA", "X", march(4), { ...heron, classifier: "planned" })),
    at(expected, event("ARRI", "X", march(20), { ...heron, classifier: "estimated" })),
  ];
  const polls = pollThrough(
    [march(1), march(3, 13), march(4, 13), march(18, 13), march(20, 19), march(21, 13), march(22, 13)].map(
      (atMs) => [
        atMs,
        [
          ...said.filter((one) => one.at.ms < atMs),
          // Carriers remove plans that came true.
          ...plans.filter((one) => !said.some(({ code, at: { ms } }) => code === one.code && ms < atMs)),
        ],
      ],
    ),
  );
  return raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length).replace(/ updated.*/u, ""));
}

const LIFE = [
  "pre_departure",
  "pre_departure",
  "in_transit vessel_departed",
  "arriving container_arrived",
  "discharged",
  "available container_available",
  "delivered container_delivered",
];

test("spec 6.3: container_misrouted: a port in another of its forms is the port", () => {
  for (const planned of ORIGINS) {
    for (const other of ORIGINS) {
      assert.deepEqual(
        life(
          [planned, other, other, other],
          [place("USLAX"), place("USLAX"), place("USLAX"), place("USLAX")],
        ),
        LIFE,
        JSON.stringify([planned, other]),
      );
    }
  }
  for (const planned of DESTINATIONS) {
    for (const other of DESTINATIONS) {
      assert.deepEqual(
        life(
          [place("CNTXG"), place("CNTXG"), place("CNTXG"), place("CNTXG")],
          [planned, other, other, other],
        ),
        LIFE,
        JSON.stringify([planned, other]),
      );
    }
  }
  const [own, neighbour] = DESTINATIONS;
  assert.deepEqual(
    life(
      [place("CNTXG"), place("CNXGG"), place("CNTXG"), place("CNXGG")],
      [own!, neighbour!, own!, neighbour!],
    ),
    LIFE,
  );
});

test("places differ for certain only if both are written in one form", () => {
  const rotterdam = [
    place("NLRTM"),
    name("Rotterdam"),
    name("ROTTERDAM"),
    place("NLRTM", { name: "Maasvlakte" }),
  ];
  for (const a of rotterdam) for (const b of rotterdam) assert.ok(samePlace(a, b), JSON.stringify([a, b]));
  assert.ok(samePlace(facility("ECT"), facility("ECT")));
  assert.ok(isKnownToDiffer(place("NLRTM"), place("BEANR")));
  assert.ok(isKnownToDiffer(name("Rotterdam"), name("Antwerp")));
  assert.ok(isKnownToDiffer(facility("ECT"), facility("APM")));
  for (const [a, b] of [
    [place("NLRTM"), name("Maasvlakte II")],
    [place("NLRTM"), facility("ECT")],
    [name("Rotterdam"), facility("ECT")],
    [place("NLRTM"), null],
  ] as const) {
    assert.ok(!samePlace(a, b) && !isKnownToDiffer(a, b) && !isKnownToDiffer(b, a), JSON.stringify([a, b]));
  }
  assert.ok(inSameHarbour(place("VNSGN"), place("VNCLI")));
  for (const [a, b] of [
    ["NLRTM", "BEANR"],
    ["JPTYO", "JPYOK"],
    ["HKHKG", "CNYTN"],
    ["SGSIN", "MYJOB"],
  ] as const)
    assert.ok(!inSameHarbour(place(a), place(b)), `${a} ${b}`);
});

test("spec 2.4: eta: a vessel that has come to its port in another form has arrived", () => {
  const expected = place("USLAX");
  for (const berth of DESTINATIONS) {
    const plan = event("DISC", "USLAX", march(21, 8), { ...heron, classifier: "estimated" });
    const arrived = { ...event("ARRI", "X", march(20), heron), place: berth };
    const polls = pollThrough([
      [
        march(18, 13),
        [
          event("DEPA", "CNTXG", march(4), heron),
          event("ARRI", "USLAX", march(20), { ...heron, classifier: "estimated" }),
          { ...plan, place: expected },
        ],
      ],
      [march(20, 2), [event("DEPA", "CNTXG", march(4), heron), arrived, { ...plan, place: expected }]],
    ]);
    assert.ok(!raisedIn(polls).some((line) => line.includes("eta")), JSON.stringify(berth));
  }
});
