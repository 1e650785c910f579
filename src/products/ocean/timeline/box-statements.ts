/**
 * Which statements of an answer concern which of its boxes. Carriers name the box of a move, but no box of a
 * vessel's call. If the boxes of a bill of lading travel apart, a call concerns the boxes aboard that vessel.
 */
import { IN_PORT_MS_MAX, isNotOtherVessel, isSailingCall, isSameVessel, isVesselCall } from "./calls.ts";
import { inOrder } from "./order.ts";
import { isOtherVoyage } from "./vessel-names.ts";
import { placeKey, samePlace, type CarrierEvent, type Vessel } from "../sources/carrier-event.ts";

/** Distributes an answer over its boxes. A box that it does not name gets the statements without a box. */
export function statementsByBox(
  statements: readonly CarrierEvent[],
): (equipment: string | null) => readonly CarrierEvent[] {
  const named = Map.groupBy(statements, ({ equipment }) => equipment);
  const common = named.get(null) ?? [];
  named.delete(null);
  const vessels = named.size > 1 ? answerVesselsOf(statements, common) : null;
  return (equipment) => {
    const stated = equipment === null ? [] : (named.get(equipment) ?? []);
    if (vessels === null) return [...stated, ...common];
    const own = stated.filter((event) => !isMissedLoading(event, stated, vessels));
    const missed = vessels.departures.filter((one) => isMissed(one, equipment, own)).map(({ call }) => call);
    const isOthers = (event: CarrierEvent): boolean =>
      isOtherBoxesCall(event, own, vessels) || missed.some((departure) => isCallSince(event, departure));
    return [...own, ...common.filter((event) => !isOthers(event))];
  };
}

type AnswerVessels = {
  /** Statements that name no box. */
  readonly common: readonly CarrierEvent[];
  /** Loadings and departures of named vessels, of all boxes. */
  readonly sailings: readonly CarrierEvent[];
  /** Those, and the departures from calls on the way. */
  readonly calls: readonly CarrierEvent[];
  /** By vessel, the ports that it sails from. */
  readonly loadPorts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Before which boxes were loaded. */
  readonly departures: readonly LoadedDeparture[];
};

type LoadedDeparture = { readonly call: CarrierEvent; readonly loaded: ReadonlySet<string | null> };

function answerVesselsOf(
  statements: readonly CarrierEvent[],
  common: readonly CarrierEvent[],
): AnswerVessels {
  const named = statements.filter(({ vessel }) => vessel !== null);
  const calls = named.filter(isSailingCall);
  const sailings = calls.filter((event) => !isIntermediateCall(event, named));
  const byVessel = Map.groupBy(sailings, ({ vessel }) => vesselKey(vessel));
  const loadPorts = new Map(
    [...byVessel].map(
      ([key, events]) => [key, new Set(events.map(({ place }) => placeKey(place) ?? ""))] as const,
    ),
  );
  return { common, sailings, calls, loadPorts, departures: loadedDepartures(statements, common) };
}

function loadedDepartures(
  statements: readonly CarrierEvent[],
  common: readonly CarrierEvent[],
): readonly LoadedDeparture[] {
  const loads = statements.filter((event) => event.classifier === "actual" && isVesselCall(event, "LOAD"));
  const byPort = Map.groupBy(loads, ({ place }) => placeKey(place));
  return common
    .filter((event) => event.classifier === "actual" && isVesselCall(event, "DEPA") && event.place !== null)
    .flatMap((call) => {
      const before = (byPort.get(placeKey(call.place)) ?? []).filter(
        (load) => Math.abs(call.at.ms - load.at.ms) <= IN_PORT_MS_MAX && isNotOtherVessel(load, call),
      );
      const loaded = new Set(before.map(({ equipment }) => equipment));
      return loaded.size === 0 ? [] : [{ call, loaded }];
    });
}

/** The carrier states loadings there, and none of this box, which has not been reported elsewhere since: it was left behind. */
function isMissed(
  { call, loaded }: LoadedDeparture,
  equipment: string | null,
  own: readonly CarrierEvent[],
): boolean {
  if (loaded.has(equipment)) return false;
  const moves = own.filter(({ classifier, place }) => classifier === "actual" && place !== null);
  const isHere = ({ place }: CarrierEvent): boolean => samePlace(place, call.place);
  return moves.some(isHere) && moves.every((event) => event.at.ms <= call.at.ms || isHere(event));
}

/** By the vessel, from that departure on. */
function isCallSince(event: CarrierEvent, departure: CarrierEvent): boolean {
  return event.kind === "transport" && event.at.ms >= departure.at.ms && isNotOtherVessel(event, departure);
}

/** The vessel came there with boxes from another port, so no box need have been loaded. */
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

