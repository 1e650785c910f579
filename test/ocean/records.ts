/** Records as they are stored, for tests of what is made of them. */
import type { EventTime } from "../../src/freight/places/local-time.ts";
import type { BoxRecord, ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { NOTHING_RAISED } from "../../src/products/ocean/record/shipment-record.ts";
import type { Place } from "../../src/products/ocean/sources/carrier-event.ts";
import { event, march, documentEvent } from "./event.ts";

export function place(unlocode: string, more: Partial<Place> = {}): Place {
  return { unlocode, name: null, facility: null, facilityType: null, ...more };
}

/** A moment as a carrier writes it in plain UTC. */
export function utc(ms: number): EventTime {
  return { ms, offsetMinutes: null, local: new Date(ms).toISOString().slice(0, 19) };
}

/** Noon UTC of a day of March as a carrier writes it at Yokohama's wall clock. */
function inYokohama(day: number): EventTime {
  return { ms: march(day), offsetMinutes: 540, local: utc(march(day, 21)).local };
}

/** A box in transit from Yokohama to Oakland by Busan, its terminal known, its free time running. */
export function box(more: Partial<BoxRecord> = {}): BoxRecord {
  const vessel = { name: "HERON ONE", imo: "9000001" };
  const equipment = more.equipment ?? "CSQU3054383";
  return {
    equipment,
    status: "in_transit",
    eta: { at: utc(march(20)), actual: false },
    etaHistory: [
      { at: utc(march(18)), seenMs: march(1) },
      { at: utc(march(20)), seenMs: march(5) },
    ],
    vessel,
    voyage: "012E",
    origin: place("JPYOK"),
    discharge: place("USOAK", { facility: "Z963" }),
    destination: place("USOAK", { facility: "Z963" }),
    transshipments: [place("KRPUS")],
    milestones: [],
    timeline: [
      documentEvent("BKG", "CONF", march(1)),
      event("GTIN", "JPYOK", march(4), { at: inYokohama(4), equipment }),
      event("LOAD", "JPYOK", march(5), { at: inYokohama(5), equipment, vessel, voyage: "012E" }),
      event("DEPA", "JPYOK", march(6), { at: inYokohama(6), vessel, voyage: "012E" }),
      event("ARRI", "USOAK", march(20), { classifier: "estimated", vessel, voyage: "012E" }),
    ],
    anchorMs: march(4),
    arrivingFromMs: march(18),
    misrouting: null,
    sailings: [],
    freeTime: {
      lastFreeDay: "2026-03-25",
      source: "carrier",
      endsMs: march(26, 7),
      daysOverdue: 0,
      accruedUsd: null,
    },
    told: NOTHING_RAISED,
    ...more,
  };
}

export function record(
  boxes: readonly BoxRecord[] = [box()],
  more: Partial<ShipmentRecord> = {},
): ShipmentRecord {
  return {
    carrier: "HRNL",
    identifierType: boxes.length === 1 ? "container_id" : "bill_of_lading",
    status: boxes[0]!.status,
    eta: boxes[0]!.eta,
    boxes,
    changesAtMs: null,
    ...more,
  };
}
