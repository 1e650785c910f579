/**
 * Which statements of an answer concern one of its boxes. Carriers name the box of a move, and none of a
 * ship's calls: where the boxes of a bill of lading travel apart, a call concerns those aboard of that ship.
 */
import { isSailing, isSameVessel, isVesselCall } from "./calls.ts";
import { samePlace, type CarrierEvent, type Place, type Vessel } from "../sources/carrier-event.ts";

/** Shares an answer out; a box that it does not name has what names none. */
export function sharedOut(
  statements: readonly CarrierEvent[],
): (equipment: string | null) => readonly CarrierEvent[] {
  const named = Map.groupBy(statements, ({ equipment }) => equipment);
  const common = named.get(null) ?? [];
  named.delete(null);
  const fleet = named.size > 1 ? fleetOf(statements, common) : null;
  return (equipment) => {
    const said = equipment === null ? [] : (named.get(equipment) ?? []);
    if (fleet === null) return [...said, ...common];
    const own = said.filter((event) => !isMissed(event, said, fleet));
    return [...own, ...common.filter((event) => !isOfOthers(event, own, fleet))];
  };
}

/** The ships of an answer. */
type Fleet = {
  /** What concerns no box by name. */
  readonly common: readonly CarrierEvent[];
  /** All that sails, box by box and ship by ship, with its ship named. */
  readonly sailings: readonly CarrierEvent[];
  /** By ship, the ports that it sails from. */
  readonly portsOf: ReadonlyMap<string, ReadonlySet<string>>;
};

function fleetOf(statements: readonly CarrierEvent[], common: readonly CarrierEvent[]): Fleet {
  const named = statements.filter(({ vessel }) => vessel !== null);
  const sailings = named.filter((event) => isSailing(event) && !isOnTheWay(event, named));
  const byShip = Map.groupBy(sailings, ({ vessel }) => nameOf(vessel));
  const portsOf = new Map(
    [...byShip].map(([ship, events]) => [ship, new Set(events.map(({ place }) => portOf(place)))] as const),
  );
  return { common, sailings, portsOf };
}

/** A departure of a ship from where it has come with boxes from another port: others need not be loaded there. */
function isOnTheWay(departure: CarrierEvent, named: readonly CarrierEvent[]): boolean {
  if (departure.code !== "DEPA") return false;
  return named.some(
    (event) =>
      isSailing(event) &&
      !samePlace(event.place, departure.place) &&
      event.at.ms < departure.at.ms &&
      isOn(event, departure.vessel as Vessel),
  );
}

/** The call of a ship that carries other boxes from a port that this one leaves, or waits to leave, by another. */
function isOfOthers(event: CarrierEvent, own: readonly CarrierEvent[], fleet: Fleet): boolean {
  const { kind, vessel } = event;
  if (kind !== "transport" || vessel === null) return false;
  if (own.some((said) => said.classifier === "actual" && isOn(said, vessel))) return false;
  const ports = fleet.portsOf.get(nameOf(vessel)) ?? NO_PORTS;
  const loads = own.filter((said) => isVesselCall(said, "LOAD"));
  const planned = loads.filter(({ place }) => ports.has(portOf(place)));
  const made = planned.filter(({ classifier }) => classifier === "actual");
  if (made.length === 0 && isLeftBehind(vessel, own, fleet)) return true;
  const counted = made.length > 0 ? made : planned;
  if (counted.length > 0) return !counted.some((load) => load.vessel === null || isOn(load, vessel));
  return !loads.some((load) => isOn(load, vessel)) && isDoneByOwn(event, loads, fleet);
}

const NO_PORTS: ReadonlySet<string> = new Set();

/** The plan of a loading on a ship that has left without the box. */
function isMissed(event: CarrierEvent, own: readonly CarrierEvent[], fleet: Fleet): boolean {
  const { classifier, vessel, place } = event;
  if (classifier === "actual" || vessel === null || !isVesselCall(event, "LOAD")) return false;
  const here = own.filter((said) => isVesselCall(said, "LOAD") && samePlace(said.place, place));
  return here.every((said) => said.classifier !== "actual") && isLeftBehind(vessel, own, fleet);
}

/**
 * Others were loaded on the ship, and this box, which is at the port too, was not, while a later ship sails
 * from there that nobody is told to be loaded on: a roll-over of which the carrier says no more.
 */
function isLeftBehind(vessel: Vessel, own: readonly CarrierEvent[], { sailings, portsOf }: Fleet): boolean {
  return [...(portsOf.get(nameOf(vessel)) ?? NO_PORTS)].some((port) => {
    if (!own.some(({ place }) => portOf(place) === port)) return false;
    const here = sailings.filter(({ place }) => portOf(place) === port);
    const made = here.filter((one) => one.classifier === "actual" && isOn(one, vessel));
    if (!made.some(({ code }) => code === "LOAD")) return false;
    const leftMs = Math.max(...made.map(({ at }) => at.ms));
    const loads = here.filter(({ code }) => code === "LOAD");
    return here.some(
      (other) =>
        other.at.ms > leftMs &&
        !isOn(other, vessel) &&
        !loads.some((load) => isOn(load, other.vessel as Vessel)),
    );
  });
}

/** The ship that the box was loaded on makes that call itself: another's is not the box's. */
function isDoneByOwn(
  { code, place }: CarrierEvent,
  loads: readonly CarrierEvent[],
  { common }: Fleet,
): boolean {
  return common.some(
    (other) =>
      other.code === code &&
      samePlace(other.place, place) &&
      loads.some(
        ({ classifier, vessel }) => classifier === "actual" && vessel !== null && isOn(other, vessel),
      ),
  );
}

function isOn(event: CarrierEvent, vessel: Vessel): boolean {
  return event.vessel !== null && isSameVessel(event.vessel, vessel);
}

function nameOf(vessel: Vessel | null): string {
  return vessel?.imo ?? vessel?.name ?? "";
}

function portOf(place: Place | null): string {
  return place?.unlocode ?? place?.name ?? "";
}
