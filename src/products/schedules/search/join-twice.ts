/** Ways with two transshipments: of each call between, the ways on from it are searched once for all first legs. */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import {
  arrivalIn,
  arrivalOf,
  latestOf,
  type ConnectionRules,
  type Ends,
  type Journey,
  type Ways,
} from "./connections.ts";
import type { Effort } from "./effort.ts";
import { createLegs, isOneVessel, type CallPoint, type Leg, type Legs } from "./legs.ts";
import {
  createOnward,
  inTime,
  leavingOf,
  NONE_YET,
  vesselsOf,
  withOneMore,
  type Earliest,
  type JoinKey,
  type Onward,
  type Vessels,
} from "./onward.ts";

/** From a call between to the destination; `from` is where the last leg begins. */
type WayOn = Pick<Leg, "from" | "arrivalMs"> & { readonly second: Leg; readonly last: Leg };

/** The vessel of the first leg. */
const LEFT_OUT_MAX = 1;

/** Of each departure, by its id, the way with two transshipments that arrives first, if before the one with one. */
export function* joinTwice(
  points: readonly CallPoint[],
  ends: Ends,
  ones: Ways,
  rules: ConnectionRules,
  joinKey: JoinKey,
  effort: Effort,
): SlicedWork<Ways> {
  const { departures, firstLegs, lastLegs } = ends;
  const { waitMsMin } = rules;
  const vessels = vesselsOf([...points, ...departures, ...lastLegs.map(({ from }) => from)]);
  yield;
  const legs = yield* createLegs(points, effort);
  const onward = yield* createOnward(lastLegs, vessels, rules, joinKey, effort);
  const leaving = yield* leavingOf(points.flatMap(departingOf), joinKey, effort);
  const latestMs = latestOf(ends, ones);
  const origin = departures[0]?.port;
  const found = new Map<CallPoint, readonly WayOn[]>();
  const ways = new Map<string, Journey>();
  for (const departure of departures) {
    let best: Journey | null = null;
    let bestMs = arrivalIn(ones, departure.id);
    for (const first of firstLegs.get(departure.id)!) {
      yield;
      if (first.arrivalMs + 2 * waitMsMin >= bestMs) break;
      for (const { from, departureMs } of inTime(first, leaving, rules, joinKey)) {
        effort.spend(1);
        // By departure: those behind leave too late, too.
        if (departureMs + waitMsMin >= bestMs) break;
        if (isOneVessel(first.from, from)) continue;
        let on = found.get(from);
        if (on === undefined) {
          on = waysOn({ from, legs, onward, vessels, waitMsMin, latestMs, origin }, effort);
          found.set(from, on);
          yield;
        }
        const way = on.find((one) => !isOneVessel(first.from, one.from));
        if (way === undefined || way.arrivalMs >= bestMs) continue;
        best = [first, way.second, way.last];
        bestMs = arrivalOf(best);
      }
    }
    if (best !== null) ways.set(departure.id, best);
  }
  return ways;
}

function departingOf(from: CallPoint) {
  const { departureMs, isLeaving } = from;
  return departureMs === null || !isLeaving ? [] : [{ from, departureMs }];
}

type Between = {
  readonly from: CallPoint;
  readonly legs: Legs;
  readonly onward: Onward;
  readonly vessels: Vessels;
  readonly waitMsMin: number;
  readonly latestMs: number;
  readonly origin: string | undefined;
};

/** By arrival. */
function waysOn(
  { from, legs, onward, vessels, waitMsMin, latestMs, origin }: Between,
  effort: Effort,
): readonly WayOn[] {
  let earliest: Earliest<WayOn> = NONE_YET;
  for (const second of legs.from(from)) {
    // By arrival: those behind arrive too late, too.
    const leastMs = second.arrivalMs + waitMsMin;
    if (leastMs >= latestMs || (earliest.isEnough && leastMs >= earliest.items.at(-1)!.arrivalMs)) break;
    if (second.to.port === origin) continue;
    for (const last of onward(second)) {
      effort.spend(1);
      if (isOneVessel(from, last.from)) continue;
      const way = { from: last.from, arrivalMs: last.arrivalMs, second, last };
      earliest = withOneMore(earliest, way, vessels, LEFT_OUT_MAX, effort);
    }
  }
  return earliest.items;
}
