/** What an event is to a box's way: a call of its vessel, a move over land; and which vessel it was. */
import type { CarrierEvent, Vessel } from "../sources/carrier-event.ts";
import type { Timeline } from "./timeline.ts";
import { isEmptyReturn } from "./trip.ts";

/** A call of a vessel, or what is done to the laden box at one, of any of the codes. */
export function isVesselCall(event: CarrierEvent, ...codes: readonly string[]): boolean {
  return event.mode === "vessel" && event.laden !== false && codes.includes(event.code);
}

export function isSailingCall(event: CarrierEvent): boolean {
  return isVesselCall(event, "LOAD", "DEPA");
}

export function isArrivalCall(event: CarrierEvent): boolean {
  return isVesselCall(event, "ARRI", "DISC");
}

/** A move of the laden box by rail, truck or barge, or through a gate, which leads onto land by whatever mode. */
export function isLandMove(event: CarrierEvent): boolean {
  if (event.kind === "shipment" || event.laden === false || isEmptyReturn(event)) return false;
  const onLand = event.mode !== null && event.mode !== "vessel";
  return event.place !== null && (onLand || GATES.has(event.code));
}

const GATES: ReadonlySet<string> = new Set(["GTIN", "GTOT", "PICK", "DROP"]);

/** The vessel of a call: as the call names it, else as the box's last sailing before it did. */
export function vesselOfCall(call: CarrierEvent, timeline: Timeline): Vessel | null {
  if (call.vessel !== null) return call.vessel;
  const sailing = timeline.findLast(
    (event) => event.classifier === "actual" && isSailingCall(event) && event.at.ms < call.at.ms,
  );
  return sailing?.vessel ?? null;
}

/** Unknown vessels count as the same: nothing says that they differ. */
export function isNotOtherVessel(a: CarrierEvent, b: CarrierEvent): boolean {
  return a.vessel === null || b.vessel === null || isSameVessel(a.vessel, b.vessel);
}

export function isSameVessel(a: Vessel, b: Vessel): boolean {
  return a.imo !== null && b.imo !== null ? a.imo === b.imo : a.name === b.name;
}
