/** Which status the statements of one answer show (spec 2.4: container_status). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";
import { progressOf } from "../../../src/products/ocean/status/progress.ts";
import type { ContainerStatus } from "../../../src/products/ocean/event-data.ts";
import type { StatusReading } from "../../../src/products/ocean/status/status.ts";
import type { Position } from "../../../src/products/ocean/status/position.ts";
import { place as placeOf } from "../records.ts";
import { pollThrough } from "../life.ts";

const { assertStatus, box, polled } = inLines({ madeOn: 1 });

const loaded = "GTIN CNTAO 1; LOAD CNTAO 2 HERON";
const sailed = `${loaded}; DEPA CNTAO 3 HERON`;
const berthed = `${sailed}; ARRI NLRTM 20 HERON`;
const discharged = `${berthed}; DISC NLRTM 21 HERON`;
/** By a carrier that states no loadings. */
const unloaded = discharged.replace("LOAD CNTAO 2 HERON; ", "");

/** From where the box is said to have sailed. */
function departuresOf(line: string): readonly (string | null | undefined)[] {
  return box(line).milestones.flatMap(({ type, place }) =>
    type === "vessel_departed" ? [place?.unlocode] : [],
  );
}

test("spec 2.4: container_status: a direct voyage goes from pre_departure to discharged", () =>
  assertStatus(
    ["", "unknown"],
    ["DEPA? CNTAO 3", "pre_departure"],
    [loaded, "pre_departure"],
    [sailed, "in_transit"],
    [berthed, "at_berth"],
    [discharged, "discharged"],
  ));

test("a box is arriving when its vessel is less than 48 hours from its last port", () => {
  const eta = "ARRI? NLRTM 20";
  assertStatus(
    [`@18 ${sailed}; ${eta}`, "in_transit"],
    [`@18.13 ${sailed}; ${eta}`, "arriving"],
    [`@19 ${loaded}; ${eta}`, "arriving", "its departure is neither reported nor planned"],
    [`@19 ${loaded}; DEPA? CNTAO 19; ${eta}`, "pre_departure"],
    [`@19 ${loaded}; ${eta}; BKG:CANC 6`, "cancelled"],
    [`@19 ${sailed}; ${eta}; DEPA? NLRTM 22; ARRI? PLGDN 24`, "in_transit", "another leg is to come"],
  );
});

test("a discharge is a transshipment while a vessel is to carry the box on", () =>
  assertStatus(
    [`${discharged}; ARRI? PLGDN 26`, "at_transshipment"],
    [`${discharged}; LOAD? NLRTM 24 TERN`, "at_transshipment"],
    [`${discharged}; DEPA? NLRTM 22 HERON`, "discharged"],
  ));

test("the vessel that leaves a transshipment without the box sets out on no leg of it", () => {
  const left = `${unloaded}; ARRI? PLGDN 26; DEPA NLRTM 22 HERON`;
  const onward = `${left}; DEPA NLRTM 24 TERN`;
  assertStatus([left, "at_transshipment"], [`@24 ${onward}`, "in_transit"]);
  assert.deepEqual([departuresOf(left), departuresOf(`@24 ${onward}`)], [["CNTAO"], ["CNTAO", "NLRTM"]]);
});

test("the vessel that brought the box takes it on if it is to be loaded on it, or comes on its next voyage", () => {
  const waiting = `${unloaded}; LOAD? NLRTM 26 HERON; ARRI? SEGOT 30 HERON`;
  const off = `@27 GTIN CNTAO 1; DEPA CNTAO 3 HERON; DISC NLRTM 12 HERON #014W; ARRI? PLGDN 30`;
  assertStatus(
    [waiting, "at_transshipment"],
    [`${waiting}; DEPA NLRTM 27 HERON`, "in_transit"],
    [`${off}; DEPA NLRTM 26 HERON #016W`, "in_transit"],
    [`${off}; DEPA NLRTM 13 HERON #015E`, "at_transshipment"],
    [`${off}; DEPA NLRTM 26 HERON #014W`, "at_transshipment"],
  );
});

test("spec 6.3: vessel_departed: an intermediate call begins no leg, and another vessel's departure from the berth does", () => {
  const call = `${sailed}; ARRI SGSIN 9; DEPA SGSIN 10`;
  const onward = `${berthed}; DEPA NLRTM 22 TERN`;
  assertStatus([call, "in_transit"], [onward, "in_transit"]);
  assert.deepEqual([departuresOf(call), departuresOf(onward)], [["CNTAO"], ["CNTAO", "NLRTM"]]);
});

