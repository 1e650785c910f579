/** One port in several forms: its own code, that of a terminal or neighbour, a name, or a facility alone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isKnownToDiffer,
  samePlace,
  type CarrierEvent,
  type Place,
} from "../../src/products/ocean/sources/carrier-event.ts";
import { inSameHarbour } from "../../src/products/ocean/timeline/distance.ts";
import { inLines, looksOf } from "./in-lines.ts";
import { pollThrough } from "./life.ts";
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
const { answers } = inLines();

/** A life from port to port: each is planned in one form, and in the others it comes true. */
const LIFE = [
  "@1 DEPA~ from:0 4 HERON; ARRI? to:0 20 HERON",
  "@3.13 GTIN from:1 2; LOAD from:2 3 HERON; DEPA~ from:0 4 HERON; ARRI? to:0 20 HERON",
  "@4.13 GTIN from:1 2; LOAD from:2 3 HERON; DEPA from:3 4 HERON; ARRI? to:0 20 HERON",
  "@18.13 +",
  "@20.19 GTIN from:1 2; LOAD from:2 3 HERON; DEPA from:3 4 HERON; ARRI to:1 20 HERON; DISC to:2 20.18 HERON",
  "@21.13 + SRM:RELS 21",
  "@22.13 + GTOT to:3 22",
].join(" | ");

const SHOWN = [
  "pre_departure",
  "pre_departure",
  "in_transit vessel_departed",
  "arriving container_arrived",
  "discharged",
  "available container_available",
  "delivered container_delivered",
];

function assertLife(from: readonly Place[], to: readonly Place[]): void {
  const formOf = ({ unlocode, facility: nth }: Place) => (unlocode === "from" ? from : to)[Number(nth)]!;
  const told = answers(LIFE).map(([atMs, stated]) => {
    return [atMs, stated.map((one) => ({ ...one, place: one.place && formOf(one.place) }))] as const;
  });
  const shown = looksOf(pollThrough(told)).map((line) => line.replace(/ updated.*/u, ""));
  assert.deepEqual(shown, SHOWN, JSON.stringify([from, to]));
}

test("spec 6.3: container_misrouted: a port in another of its forms is the port", () => {
  const always = (one: Place): readonly Place[] => [one, one, one, one];
  const inPairs = (forms: readonly Place[]) =>
    forms.flatMap((planned) => forms.map((other) => [planned, other, other, other]));
  for (const from of inPairs(ORIGINS)) assertLife(from, always(place("USLAX")));
  for (const to of inPairs(DESTINATIONS)) assertLife(always(place("CNTXG")), to);
  const [port, neighbour] = DESTINATIONS;
  const [origin, terminal] = ORIGINS;
  assertLife([origin!, terminal!, origin!, terminal!], [port!, neighbour!, port!, neighbour!]);
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
  const line =
    "@18.13 DEPA CNTXG 4 HERON; ARRI? USLAX 20 HERON; DISC? USLAX 21.8 HERON | @20.2 DEPA CNTXG 4 HERON; ARRI USLAX 20 HERON; DISC? USLAX 21.8 HERON";
  for (const berth of DESTINATIONS) {
    const told = answers(line).map(([atMs, stated]) => {
      const isCall = ({ code, classifier }: CarrierEvent) => code === "ARRI" && classifier === "actual";
      return [atMs, stated.map((one) => (isCall(one) ? { ...one, place: berth } : one))] as const;
    });
    assert.ok(!looksOf(pollThrough(told)).some((look) => look.includes("eta")), JSON.stringify(berth));
  }
});
