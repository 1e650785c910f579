/** The sailings that boxes wait for, and the names under which a call that concerns them is found. */
import { readImo } from "../sources/ais/navigational-status.ts";
import { isVesselCall } from "../timeline/calls.ts";
import type { Vessel } from "../sources/carrier-event.ts";
import { PAST_SAILING_STATUSES } from "../events/disruption.ts";
import type { BoxRecord, Sailing, ShipmentRecord } from "../record/shipment-record.ts";
import type { SailingNames } from "./scheduled-call.ts";
import { plainName, plainVoyage } from "../timeline/vessel-names.ts";
import type { OnCallsChanged } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { writeWakeByCall } from "../store/awaited-sailings.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A sailing of a carrier that boxes of a shipment wait for, however many. */
export type AwaitedSailing = SailingNames & { readonly carrier: string; readonly port: string };

/** Sailings of one shipment whose calls are read; a bill of lading has boxes on a few. */
const AWAITED_MAX = 20;

export function awaitedSailingsOf({ carrier, boxes }: ShipmentRecord): readonly AwaitedSailing[] {
  const awaited = new Map<string, AwaitedSailing>();
  for (const box of boxes) {
    for (const sailing of openSailings(box)) {
      const one = { ...sailingNamesOf(box, sailing), carrier, port: sailing.from };
      const isNamed = one.vessel !== null || one.voyage !== null;
      const key = JSON.stringify(one);
      if (isNamed && (awaited.size < AWAITED_MAX || awaited.has(key))) awaited.set(key, one);
    }
  }
  return [...awaited.values()];
}

function openSailings({ status, sailings }: BoxRecord): readonly Sailing[] {
  if (PAST_SAILING_STATUSES.includes(status)) return [];
  return sailings.filter(({ departedMs, from }) => departedMs === null && UNLOCODE.test(from));
}

const UNLOCODE = /^[A-Z]{2}[A-Z2-9]{3}$/;

/** A sailing keeps one name of its vessel; the statements that it follows from may have its number too. */
export function sailingNamesOf(
  { timeline }: BoxRecord,
  { from, vessel, voyage, promisedMs, expectedMs }: Sailing,
): SailingNames {
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
      awaitedSailingsOf(record).flatMap(({ carrier, port, vessel, voyage }) =>
        callKeys(carrier, port, vessel, voyage),
      ),
    ),
  ];
}

/** The same of a call: one of them is among those of each shipment that it may concern. */
function callKeys(
  carrier: string,
  port: string,
  vessel: Vessel | null,
  voyage: string | null,
): readonly string[] {
  const names = [
    prefixed("imo", vessel?.imo ?? null),
    prefixed("name", plainName(vessel?.name ?? null)),
    prefixed("voyage", withoutDirection(voyage)),
  ];
  return names.filter((name) => name !== null).map((name) => `${carrier} ${port} ${name}`);
}

/** Without the direction, which some leave out. */
function withoutDirection(voyage: string | null): string | null {
  return plainVoyage(voyage)?.replace(/(?<=\d)[A-Z]{1,2}$/, "") ?? null;
}

function prefixed(kind: string, name: string | null): string | null {
  return name === null ? null : `${kind} ${name}`;
}

/** No box still waits for a sailing that was to leave so long ago. */
const WAITED_MS_MAX = 60 * DAY_MS;

/**
 * Makes the shipments due whose boxes are to sail from a changed call. Written in the transaction of the changes: no
 * crash loses it, and the shipments are due once the changes are there.
 */
export const wakeShipments: OnCallsChanged = async (tx, source, cells, changes, atMs) => {
  const keys = changes
    .filter(({ departureMs }) => departureMs >= atMs - WAITED_MS_MAX)
    .flatMap(({ names }) => names)
    .flatMap(({ carrier, port, vessel, voyage }) => callKeys(carrier, port, vessel, voyage));
  if (keys.length > 0) await writeWakeByCall(tx, source, cells, [...new Set(keys)], atMs);
};
