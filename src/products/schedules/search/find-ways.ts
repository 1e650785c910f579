/** Reads the calls that ways from some departures may go by, and joins them. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { createPause, runInSlices, runInSlicesWhile, type SlicedWork } from "../../../runtime/time-slices.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { PublishedWay } from "../calls/published-way.ts";
import { listCallsBetween, listCallsOfEnds, type Carriers, type Sailing } from "../store/connections.ts";
import { listRoutings } from "../store/routings.ts";
import {
  findEnds,
  joinOnce,
  usefulBetween,
  type ConnectionRules,
  type Ends,
  type Ways,
} from "./connections.ts";
import { createEffort, STEPS_MAX, type Effort } from "./effort.ts";
import { joinTwice } from "./join-twice.ts";
import type { CallPoint } from "./legs.ts";
import type { JoinKey } from "./onward.ts";
import { findPublished } from "./published.ts";
import { rankWays, type RankedWay } from "./rank-ways.ts";

/** From the first departure to the last arrival. */
const JOURNEY_MS_MAX = 120 * DAY_MS;
/** A vessel that stays longer at a port is in no connection there. */
const STAY_MS_MAX = 21 * DAY_MS;
/** Calls that one statement reads for a page. */
const CALLS_MAX = 20_000;
/** Calls between two chances for others to go on. */
const POINTS_A_STEP = 500;
/** Published ways that one page reads. */
const ROUTINGS_MAX = 1_000;
/** A way may leave this much earlier or later than published. */
const ROUTING_MOVED_MS_MAX = 14 * DAY_MS;

/** Where calls are read, and the time that is not all this search's. */
export type CallReader = {
  readonly db: Connection;
  readonly cell: Cell;
  /** Reading many takes a slice of time by itself. */
  points(listed: Promise<readonly CallPoint[]>): Promise<readonly CallPoint[]>;
};

/** Who sells the legs that are joined: one carrier, or different ones as well. */
export type JoinedCarriers = "one" | "any";

const OF_ONE_CARRIER: JoinKey = ({ carrier }) => carrier;
const OF_ANY_CARRIERS: JoinKey = () => "";

export function createCallReader(db: Connection, cell: Cell, clock: Pick<Clock, "monotonicMs">): CallReader {
  const pause = createPause(clock);
  return {
    db,
    cell,
    async points(listed) {
      const found = await listed;
      await pause();
      return found;
    },
  };
}

/** By departure, in the order of arrivals. `too_many`: there are more calls, or ways to join them, than a page may check. */
export async function findWays(
  reader: CallReader,
  departures: readonly CallPoint[],
  rules: ConnectionRules,
  joined: JoinedCarriers,
  clock: Pick<Clock, "monotonicMs">,
): Promise<ReadonlyMap<string, readonly RankedWay[]> | "too_many"> {
  const [first, last] = [departures[0], departures.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const { db, cell } = reader;
  const within = { fromMs: first.departureMs!, beforeMs: last.departureMs! + JOURNEY_MS_MAX };
  const own = [...new Set(departures.map(({ carrier }) => carrier))];
  const carriers = joined === "any" ? null : own;
  const published = await readPublished(reader, departures, own, rules);
  const further = [...departures.map(sailingOf), ...published.flatMap(sailingsOf)];
  const filter = { port: rules.destination, carriers, further };
  const beside = await reader.points(listCallsOfEnds(db, cell, filter, within, CALLS_MAX));
  if (beside.length >= CALLS_MAX) return "too_many";
  const points = await runInSlices(distinct([departures, beside]), clock);
  const effort = createEffort(STEPS_MAX);
  const search: Search = {
    reader,
    rules,
    effort,
    run: (work) => runInSlicesWhile(effort.isLeft, work, clock),
  };
  const ends = await search.run(findEnds(points, departures, rules, effort));
  if (ends === "stopped") return "too_many";
  const ranked: (readonly Ways[])[] = [];
  const ofOne = { joinKey: OF_ONE_CARRIER, carriers: own };
  const joins = joined === "any" ? [ofOne, { joinKey: OF_ANY_CARRIERS, carriers: null }] : [ofOne];
  for (const join of joins) {
    const joinedWays = await joinLegs(search, points, ends, join);
    if (joinedWays === "stopped") return "too_many";
    ranked.push(joinedWays);
  }
  const publishedFrom = await search.run(findPublished(published, points, rules.transshipmentsMax, effort));
  if (publishedFrom === "stopped") return "too_many";
  return new Map(
    departures.map(({ id }) => {
      const carried = (publishedFrom.get(id) ?? []).map(
        (journey) => ({ routing: "carrier", journey }) as const,
      );
      const ways = ranked.flat().flatMap((some) => (some.has(id) ? [some.get(id)!] : []));
      return [
        id,
        rankWays([...carried, ...ways.map((journey) => ({ routing: "joined", journey }) as const)]),
      ];
    }),
  );
}

async function readPublished(
  { db, cell }: CallReader,
  departures: readonly CallPoint[],
  carriers: readonly string[],
  { destination }: ConnectionRules,
): Promise<readonly PublishedWay[]> {
  const [first, last] = [departures[0]!, departures.at(-1)!];
  const filter = {
    origin: first.port,
    destination,
    carriers,
    fromMs: first.departureMs! - ROUTING_MOVED_MS_MAX,
    beforeMs: last.departureMs! + ROUTING_MOVED_MS_MAX,
  };
  return listRoutings(db, cell, filter, ROUTINGS_MAX);
}

const sailingOf = ({ carrier, service, vesselImo, importVoyage, voyage }: CallPoint): Sailing => ({
  carrier,
  service,
  vesselImo,
  voyages: [importVoyage, voyage],
});

const sailingsOf = ({ carrier, legs }: PublishedWay): readonly Sailing[] =>
  legs.map(({ service, voyage, vesselImo }) => ({ carrier, service, vesselImo, voyages: [voyage] }));

/** Each call once, the latest reading of it. */
function* distinct(lists: readonly (readonly CallPoint[])[]): SlicedWork<readonly CallPoint[]> {
  const byId = new Map<string, CallPoint>();
  for (const list of lists) {
    for (const [index, point] of list.entries()) {
      if (index % POINTS_A_STEP === 0) yield;
      byId.set(point.id, point);
    }
  }
  return [...byId.values()];
}

type Search = {
  readonly reader: CallReader;
  readonly rules: ConnectionRules;
  readonly effort: Effort;
  run<Result>(work: SlicedWork<Result>): Promise<Result | "stopped">;
};

type Join = { readonly joinKey: JoinKey; readonly carriers: Carriers };

/** With one transshipment, and with two. */
async function joinLegs(
  { reader, rules, effort, run }: Search,
  points: readonly CallPoint[],
  ends: Ends,
  { joinKey, carriers }: Join,
): Promise<readonly Ways[] | "stopped"> {
  const ones = await run(joinOnce(ends, rules, joinKey, effort));
  if (ones === "stopped") return "stopped";
  if (rules.transshipmentsMax < 2) return [ones];
  const useful = await run(usefulBetween(ends, ones, rules));
  if (useful === "stopped") return "stopped";
  if (useful === null) return [ones];
  const filter = { ...useful, carriers, stayMsMax: STAY_MS_MAX };
  const between = await reader.points(listCallsBetween(reader.db, reader.cell, filter, CALLS_MAX));
  if (between.length >= CALLS_MAX) return "stopped";
  const all = await run(distinct([points, between]));
  if (all === "stopped") return "stopped";
  const twos = await run(joinTwice(all, ends, ones, rules, joinKey, effort));
  return twos === "stopped" ? "stopped" : [ones, twos];
}
