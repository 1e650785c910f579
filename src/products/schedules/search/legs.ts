/**
 * From a vessel's departure to its next call at each other port. The same rule as sailing_list, for calls in memory:
 * on one service or voyage of a carrier, within ten weeks, and not back at the first port in between.
 */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import { AT_SEA_MS_MAX } from "./at-sea.ts";
import type { Effort } from "./effort.ts";
import { groupInOrder, placeOfFirst, type Groups } from "./in-order.ts";

/** A call that is made, as the search needs it. Times are milliseconds since the epoch: actual, else expected. */
export type CallPoint = {
  readonly id: string;
  readonly carrier: string;
  readonly service: string;
  /** The voyage on which it leaves, and, where it is another, on which it came; empty while unknown. */
  readonly voyage: string;
  readonly importVoyage: string;
  readonly port: string;
  readonly vesselImo: string | null;
  readonly vesselName: string | null;
  readonly arrivalMs: number | null;
  readonly departureMs: number | null;
  /** False: the vessel comes, and does not leave on the voyage. */
  readonly isLeaving: boolean;
};

export type Leg = {
  readonly from: CallPoint;
  readonly to: CallPoint;
  readonly departureMs: number;
  readonly arrivalMs: number;
};

export type Legs = {
  /** The legs from a call, the earliest arrival first; one to each port. */
  from(call: CallPoint): readonly Leg[];
  /** The one to this port; null: there is none. */
  to(call: CallPoint, port: string): Leg | null;
};

/** Calls of one vessel or voyage that have the time, in its order. */
type Calls = readonly CallPoint[];
const NONE: Calls = [];

export function* createLegs(points: readonly CallPoint[], effort: Effort): SlicedWork<Legs> {
  const vesselArrivals = yield* groupInOrder(points, ofVessel, arrivalOf, effort);
  const vesselDepartures = yield* groupInOrder(points, ofVessel, departureOf, effort);
  // Two numbers are two vessels, and one number is found by itself: else one of the calls names none.
  const unnumbered = points.filter(({ vesselImo }) => vesselImo === null);
  const all = unnumbered.length === 0 ? [] : points;
  const voyageArrivals = {
    all: yield* groupInOrder(all, ofArrivingVoyage, arrivalOf, effort),
    unnumbered: yield* groupInOrder(unnumbered, ofArrivingVoyage, arrivalOf, effort),
  };
  const voyageDepartures = {
    all: yield* groupInOrder(all, ofVoyage, departureOf, effort),
    unnumbered: yield* groupInOrder(unnumbered, ofVoyage, departureOf, effort),
  };

  /** `port`: only to this one; null: to all. */
  function find(from: CallPoint, port: string | null): readonly Leg[] {
    effort.spend(1);
    const { departureMs, service, voyage, vesselImo } = from;
    if (departureMs === null || !from.isLeaving) return [];
    const [vessel, number] = [ofVessel(from), ofVoyage(from)];
    const which = vesselImo === null ? "all" : "unnumbered";
    const latestMs = Math.min(
      departureMs + AT_SEA_MS_MAX,
      backAt(from, departureMs, callsOf(vesselDepartures, vessel), effort),
      backAt(from, departureMs, callsOf(voyageDepartures[which], number), effort),
    );
    const legs = new Map<string, Leg>();
    const take = (calls: Calls, isOn: (to: CallPoint) => boolean): void => {
      for (let at = placeBehind(calls, departureMs, arrivalOf); at < calls.length; at += 1) {
        effort.spend(1);
        const to = calls[at]!;
        const arrivalMs = to.arrivalMs!;
        if (arrivalMs > latestMs) return;
        if (to.port === from.port || (port !== null && to.port !== port) || !isOn(to)) continue;
        const earlier = legs.get(to.port);
        if (earlier === undefined || arrivalMs < earlier.arrivalMs) {
          legs.set(to.port, { from, to, departureMs, arrivalMs });
        }
        if (port !== null) return;
      }
    };
    take(
      callsOf(vesselArrivals, vessel),
      (to) => to.service === service || (voyage !== "" && cameOn(to) === voyage),
    );
    const others = callsOf(voyageArrivals[which], number);
    take(others, (to) => mayShareName(from, to));
    const found = [...legs.values()];
    return others.length === 0 ? found : found.toSorted((one, other) => one.arrivalMs - other.arrivalMs);
  }

  return {
    from: (call) => find(call, null),
    to: (call, port) => find(call, port)[0] ?? null,
  };
}

/** When the vessel leaves the port again; infinite: it does not. */
function backAt({ port }: CallPoint, departureMs: number, calls: Calls, effort: Effort): number {
  for (let at = placeBehind(calls, departureMs, departureOf); at < calls.length; at += 1) {
    effort.spend(1);
    const again = calls[at]!;
    if (again.port === port) return again.departureMs!;
    if (again.departureMs! > departureMs + AT_SEA_MS_MAX) break;
  }
  return Number.POSITIVE_INFINITY;
}

/** The place of the first with a later time. */
function placeBehind(calls: Calls, ms: number, timeOf: (point: CallPoint) => number | null): number {
  return placeOfFirst(calls.length, (at) => timeOf(calls[at]!)! > ms);
}

const arrivalOf = ({ arrivalMs }: CallPoint): number | null => arrivalMs;
const departureOf = ({ departureMs }: CallPoint): number | null => departureMs;

const ofVessel = ({ carrier, vesselImo }: CallPoint): string | null =>
  vesselImo === null ? null : keyOf(carrier, vesselImo);
const ofVoyage = ({ carrier, service, voyage }: CallPoint): string | null =>
  voyage === "" ? null : keyOf(carrier, service, voyage);
const ofArrivingVoyage = (point: CallPoint): string | null =>
  cameOn(point) === "" ? null : keyOf(point.carrier, point.service, cameOn(point));

const callsOf = (calls: Groups<CallPoint>, key: string | null): Calls =>
  key === null ? NONE : (calls.get(key) ?? NONE);

/** Of two calls of one carrier or of two: the vessel's number says it, else the carrier's voyage. */
export function isOneVessel(one: CallPoint, other: CallPoint): boolean {
  if (one.vesselImo !== null && other.vesselImo !== null) return one.vesselImo === other.vesselImo;
  return one.carrier === other.carrier && one.service === other.service && one.voyage === other.voyage;
}

/** No stored text has the separator. */
export function keyOf(...parts: readonly (string | null)[]): string {
  return parts.join("\0");
}

function cameOn({ importVoyage, voyage }: CallPoint): string {
  return importVoyage === "" ? voyage : importVoyage;
}

function mayShareName(one: CallPoint, other: CallPoint): boolean {
  const [name, another] = [one.vesselName, other.vesselName];
  return name === null || another === null || name.toUpperCase() === another.toUpperCase();
}
