/**
 * Which statements of an answer concern one of its boxes. Carriers name the box of a move, and none of a
 * ship's calls: where the boxes of a bill of lading travel apart, a call concerns those aboard of that ship.
 */
import { isSameVessel, isVesselCall } from "./calls.ts";
import type { CarrierEvent, Place, Vessel } from "./carrier-event.ts";

/** Shares an answer out; a box that it does not name has what names none. */
export function sharedOut(
  statements: readonly CarrierEvent[],
): (equipment: string | null) => readonly CarrierEvent[] {
  const named = Map.groupBy(statements, ({ equipment }) => equipment);
  const common = named.get(null) ?? [];
  named.delete(null);
  const loads = statements.filter((event) => event.vessel !== null && isVesselCall(event, "LOAD"));
  const portsOf = new Map(
    [...Map.groupBy(loads, ({ vessel }) => nameOf(vessel))].map(
      ([vessel, events]) => [vessel, new Set(events.map(({ place }) => portOf(place)))] as const,
    ),
  );
  return (equipment) => {
    const own = equipment === null ? [] : (named.get(equipment) ?? []);
    const isShared = (event: CarrierEvent): boolean => !isOfOthers(event, own, portsOf);
    return [...own, ...(named.size > 1 ? common.filter(isShared) : common)];
  };
}

/** Other boxes are loaded on that vessel, at a port where this one is loaded on another. */
function isOfOthers(
  { kind, vessel }: CarrierEvent,
  own: readonly CarrierEvent[],
  portsOf: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const ports = vessel === null ? undefined : portsOf.get(nameOf(vessel));
  if (kind !== "transport" || vessel === null || ports === undefined) return false;
  const isOn = (event: CarrierEvent): boolean => event.vessel !== null && isSameVessel(event.vessel, vessel);
  const planned = own.filter((event) => isVesselCall(event, "LOAD") && ports.has(portOf(event.place)));
  const made = planned.filter(({ classifier }) => classifier === "actual");
  const loads = made.length > 0 ? made : planned;
  if (loads.length === 0 || loads.some((load) => load.vessel === null || isOn(load))) return false;
  return !own.some((event) => event.classifier === "actual" && isOn(event));
}

function nameOf(vessel: Vessel | null): string {
  return vessel?.imo ?? vessel?.name ?? "";
}

function portOf(place: Place | null): string {
  return place?.unlocode ?? place?.name ?? "";
}
