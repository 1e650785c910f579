/** Reads the calls that ways from some departures may go by, and joins them. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { askCells } from "../../../store/homes/ask-cells.ts";
import type { PublishedWay } from "../calls/published-way.ts";
import { listCallsBetween, listCallsOfEnds, type Carriers, type Sailing } from "../store/connections.ts";
import { listRoutings } from "../store/routings.ts";
import {
  findEnds,
  joinOnce,
  joinTwice,
  usefulBetween,
  type ConnectionRules,
  type Ends,
  type JoinKey,
  type Ways,
} from "./connections.ts";
import type { CallPoint } from "./legs.ts";
import { findPublished } from "./published.ts";
import { rankWays, type RankedWay } from "./rank-ways.ts";

/** From the first departure to the last arrival. */
const JOURNEY_MS_MAX = 120 * DAY_MS;
/** A vessel that stays longer at a port is in no connection there. */
const STAY_MS_MAX = 21 * DAY_MS;
/** Calls that one statement reads for a page. */
const CALLS_MAX = 20_000;
/** Published ways that one page reads. */
const ROUTINGS_MAX = 1_000;
/** A way may leave this much earlier or later than published. */
const ROUTING_MOVED_MS_MAX = 14 * DAY_MS;

/** Reads calls from all cells, and remembers where each is. */
export type CallReader = {
  readonly db: Connection;
  readonly cellOf: ReadonlyMap<string, Cell>;
  points(list: (cell: Cell) => Promise<readonly CallPoint[]>): Promise<readonly CallPoint[]>;
  all<Found>(list: (cell: Cell) => Promise<readonly Found[]>): Promise<readonly Found[]>;
};

/** Who sells the legs that are joined: one carrier, or different ones as well. */
export type JoinedCarriers = "one" | "any";

const OF_ONE_CARRIER: JoinKey = ({ carrier }) => carrier;
const OF_ANY_CARRIERS: JoinKey = () => "";

export function createCallReader(db: Connection, cells: readonly Cell[]): CallReader {
  const cellOf = new Map<string, Cell>();
  return {
    db,
    cellOf,
    async points(list) {
      const asked = await askCells(cells, async (cell) => ({ cell, points: await list(cell) }));
      for (const { cell, points } of asked) for (const { id } of points) cellOf.set(id, cell);
      return asked.flatMap(({ points }) => points);
    },
    all: async (list) => (await askCells(cells, list)).flat(),
  };
}

/** By departure, in the order of arrivals. `too_many`: there are more calls than a page may read. */
export async function findWays(
  reader: CallReader,
  departures: readonly CallPoint[],
  rules: ConnectionRules,
  joined: JoinedCarriers,
  clock: Pick<Clock, "monotonicMs">,
): Promise<ReadonlyMap<string, readonly RankedWay[]> | "too_many"> {
  const [first, last] = [departures[0], departures.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const { db } = reader;
  const within = { fromMs: first.departureMs!, beforeMs: last.departureMs! + JOURNEY_MS_MAX };
  const own = [...new Set(departures.map(({ carrier }) => carrier))];
  const carriers = joined === "any" ? null : own;
  const published = await readPublished(reader, departures, own, rules);
  const further = [...departures.map(sailingOf), ...published.flatMap(sailingsOf)];
  const filter = { port: rules.destination, carriers, further };
  const beside = await reader.points((cell) => listCallsOfEnds(db, cell, filter, within, CALLS_MAX));
  if (beside.length >= CALLS_MAX) return "too_many";
  const points = byId([...departures, ...beside]);
  const ends = await runInSlices(findEnds(points, departures, rules), clock);
  const ranked: (readonly Ways[])[] = [];
  const ofOne = { joinKey: OF_ONE_CARRIER, carriers: own };
  const joins = joined === "any" ? [ofOne, { joinKey: OF_ANY_CARRIERS, carriers: null }] : [ofOne];
  for (const join of joins) {
    const ones = await runInSlices(joinOnce(ends, rules, join.joinKey), clock);
    const twos = await findTwice(reader, { points, ends, ones, rules, ...join }, clock);
    if (twos === "too_many") return "too_many";
    ranked.push([ones, twos]);
  }
  const publishedFrom = findPublished(published, points, rules.transshipmentsMax);
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
  reader: CallReader,
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
  return reader.all((cell) => listRoutings(reader.db, cell, filter, ROUTINGS_MAX));
}

const sailingOf = ({ carrier, service, vesselImo, importVoyage, voyage }: CallPoint): Sailing => ({
  carrier,
  service,
  vesselImo,
  voyages: [importVoyage, voyage],
});

const sailingsOf = ({ carrier, legs }: PublishedWay): readonly Sailing[] =>
  legs.map(({ service, voyage, vesselImo }) => ({ carrier, service, vesselImo, voyages: [voyage] }));

const byId = (points: readonly CallPoint[]): readonly CallPoint[] => [
  ...new Map(points.map((point) => [point.id, point])).values(),
];

type Begun = {
  readonly points: readonly CallPoint[];
  readonly ends: Ends;
  readonly ones: Ways;
  readonly rules: ConnectionRules;
  readonly carriers: Carriers;
  readonly joinKey: JoinKey;
};

async function findTwice(
  reader: CallReader,
  { points, ends, ones, rules, carriers, joinKey }: Begun,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Ways | "too_many"> {
  const useful = rules.transshipmentsMax < 2 ? null : usefulBetween(ends, ones, rules);
  if (useful === null) return new Map();
  const filter = { ...useful, carriers, stayMsMax: STAY_MS_MAX };
  const between = await reader.points((cell) => listCallsBetween(reader.db, cell, filter, CALLS_MAX));
  if (between.length >= CALLS_MAX) return "too_many";
  const all = byId([...points, ...between]);
  return runInSlices(joinTwice(all, ends, ones, rules, joinKey), clock);
}