test("the vessel that comes for the box brings it nowhere", () =>
  assertStatus(["GTIN CNCKG 1 rail; ARRI CNTAO 2; DEPA? CNTAO 3", "pre_departure"]));

test("steps that the carrier does not report are implied by the next one", () => {
  const takenOff = `${loaded}; GTOT CNTAO 3`;
  assertStatus(
    [`${loaded}; ARRI NLRTM 20`, "at_berth"],
    [`${berthed}; GTOT NLRTM 22`, "delivered"],
    ["DISC NLRTM 21", "discharged"],
    [`${loaded}; GTOT NLRTM 22`, "delivered"],
    [takenOff, "pre_departure"],
    [`${takenOff}; GTIN CNSHA 4`, "pre_departure"],
    [`${discharged}; ARRI DEMUC 24 rail; GTOT? DEMUC 27`, "in_transit"],
    [`${discharged}; GTIN DEMUC 24 rail; GTOT? DEMUC 27`, "available"],
  );
});

test("spec 6.3: container_available: by its release and not by its discharge", () =>
  assertStatus(
    [`${discharged}; CUS:RELS 22`, "discharged"],
    [`${discharged}; SRM:RELS 22`, "available"],
    [`${discharged}; CUS:HOLD 22.9; SRM:RELS 22`, "customs_hold"],
  ));

test("released cargo that goes on by rail is available where its journey ends, not at the port", () => {
  const released = `${discharged}; SRM:RELS 22; DISC? DEMUC 26 rail`;
  const onTrain = `${released}; LOAD NLRTM 23 rail`;
  const offTrain = `${onTrain}; GTIN DEDUI 24 rail; DISC DEMUC 27 rail`;
  assertStatus(
    [released, "discharged"],
    [onTrain, "in_transit"],
    [`${onTrain}; GTIN DEDUI 24 rail`, "in_transit"],
    [offTrain, "available"],
  );
});

test("spec 6.3: container_delivered: out of the gate by truck where the journey ends", () => {
  const onRoad = `${discharged}; GTOT NLRTM 23; GTIN DEMUC 26 truck`;
  assertStatus(
    [`${discharged}; GTOT NLRTM 23`, "delivered"],
    [`${discharged}; GTOT NLRTM 23 rail`, "in_transit"],
    [`${discharged}; GTOT NLRTM 23; GTOT? DEMUC 26 truck`, "in_transit"],
    ["GTIN CNTAO 1; GTOT CNTAO 1.15", "pre_departure"],
    [`@28 ${onRoad}`, "available", "by truck from terminal to terminal, though no plan says so"],
    [`${onRoad}; GTOT DEMUC 27`, "delivered"],
    [`${discharged}; GTOT NLRTM 23; ARRI DEMUC/CLOC 26 truck`, "delivered", "at the consignee's own place"],
  );
});

test("plans that never came true are not waited for, and late moves of the port just left move nothing", () =>
  assertStatus(
    [`${discharged}; DEPA? SGSIN 10 TERN; GTOT NLRTM 23`, "delivered", "a transshipment"],
    [`DEPA~ CNSHA 1.6; ${discharged}`, "discharged", "an origin that was changed"],
    [`${sailed}; GTIN CNTAO 4`, "in_transit"],
    [`${sailed}; LOAD CNTAO 4`, "in_transit"],
  ));

test("spec 2.4: end_values: the empty return outranks delivery, also at a depot without an empty indicator", () =>
  assertStatus(
    [`${discharged}; GTOT NLRTM 23; GTIN NLRTM 25 empty`, "returned_empty"],
    [`${discharged}; GTIN NLRTM 25 empty`, "returned_empty"],
    [`${discharged}; GTIN NLRTM/DEPO 25 unsaid`, "returned_empty"],
  ));

test("a voided booking is cancelled until it is confirmed again, and never once the box has sailed", () =>
  assertStatus(
    ["BKG:VOID 2", "cancelled"],
    ["BKG:VOID 2; BKG:CONF 4", "pre_departure"],
    [`${sailed}; BKG:VOID 5`, "in_transit"],
  ));

test("gates alone, of a carrier that reports no vessel, show where the journey ends", () => {
  const before = "GTOT CNTAO -40 empty; GTIN CNTAO -38";
  for (const [gates, status, ...told] of [
    ["GTOT NLRTM -6", "delivered", "vessel_departed", "container_delivered"],
    ["GTOT NLRTM -6; GTIN NLRTM -3 empty", "returned_empty", "vessel_departed", "container_delivered"],
    ["GTIN NLRTM -3 empty", "returned_empty", "container_delivered"],
    ["GTOT CNSHA -6", "pre_departure"],
  ] as const) {
    const [, there] = polled(`@-37 ${before} | @0 + ${gates}`);
    const types = there!.raised.map(({ type }) => type).filter((type) => type !== "shipment_updated");
    assert.deepEqual([there!.record.status, ...types], [status, ...told], gates);
  }
});

