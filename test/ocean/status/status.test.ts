import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { deriveStatus, type StatusInputs } from "../../../src/products/ocean/status/status.ts";
import { timelineOf } from "../../../src/products/ocean/timeline/timeline.ts";
import { event, march, documentEvent } from "../event.ts";

const NOW = march(28);

function statusOf(events: readonly CarrierEvent[], nowMs = NOW, beside: StatusInputs = {}): string {
  return deriveStatus(timelineOf(events), nowMs, beside).status;
}

function departuresOf(events: readonly CarrierEvent[]): readonly (string | null | undefined)[] {
  return deriveStatus(timelineOf(events), NOW)
    .steps.filter(({ departs }) => departs)
    .map((step) => step.event.place?.unlocode);
}

const heron = { name: "HERON DAWN", imo: null };
const tern = { name: "TERN SOLSTICE", imo: null };
const loaded = [event("GTIN", "CNTAO", march(1)), event("LOAD", "CNTAO", march(2), { vessel: heron })];
const sailed = [...loaded, event("DEPA", "CNTAO", march(3), { vessel: heron })];
const berthed = [...sailed, event("ARRI", "NLRTM", march(20), { vessel: heron })];
const discharged = [...berthed, event("DISC", "NLRTM", march(21), { vessel: heron })];

function expected(
  code: string,
  unlocode: string,
  atMs: number,
  more: Partial<CarrierEvent> = {},
): CarrierEvent {
  return event(code, unlocode, atMs, { classifier: "estimated", createdAtMs: march(1), ...more });
}

test("spec 2.4: container_status: a direct voyage goes from pre_departure to discharged", () => {
  assert.equal(statusOf([]), "unknown");
  assert.equal(statusOf([expected("DEPA", "CNTAO", march(3))]), "pre_departure");
  assert.equal(statusOf(loaded), "pre_departure");
  assert.equal(statusOf(sailed), "in_transit");
  assert.equal(statusOf(berthed), "at_berth");
  assert.equal(statusOf(discharged), "discharged");
});

test("a box is arriving when its vessel is less than 48 hours from its last port", () => {
  const eta = expected("ARRI", "NLRTM", march(20));
  assert.equal(statusOf([...sailed, eta], march(18)), "in_transit");
  assert.equal(statusOf([...sailed, eta], march(18) + 1), "arriving");
  assert.equal(
    statusOf([...loaded, eta], march(19)),
    "arriving",
    "its departure is neither reported nor planned",
  );
  const toLeave = expected("DEPA", "CNTAO", march(19));
  assert.equal(statusOf([...loaded, toLeave, eta], march(19)), "pre_departure");
  const off = documentEvent("BKG", "CANC", march(6));
  assert.equal(statusOf([...loaded, eta, off], march(19)), "cancelled");
  const onward = [expected("DEPA", "NLRTM", march(22)), expected("ARRI", "PLGDN", march(24))];
  assert.equal(statusOf([...sailed, eta, ...onward], march(19)), "in_transit", "another leg is to come");
});

test("a discharge is a transshipment while a vessel is to carry the box on", () => {
  assert.equal(statusOf([...discharged, expected("ARRI", "PLGDN", march(26))]), "at_transshipment");
  assert.equal(
    statusOf([...discharged, expected("LOAD", "NLRTM", march(24), { vessel: tern })]),
    "at_transshipment",
  );
  assert.equal(
    statusOf([...discharged, expected("DEPA", "NLRTM", march(22), { vessel: heron })]),
    "discharged",
  );
});

test("the vessel that leaves a transshipment without the box sets out on no leg of it", () => {
  const waiting = [...discharged, expected("ARRI", "PLGDN", march(26))];
  const left = [...waiting, event("DEPA", "NLRTM", march(22), { vessel: heron })];
  assert.equal(statusOf(left), "at_transshipment");
  assert.deepEqual(departuresOf(left), ["CNTAO"]);
  const onward = [...left, event("DEPA", "NLRTM", march(24), { vessel: tern })];
  assert.equal(statusOf(onward, march(23)), "in_transit");
  assert.deepEqual(departuresOf(onward), ["CNTAO", "NLRTM"]);
});

