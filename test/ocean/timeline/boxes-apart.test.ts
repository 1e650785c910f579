/** Boxes of one bill of lading that travel apart: which calls are whose. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march, of } from "../event.ts";
import { statuses, UNARMED } from "../life.ts";

const FIRST = "CSQU3054383";
const SECOND = "HRNU4000017";
const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };

function record(events: readonly CarrierEvent[]): ShipmentRecord {
  const statements = { carrier: "HRNL", identifierType: "bill_of_lading", events, freeDays: [] } as const;
  return nextRecord(statements, null, UNARMED, march(22));
}

const departure = event("DEPA", "CNTAO", march(3), heron);

test("a box that is rolled over without a word waits for the next vessel, and the others keep theirs", () => {
  const gatedIn = [FIRST, SECOND].flatMap((box) => of(box, event("GTIN", "CNTAO", march(1))));
  const estimate = (code: string, unlocode: string, atMs: number, more: Partial<CarrierEvent>) =>
    event(code, unlocode, atMs, { ...more, classifier: "estimated", createdAtMs: march(4) });
  const heronEta = estimate("ARRI", "NLRTM", march(25), heron);
  const loaded = [...gatedIn, ...of(FIRST, event("LOAD", "CNTAO", march(2), heron)), departure, heronEta];
  const next = [
    estimate("DEPA", "CNTAO", march(24), tern),
    { ...estimate("ARRI", "NLRTM", march(45), tern), createdAtMs: march(5) },
  ];
  const stale = of(SECOND, estimate("LOAD", "CNTAO", march(2), heron));
  const coming = [event("ARRI", "CNTAO", march(2), heron), estimate("ARRI", "CNTAO", march(23), tern)];
  for (const left of [[], stale, coming]) {
    const rolled = record([...loaded, ...left, ...next]);
    assert.deepEqual(statuses(rolled), ["in_transit", "pre_departure"]);
    assert.deepEqual(
      rolled.boxes.map((box) => [box.vessel?.name, box.eta?.at.ms]),
      [
        ["HERON DAWN", march(25)],
        ["TERN SOLSTICE", march(45)],
      ],
    );
  }
  const sailed = [...loaded, { ...next[0]!, classifier: "actual" as const, at: departure.at }, next[1]!];
  const later = sailed.map((one) =>
    one.vessel === tern.vessel && one.code === "DEPA" ? moved(one, march(21)) : one,
  );
  assert.deepEqual(
    record(later).boxes[0]?.vessel?.name,
    "HERON DAWN",
    "the other ship has left with the other box",
  );
  assert.deepEqual(statuses(record(later)), ["in_transit", "in_transit"]);
  assert.deepEqual(record(later).boxes[1]?.vessel?.name, "TERN SOLSTICE");
  assert.deepEqual(
    record([...loaded, next[1]!]).boxes[0]?.eta?.at.ms,
    march(25),
    "of a vessel with only its arrival stated",
  );
});

function moved(one: CarrierEvent, ms: number): CarrierEvent {
  return { ...one, at: { ...one.at, ms } };
}

test("a box that is taken off again leaves with the vessel on which it is to be loaded next, and not with the others", () => {
  const loads = [FIRST, SECOND].flatMap((box) => [...of(box, event("LOAD", "CNTAO", march(2), heron))]);
  const off = of(SECOND, event("DISC", "CNTAO", march(2, 20), heron));
  const next = of(SECOND, event("LOAD", "CNTAO", march(9), { ...tern, classifier: "planned" }));
  const sails = event("DEPA", "CNTAO", march(10), { ...tern, classifier: "planned" });
  const waiting = record([...loads, ...off, departure, ...next, sails]);
  assert.deepEqual(statuses(waiting), ["in_transit", "pre_departure"]);
  const [first, second] = waiting.boxes.map(({ sailings }) => sailings.map(({ vessel }) => vessel));
  assert.deepEqual([first, second], [["HERON DAWN"], ["TERN SOLSTICE"]]);
  const sailed = [...loads, ...off, departure, ...of(SECOND, event("LOAD", "CNTAO", march(9), tern)), sails];
  const left = [...sailed.slice(0, -1), event("DEPA", "CNTAO", march(10), tern)];
  assert.deepEqual(
    record(left).boxes.map(({ status, vessel }) => [status, vessel?.name]),
    [
      ["in_transit", "HERON DAWN"],
      ["in_transit", "TERN SOLSTICE"],
    ],
  );
});

test("boxes that are taken off again have the plan of their next vessel, though no loading on it is planned", () => {
  const loads = [FIRST, SECOND].flatMap((box) => [...of(box, event("LOAD", "CNTAO", march(2), heron))]);
  const off = (box: string) => of(box, event("DISC", "CNTAO", march(2, 20), heron));
  const next = [
    event("DEPA", "CNTAO", march(24), { ...tern, classifier: "planned" }),
    event("ARRI", "NLRTM", march(45), { ...tern, classifier: "planned" }),
  ];
  const etas = (...stated: readonly CarrierEvent[]) =>
    record([...loads, ...stated, ...next]).boxes.map(({ vessel, eta }) => [vessel?.name, eta?.at.ms]);
  const ternNext = ["TERN SOLSTICE", march(45)];
  assert.deepEqual(etas(...off(FIRST), ...off(SECOND)), [ternNext, ternNext]);
  const heronLeft = [
    ...off(SECOND),
    departure,
    event("ARRI", "NLRTM", march(25), { ...heron, classifier: "planned" }),
  ];
  assert.deepEqual(etas(...heronLeft), [["HERON DAWN", march(25)], ternNext]);
});

test("a box that is discharged on the way has the estimate of its next vessel, not of the one that brought it", () => {
  const eta = (ship: typeof heron, atMs: number, createdAtMs: number) =>
    event("ARRI", "NLRTM", atMs, { ...ship, classifier: "estimated", createdAtMs });
  const stated = [FIRST, SECOND].flatMap((box) => [
    ...of(box, event("LOAD", "CNTAO", march(2), heron), event("DISC", "SGSIN", march(9), heron)),
  ]);
  const sails = event("DEPA", "SGSIN", march(23), { ...tern, classifier: "planned" });
  const both = record([
    ...stated,
    departure,
    sails,
    eta(heron, march(25), march(4)),
    eta(tern, march(45), march(9)),
  ]);
  assert.deepEqual(
    both.boxes.map((box) => box.eta?.at.ms),
    [march(45), march(45)],
  );
});

test("a vessel that left without the boxes comes for them elsewhere on a later voyage", () => {
  const on = (ship: typeof heron, voyage: string) => ({ ...ship, voyage });
  const stated = [FIRST, SECOND].flatMap((box) => [
    ...of(box, event("LOAD", "CNTAO", march(2), heron), event("DISC", "KRPUS", march(9), heron)),
  ]);
  const missed = event("DEPA", "CNTAO", march(-6), on(tern, "033W"));
  const plan = (voyage: string): readonly CarrierEvent[] => [
    event("DEPA", "KRPUS", march(23), { ...on(tern, voyage), classifier: "planned" }),
    event("ARRI", "USNYC", march(45), { ...on(tern, voyage), classifier: "planned" }),
  ];
  const etas = (events: readonly CarrierEvent[]) => record(events).boxes.map(({ eta }) => eta?.at.ms);
  assert.deepEqual(etas([...stated, departure, missed, ...plan("036W")]), [march(45), march(45)]);
  const loads = [FIRST, SECOND].flatMap((box) =>
    of(box, event("LOAD", "KRPUS", march(22), { ...on(tern, "033W"), classifier: "planned" })),
  );
  const sameNumber = [...stated, departure, missed, ...loads, ...plan("033W")];
  assert.deepEqual(etas(sameNumber), [march(45), march(45)], "under the same number, to load them there");
});
