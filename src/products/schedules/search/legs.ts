/**
 * From a vessel's departure to its next call at each other port. The same rule as sailing_list.sql, for calls in memory:
 * on one service or voyage of a carrier, within ten weeks, and not back at the first port in between.
 */
import { AT_SEA_MS_MAX } from "./at-sea.ts";

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

export function createLegs(points: readonly CallPoint[]): Legs {
  const byVessel = Map.groupBy(points, ({ carrier, vesselImo }) => keyOf(carrier, vesselImo));
  const arriving = Map.groupBy(points, (point) => keyOf(point.carrier, point.service, cameOn(point)));
  const leaving = Map.groupBy(points, ({ carrier, service, voyage }) => keyOf(carrier, service, voyage));
  const known = new Map<string, readonly Leg[]>();

  /** `port`: only to this one; null: to all. */
  function find(from: CallPoint, port: string | null): readonly Leg[] {
    const { departureMs, carrier, service, voyage, vesselImo } = from;
    if (departureMs === null || !from.isLeaving) return [];
    const ofVessel = vesselImo === null ? [] : (byVessel.get(keyOf(carrier, vesselImo)) ?? []);
    /** Calls that may be of the vessel, though one of them names none. */
    const ofVoyage = (calls: typeof arriving): readonly CallPoint[] =>
      voyage === ""
        ? []
        : (calls.get(keyOf(carrier, service, voyage)) ?? []).filter((other) => mayBeOneVessel(from, other));
    let backMs = Number.POSITIVE_INFINITY;
    for (const calls of [ofVessel, ofVoyage(leaving)]) {
      for (const other of calls) {
        const againMs = other.departureMs ?? 0;
        if (other.port === from.port && againMs > departureMs) backMs = Math.min(backMs, againMs);
      }
    }
    const latestMs = Math.min(backMs, departureMs + AT_SEA_MS_MAX);
    const first = new Map<string, Leg>();
    const consider = (to: CallPoint): void => {
      const { arrivalMs } = to;
      if (port !== null && to.port !== port) return;
      if (arrivalMs === null || arrivalMs <= departureMs || arrivalMs > latestMs) return;
      if (to.port === from.port || (first.get(to.port)?.arrivalMs ?? latestMs + 1) <= arrivalMs) return;
      first.set(to.port, { from, to, departureMs, arrivalMs });
    };
    for (const to of ofVessel) {
      if (to.service === service || (voyage !== "" && cameOn(to) === voyage)) consider(to);
    }
    for (const to of ofVoyage(arriving)) if (mayShareName(from, to)) consider(to);
    return [...first.values()].toSorted((one, other) => one.arrivalMs - other.arrivalMs);
  }

  return {
    from(call) {
      const found = known.get(call.id) ?? find(call, null);
      known.set(call.id, found);
      return found;
    },
    to: (call, port) => find(call, port)[0] ?? null,
  };
}

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

/** Two numbers are two vessels, and one number is found by itself. */
function mayBeOneVessel(one: CallPoint, other: CallPoint): boolean {
  return one.vesselImo === null || other.vesselImo === null;
}

function mayShareName(one: CallPoint, other: CallPoint): boolean {
  const [name, another] = [one.vesselName, other.vesselName];
  return name === null || another === null || name.toUpperCase() === another.toUpperCase();
}