test("the vessel that brought the box takes it on again when it is to be loaded on it", () => {
  const load = expected("LOAD", "NLRTM", march(26), { vessel: heron });
  const waiting = [...discharged, load, expected("ARRI", "SEGOT", march(30), { vessel: heron })];
  const left = [...waiting, event("DEPA", "NLRTM", march(27), { vessel: heron })];
  assert.deepEqual([statusOf(waiting), statusOf(left)], ["at_transshipment", "in_transit"]);
});

test("the vessel that brought the box takes it on when it comes again on its next voyage", () => {
  const numbered = (code: string, atMs: number, voyage: string) =>
    event(code, "NLRTM", atMs, { vessel: heron, voyage });
  const waiting = [...sailed, numbered("DISC", march(12), "014W"), expected("ARRI", "PLGDN", march(30))];
  assert.equal(statusOf([...waiting, numbered("DEPA", march(26), "016W")], march(27)), "in_transit");
  assert.equal(statusOf([...waiting, numbered("DEPA", march(13), "015E")], march(27)), "at_transshipment");
  assert.equal(statusOf([...waiting, numbered("DEPA", march(26), "014W")], march(27)), "at_transshipment");
});

test("spec 6.3: vessel_departed: an intermediate call begins no leg", () => {
  const call = [event("ARRI", "SGSIN", march(9)), event("DEPA", "SGSIN", march(10))];
  assert.equal(statusOf([...sailed, ...call]), "in_transit");
  assert.deepEqual(departuresOf([...sailed, ...call]), ["CNTAO"]);
});

test("another vessel's departure from where the box's vessel berthed tells that the box has changed vessels", () => {
  const onward = [...berthed, event("DEPA", "NLRTM", march(22), { vessel: tern })];
  assert.equal(statusOf(onward), "in_transit");
  assert.deepEqual(departuresOf(onward), ["CNTAO", "NLRTM"]);
});

test("the vessel that comes for the box brings it nowhere", () => {
  const feeder = [event("GTIN", "CNCKG", march(1), { mode: "rail" }), event("ARRI", "CNTAO", march(2))];
  assert.equal(statusOf([...feeder, expected("DEPA", "CNTAO", march(3))]), "pre_departure");
});

test("steps that the carrier does not report are implied by the next one", () => {
  assert.equal(statusOf([...loaded, event("ARRI", "NLRTM", march(20))]), "at_berth");
  assert.equal(statusOf([...berthed, event("GTOT", "NLRTM", march(22))]), "delivered");
  assert.equal(statusOf([event("DISC", "NLRTM", march(21))]), "discharged");
  assert.equal(statusOf([...loaded, event("GTOT", "NLRTM", march(22))]), "delivered");
  const takenOff = [...loaded, event("GTOT", "CNTAO", march(3))];
  assert.equal(statusOf(takenOff), "pre_departure");
  assert.equal(statusOf([...takenOff, event("GTIN", "CNSHA", march(4))]), "pre_departure");
  const inland = expected("GTOT", "DEMUC", march(27));
  assert.equal(
    statusOf([...discharged, event("ARRI", "DEMUC", march(24), { mode: "rail" }), inland]),
    "in_transit",
  );
  assert.equal(
    statusOf([...discharged, event("GTIN", "DEMUC", march(24), { mode: "rail" }), inland]),
    "available",
  );
});

test("spec 6.3: container_available: by its release and not by its discharge", () => {
  const release = documentEvent("SRM", "RELS", march(22));
  assert.equal(statusOf([...discharged, documentEvent("CUS", "RELS", march(22))]), "discharged");
  assert.equal(statusOf([...discharged, release]), "available");
  assert.equal(
    statusOf([...discharged, documentEvent("CUS", "HOLD", march(22, 9)), release]),
    "customs_hold",
  );
});