/** The call of a vessel that carries other boxes, from a port that this box leaves by another vessel. */
function isOtherBoxesCall(
  event: CarrierEvent,
  own: readonly CarrierEvent[],
  vessels: AnswerVessels,
): boolean {
  const { kind, vessel } = event;
  if (kind !== "transport" || vessel === null) return false;
  if (own.some((stated) => stated.classifier === "actual" && isOnVessel(stated, vessel))) return false;
  const ports = loadPortsFor(event, own, vessels);
  const loads = own.filter((stated) => isVesselCall(stated, "LOAD"));
  const aboard = loads.filter((load) => load.classifier === "actual" && !isTakenOff(load, own));
  const here = loads.filter(({ place }) => ports.has(placeKey(place) ?? ""));
  const planned = here.filter(({ classifier }) => classifier !== "actual");
  const loaded = here.filter((load) => load.classifier === "actual" && !isTakenOffAgain(load, own));
  if (loaded.length === 0 && isRolledOver(vessel, ports, own, vessels)) return true;
  const counted = loaded.length > 0 ? loaded : planned;
  if (counted.length > 0) return !counted.some((load) => load.vessel === null || isOnVessel(load, vessel));
  return !loads.some((load) => isOnVessel(load, vessel)) && isCoveredByOwnVessel(event, aboard, vessels);
}

/** The vessel comes for the box where it was discharged: it is to load it there, or is on another voyage than before. */
function loadPortsFor(
  { vessel, voyage }: CarrierEvent,
  own: readonly CarrierEvent[],
  { calls, loadPorts }: AnswerVessels,
): ReadonlySet<string> {
  const moves = inOrder(own.filter((event) => isVesselCall(event, "LOAD", "DISC")));
  const last = moves.findLast(({ classifier }) => classifier === "actual");
  const all = loadPorts.get(vesselKey(vessel)) ?? NO_PORTS;
  if (last?.code !== "DISC") return all;
  const isHere = (event: CarrierEvent): boolean =>
    isOnVessel(event, vessel as Vessel) && samePlace(event.place, last.place);
  const theirs = calls.filter((call) => isOnVessel(call, vessel as Vessel));
  const comes = theirs.some(
    (call) => isHere(call) && call.at.ms > last.at.ms && !isOtherVoyage(call.voyage, voyage),
  );
  const before = theirs.filter((call) => call.at.ms < last.at.ms);
  const isNext =
    moves.some((move) => move.classifier !== "actual" && move.code === "LOAD" && isHere(move)) ||
    (comes && before.every((call) => isOtherVoyage(call.voyage, voyage)));
  return isNext ? new Set([placeKey(last.place) ?? ""]) : all;
}

/** Where it was loaded: it is to be loaded there again. */
function isTakenOffAgain(load: CarrierEvent, own: readonly CarrierEvent[]): boolean {
  return isTakenOff(
    load,
    own.filter(({ place }) => samePlace(place, load.place)),
  );
}

function isTakenOff(load: CarrierEvent, own: readonly CarrierEvent[]): boolean {
  return own.some(
    (event) => event.classifier === "actual" && isVesselCall(event, "DISC") && event.at.ms > load.at.ms,
  );
}

const NO_PORTS: ReadonlySet<string> = new Set();

/** A planned loading on a vessel that has left without the box. */
function isMissedLoading(event: CarrierEvent, own: readonly CarrierEvent[], vessels: AnswerVessels): boolean {
  const { classifier, vessel, place } = event;
  if (classifier === "actual" || vessel === null || !isVesselCall(event, "LOAD")) return false;
  const here = own.filter((stated) => isVesselCall(stated, "LOAD") && samePlace(stated.place, place));
  const ports = vessels.loadPorts.get(vesselKey(vessel)) ?? NO_PORTS;
  return here.every((stated) => stated.classifier !== "actual") && isRolledOver(vessel, ports, own, vessels);
}

/**
 * A roll-over that the carrier does not announce: other boxes were loaded on the vessel, this box is at the
 * port too and was not, and a later vessel sails from there for which no loading is stated.
 */
function isRolledOver(
  vessel: Vessel,
  ports: ReadonlySet<string>,
  own: readonly CarrierEvent[],
  { sailings }: AnswerVessels,
): boolean {
  return [...ports].some((port) => {
    const isHere = ({ place }: CarrierEvent): boolean => (placeKey(place) ?? "") === port;
    if (!own.some(isHere)) return false;
    const here = sailings.filter(isHere);
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

/** The vessel that the box is aboard of makes that call itself. */
function isCoveredByOwnVessel(
  { code, place }: CarrierEvent,
  aboard: readonly CarrierEvent[],
  { common }: AnswerVessels,
): boolean {
  return common.some(
    (other) =>
      other.code === code &&
      samePlace(other.place, place) &&
      aboard.some(({ vessel }) => vessel !== null && isOnVessel(other, vessel)),
  );
}

function isOnVessel(event: CarrierEvent, vessel: Vessel): boolean {
  return event.vessel !== null && isSameVessel(event.vessel, vessel);
}

function vesselKey(vessel: Vessel | null): string {
  return vessel?.imo ?? vessel?.name ?? "";
}