type At = { legs?: number; unreported?: number; held?: boolean; inland?: boolean; status?: ContainerStatus };

function progress(position: Position, at: At = {}): number {
  const { legs = 0, unreported = 0, held = false, inland = false, status = "in_transit" } = at;
  const [port, town] = [placeOf("NLRTM"), placeOf("DEMUC")];
  const journey = {
    position,
    departures: Array(legs).fill(null),
    unreportedDepartures: Array(unreported).fill(null),
    hold: held ? { place: port } : null,
    place: inland ? town : port,
  };
  return progressOf(
    { journey, route: { inland: { kind: "known", place: town } } } as unknown as StatusReading,
    status,
  );
}

/** Each further on than the one before it. */
const WAY: readonly (readonly [Position, At?])[] = [
  ["origin", { status: "unknown" }],
  ["origin", { status: "pre_departure" }],
  ...[1, 2, 3].flatMap((legs) =>
    (["sailing", "anchored", "berthed", "transshipment"] as const).map((at) => [at, { legs }] as const),
  ),
  ["transshipment", { legs: 999 }],
  ["discharged", { held: true }],
  ["discharged"],
  ["on_carriage", { held: true }],
  ["on_carriage"],
  ["available", { held: true }],
  ["available"],
  ["discharged", { held: true, inland: true }],
  ["discharged", { inland: true }],
  ["on_carriage", { inland: true }],
  ["available", { inland: true }],
  ["delivered", { status: "delivered" }],
  ["returned", { status: "returned_empty" }],
  ["origin", { status: "cancelled" }],
];

test("a box is further on than one that has come less far, the whole way", () => {
  let before = Number.NEGATIVE_INFINITY;
  for (const [where, at] of WAY) {
    const far = progress(where, at);
    assert.ok(far > before, `${where} ${JSON.stringify(at)}: ${far} after ${before}`);
    before = far;
  }
});

test("a departure that nobody reported counts like one that was, and no number of legs brings a box ashore", () => {
  assert.equal(progress("sailing", { legs: 1, unreported: 1 }), progress("sailing", { legs: 2 }));
  assert.ok(progress("transshipment", { legs: 5_000 }) < progress("discharged", { held: true }));
});

test("what a status says of the end stands, wherever the box is", () => {
  for (const status of ["delivered", "returned_empty", "cancelled"] as const)
    assert.equal(progress("sailing", { status }), progress("available", { status }));
  assert.equal(progress("available", { status: "unknown" }), 0);
});

test("an inland place counts only where it is known to be one", () => {
  const journey = { position: "available", hold: null, place: null };
  const there = { journey, route: { inland: { kind: "none" } } } as unknown as StatusReading;
  assert.equal(progressOf(there, "available"), progress("available"));
});

const { answers } = inLines();

/** At the end of a journey. */
function placesAt(journey: string): readonly (string | null)[] {
  const { origin, discharge } = pollThrough(answers(journey)).at(-1)!.record.boxes[0]!;
  return [origin?.unlocode ?? null, discharge?.unlocode ?? null];
}

test("a port that a vessel brings the box to is no origin, unless it also leaves from there", () => {
  for (const [journey, ...places] of [
    ["@10 GTIN CNTAO 1; LOAD CNTAO 2 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@21 ARRI NLRTM 20 HERON", null, "NLRTM"],
    ["@21 ARRI NLRTM 20 HERON; DISC NLRTM 20.18 HERON", null, "NLRTM"],
    ["@21 ARRI? NLRTM 25 HERON", null, "NLRTM"],
    ["@24 DISC NLRTM 20 HERON; GTOT NLRTM 22; GTIN NLRTM 23 empty", null, "NLRTM"],
    // The history begins where a vessel comes to fetch the box, or where the box is transshipped.
    ["@10 ARRI CNTAO 1 HERON; LOAD CNTAO 2 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@10 ARRI~ CNTAO 11 HERON; DEPA~ CNTAO 12 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@10 DISC MYPKG 1 HERON; LOAD MYPKG 3 EGRET; ARRI? NLRTM 20 EGRET", "MYPKG", "NLRTM"],
    // A lorry brings it to the port that it leaves from.
    ["@10 ARRI CNTAO 1 truck", "CNTAO", null],
  ] as const)
    assert.deepEqual(placesAt(journey), places, journey);
});