test("released cargo that goes on by rail is available where its journey ends, not at the port", () => {
  const inland = expected("DISC", "DEMUC", march(26), { mode: "rail" });
  const announced = { announced: { port: null, inland: inland.place } };
  const released = [...discharged, documentEvent("SRM", "RELS", march(22)), inland];
  assert.equal(statusOf(released), "discharged");
  const onTrain = [...released, event("LOAD", "NLRTM", march(23), { mode: "rail" })];
  assert.equal(statusOf(onTrain), "in_transit");
  const passing = event("GTIN", "DEDUI", march(24), { mode: "rail" });
  assert.equal(statusOf([...onTrain, passing]), "in_transit");
  const offTrain = [...onTrain, passing, event("DISC", "DEMUC", march(27), { mode: "rail" })];
  assert.equal(statusOf(offTrain, NOW, announced), "available");
  assert.equal(statusOf(offTrain), "in_transit", "nothing shows that this ramp is the last one");
});

test("spec 6.3: container_delivered: out of the gate by truck where the journey ends", () => {
  const out = event("GTOT", "NLRTM", march(23));
  assert.equal(statusOf([...discharged, out]), "delivered");
  assert.equal(statusOf([...discharged, { ...out, mode: "rail" }]), "in_transit");
  const inland = expected("GTOT", "DEMUC", march(26), { mode: "truck" });
  assert.equal(statusOf([...discharged, out, inland]), "in_transit");
  assert.equal(statusOf([...loaded.slice(0, 1), event("GTOT", "CNTAO", march(1, 15))]), "pre_departure");
});

test("on-carriage by truck is no delivery at the port, also after the plan has given way to what happened", () => {
  const arrived = event("GTIN", "DEMUC", march(26), { mode: "truck" });
  const onRoad = [...discharged, event("GTOT", "NLRTM", march(23)), arrived];
  assert.equal(statusOf(onRoad), "available");
  assert.equal(statusOf([...onRoad, event("GTOT", "DEMUC", march(27))]), "delivered");
});

test("a box at the consignee's own place is delivered", () => {
  const door = { unlocode: "DEMUC", name: null, facility: null, facilityType: "CLOC" };
  const atDoor = event("ARRI", "DEMUC", march(26), { mode: "truck", place: door });
  assert.equal(statusOf([...discharged, event("GTOT", "NLRTM", march(23)), atDoor]), "delivered");
});

test("a transshipment that was planned and never happened is not waited for", () => {
  const spent = expected("DEPA", "SGSIN", march(10), { vessel: tern });
  assert.equal(statusOf([...discharged, spent, event("GTOT", "NLRTM", march(23))]), "delivered");
});

test("an origin that was changed leaves no sailing to wait for", () => {
  const otherPort = expected("DEPA", "CNSHA", march(1, 6), { classifier: "planned" });
  assert.equal(statusOf([otherPort, ...discharged]), "discharged");
});

test("a move of the port just left that is reported with a later time moves nothing", () => {
  assert.equal(statusOf([...sailed, event("GTIN", "CNTAO", march(4))]), "in_transit");
  assert.equal(statusOf([...sailed, event("LOAD", "CNTAO", march(4))]), "in_transit");
});

test("spec 2.4: end_values: the empty return outranks delivery, also at a depot without an empty indicator", () => {
  const back = event("GTIN", "NLRTM", march(25), { laden: false });
  const depot = { unlocode: "NLRTM", name: null, facility: null, facilityType: "DEPO" };
  assert.equal(statusOf([...discharged, event("GTOT", "NLRTM", march(23)), back]), "returned_empty");
  assert.equal(statusOf([...discharged, back]), "returned_empty");
  assert.equal(statusOf([...discharged, { ...back, laden: null, place: depot }]), "returned_empty");
});

test("a voided booking is cancelled until it is confirmed again, and never once the box has sailed", () => {
  const voided = documentEvent("BKG", "VOID", march(2));
  assert.equal(statusOf([voided]), "cancelled");
  assert.equal(statusOf([voided, documentEvent("BKG", "CONF", march(4))]), "pre_departure");
  assert.equal(statusOf([...sailed, documentEvent("BKG", "VOID", march(5))]), "in_transit");
});
