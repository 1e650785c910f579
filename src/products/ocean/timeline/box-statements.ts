/**
 * Which statements of an answer concern one of its boxes. Carriers name the box of a move, and none of a
 * ship's calls: where the boxes of a bill of lading travel apart, a call concerns those aboard of that ship.
 */
import { isSailingCall, isSameVessel, isVesselCall } from "./calls.ts";
import { samePlace, type CarrierEvent, type Place, type Vessel } from "../sources/carrier-event.ts";

/** Shares an answer out; a box that it does not name has what names none. */
export function statementsByBox(
  statements: readonly CarrierEvent[],
): (equipment: string | null) => readonly CarrierEvent[] {
  const named = Map.groupBy(statements, ({ equipment }) => equipment);
  const common = named.get(null) ?? [];
  named.delete(null);
  const fleet = named.size > 1 ? answerVesselsOf(statements, common) : null;
  return (equipment) => {
    const said = equipment === null ? [] : (named.get(equipment) ?? []);
    if (fleet === null) return [...said, ...common];
    const own = said.filter((event) => !isMissedLoading(event, said, fleet));
    return [...own, ...common.filter((event) => !isOtherBoxesCall(event, own, fleet))];
  };
}

/** The ships of an answer. */
type AnswerVessels = {
  /** What concerns no box by name. */
  readonly common: readonly CarrierEvent[];
  /** All that sails, box by box and ship by ship, with its ship named. */
  readonly sailings: readonly CarrierEvent[];
  /** By ship, the ports that it sails from. */
  readonly loadPorts: ReadonlyMap<string, ReadonlySet<string>>;
};

function answerVesselsOf(
  statements: readonly CarrierEvent[],
  common: readonly CarrierEvent[],
): AnswerVessels {
  const named = statements.filter(({ vessel }) => vessel !== null);
  const sailings = named.filter((event) => isSailingCall(event) && !isIntermediateCall(event, named));
  const byShip = Map.groupBy(sailings, ({ vessel }) => vesselKey(vessel));
  const portsOf = new Map(
    [...byShip].map(([ship, events]) => [ship, new Set(events.map(({ place }) => portKey(place)))] as const),
  );
  return { common, sailings, loadPorts: portsOf };
}

/** A departure of a ship from where it has come with boxes from another port: others need not be loaded there. */
function isIntermediateCall(departure: CarrierEvent, named: readonly CarrierEvent[]): boolean {
  if (departure.code !== "DEPA") return false;
  return named.some(
    (event) =>
      isSailingCall(event) &&
      !samePlace(event.place, departure.place) &&
      event.at.ms < departure.at.ms &&
      isOnVessel(event, departure.vessel as Vessel),
  );
}

/** The call of a ship that carries other boxes from a port that this one leaves, or waits to leave, by another. */
function isOtherBoxesCall(event: CarrierEvent, own: readonly CarrierEvent[], fleet: AnswerVessels): boolean {
  const { kind, vessel } = event;
  if (kind !== "transport" || vessel === null) return false;
  if (own.some((said) => said.classifier === "actual" && isOnVessel(said, vessel))) return false;
  const ports = fleet.loadPorts.get(vesselKey(vessel)) ?? NO_PORTS;
  const loads = own.filter((said) => isVesselCall(said, "LOAD"));
  const planned = loads.filter(({ place }) => ports.has(portKey(place)));
  const made = planned.filter(({ classifier }) => classifier === "actual");
  if (made.length === 0 && isRolledOver(vessel, own, fleet)) return true;
  const counted = made.length > 0 ? made : planned;
  if (counted.length > 0) return !counted.some((load) => load.vessel === null || isOnVessel(load, vessel));
  return !loads.some((load) => isOnVessel(load, vessel)) && isCoveredByOwnVessel(event, loads, fleet);
}

const NO_PORTS: ReadonlySet<string> = new Set();

/** The plan of a loading on a ship that has left without the box. */
function isMissedLoading(event: CarrierEvent, own: readonly CarrierEvent[], fleet: AnswerVessels): boolean {
  const { classifier, vessel, place } = event;
  if (classifier === "actual" || vessel === null || !isVesselCall(event, "LOAD")) return false;
  const here = own.filter((said) => isVesselCall(said, "LOAD") && samePlace(said.place, place));
  return here.every((said) => said.classifier !== "actual") && isRolledOver(vessel, own, fleet);
}

/**
 * Others were loaded on the ship, and this box, which is at the port too, was not, while a later ship sails
 * from there that nobody is told to be loaded on: a roll-over of which the carrier says no more.
 */
function isRolledOver(
  vessel: Vessel,
  own: readonly CarrierEvent[],
  { sailings, loadPorts }: AnswerVessels,
): boolean {
  return [...(loadPorts.get(vesselKey(vessel)) ?? NO_PORTS)].some((port) => {
    if (!own.some(({ place }) => portKey(place) === port)) return false;
    const here = sailings.filter(({ place }) => portKey(place) === port);
    const made = here.filter((one) => one.classifier === "actual" && isOnVessel(one, vessel));
    if (!made.some(({ code }) => code === "LOAD")) return false;
    const leftMs = Math.max(...made.map(({ at }) => at.ms));
    const loads = here.filter(({ code }) => code === "LOAD");
    return here.some(
      (other) =>
        other.at.ms > leftMs &&
        !isOnVessel(other, vessel) &&
        !loads.some((load) => isOnVessel(load, other.vessel as Vessel)),
    );
  });
}

/** The ship that the box was loaded on makes that call itself: another's is not the box's. */
function isCoveredByOwnVessel(
  { code, place }: CarrierEvent,
  loads: readonly CarrierEvent[],
  { common }: AnswerVessels,
): boolean {
  return common.some(
    (other) =>
      other.code === code &&
      samePlace(other.place, place) &&
      loads.some(
        ({ classifier, vessel }) => classifier === "actual" && vessel !== null && isOnVessel(other, vessel),
      ),
  );
}

function isOnVessel(event: CarrierEvent, vessel: Vessel): boolean {
  return event.vessel !== null && isSameVessel(event.vessel, vessel);
}

function vesselKey(vessel: Vessel | null): string {
  return vessel?.imo ?? vessel?.name ?? "";
}

function portKey(place: Place | null): string {
  return place?.unlocode ?? place?.name ?? "";
}
