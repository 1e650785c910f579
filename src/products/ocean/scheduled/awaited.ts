/** The sailings that boxes wait for, and the names under which a call that concerns them is found. */
import { readImo } from "../sources/ais/navigational-status.ts";
import { isVesselCall } from "../timeline/calls.ts";
import type { Vessel } from "../sources/carrier-event.ts";
import { SAILS_NO_MORE } from "../events/disruption.ts";
import type { BoxRecord, Sailing, ShipmentRecord } from "../record/shipment-record.ts";
import { plainName, plainVoyage, type Named } from "./scheduled-call.ts";

/** A sailing of a carrier that boxes of a shipment wait for, however many. */
export type Awaited = Named & { readonly carrier: string; readonly port: string };

/** Sailings of one shipment whose calls are read; a bill of lading has boxes on a few. */
const AWAITED_MAX = 20;

export function awaitedOf({ carrier, boxes }: ShipmentRecord): readonly Awaited[] {
  const awaited = new Map<string, Awaited>();
  for (const box of boxes) {
    for (const sailing of pendingOf(box)) {
      const one = { ...namedBy(box, sailing), carrier, port: sailing.from };
      const isNamed = one.vessel !== null || one.voyage !== null;
      const key = JSON.stringify(one);
      if (isNamed && (awaited.size < AWAITED_MAX || awaited.has(key))) awaited.set(key, one);
    }
  }
  return [...awaited.values()];
}

function pendingOf({ status, sailings }: BoxRecord): readonly Sailing[] {
  if (SAILS_NO_MORE.includes(status)) return [];
  return sailings.filter(({ departedMs, from }) => departedMs === null && UNLOCODE.test(from));
}

const UNLOCODE = /^[A-Z]{2}[A-Z2-9]{3}$/;

/** A sailing keeps one name of its vessel; the statements that it follows from may have its number too. */
export function namedBy(
  { timeline }: BoxRecord,
  { from, vessel, voyage, promisedMs, expectedMs }: Sailing,
): Named {
  const named = { voyage, promisedMs, expectedMs };
  if (vessel === null) return { ...named, vessel: null };
  const stated = timeline.findLast(
    (event) =>
      isVesselCall(event, "LOAD", "DEPA") &&
      event.place?.unlocode === from &&
      (event.vessel?.name === vessel || event.vessel?.imo === vessel),
  );
  const name = readImo(vessel) === null ? vessel : null;
  return { ...named, vessel: { imo: readImo(stated?.vessel?.imo ?? vessel), name } };
}

/** What a shipment is found by when a call changes from which it is to sail; without commas. */
export function awaitedKeys(record: ShipmentRecord): readonly string[] {
  return [
    ...new Set(
      awaitedOf(record).flatMap(({ carrier, port, vessel, voyage }) => keysOf(carrier, port, vessel, voyage)),
    ),
  ];
}

/** The same of a call: one of them is among those of each shipment that it may concern. */
export function keysOf(
  carrier: string,
  port: string,
  vessel: Vessel | null,
  voyage: string | null,
): readonly string[] {
  const names = [
    prefixed("imo", vessel?.imo ?? null),
    prefixed("name", plainName(vessel?.name ?? null)),
    prefixed("voyage", stemOf(voyage)),
  ];
  return names.filter((name) => name !== null).map((name) => `${carrier} ${port} ${name}`);
}

/** Without the direction, which some leave out. */
function stemOf(voyage: string | null): string | null {
  return plainVoyage(voyage)?.replace(/(?<=\d)[A-Z]{1,2}$/, "") ?? null;
}

function prefixed(kind: string, name: string | null): string | null {
  return name === null ? null : `${kind} ${name}`;
}
