/** Searches connections in the record, a page of departures at a time. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { askCells } from "../../../store/homes/ask-cells.ts";
import {
  listArrivals,
  listCallsAtPorts,
  listCallsBeside,
  listDepartures,
  readCallsById,
  type DeparturesFilter,
} from "../store/connections.ts";
import type { CallListKey } from "../store/schedules-read.ts";
import { arrivalOf, findJourneys, type ConnectionRules, type Journey } from "./connections.ts";
import { createLegs, type CallPoint } from "./legs.ts";

/** From the first departure to the last arrival. */
const JOURNEY_MS_MAX = 120 * DAY_MS;
/** Departures of a cell that one page reads. */
const DEPARTURES_MAX = 300;
/** Calls of a cell that one page reads. */
const CALLS_MAX = 20_000;

/** A journey's calls as JSON: of each leg, where it begins and where it ends. */
export type FoundConnection = {
  readonly carrier: string;
  readonly legs: readonly { readonly origin: string; readonly destination: string }[];
  readonly waitsMs: readonly number[];
  readonly departureMs: number;
  readonly arrivalMs: number;
};

export type ConnectionsPage = {
  readonly connections: readonly FoundConnection[];
  /** The departure that the next page goes on behind; null: there is none. */
  readonly next: CallListKey | null;
};

export type ConnectionsSearch = {
  readonly filter: DeparturesFilter;
  readonly rules: ConnectionRules;
  readonly behind: CallListKey | null;
  readonly limit: number;
};

type OfCell = {
  readonly cell: Cell;
  readonly journeys: readonly Journey[];
  /** The last departure that was read, if there are more; null: all were. */
  readonly end: CallListKey | null;
};

/** By departure. `too_many`: there are more calls than a page may read. */
export async function searchConnections(
  db: Connection,
  cells: readonly Cell[],
  search: ConnectionsSearch,
  clock: Pick<Clock, "monotonicMs">,
): Promise<ConnectionsPage | "too_many"> {
  const asked = await askCells(cells, (cell) => searchCell(db, cell, search, clock));
  const found = asked.filter((one) => one !== "too_many");
  if (found.length < asked.length) return "too_many";
  const ends = found.flatMap(({ end }) => end ?? []).toSorted(inOrder);
  const end = ends[0] ?? null;
  const all = found
    .flatMap(({ cell, journeys }) => journeys.map((journey) => ({ cell, journey, key: keyOf(journey) })))
    // Behind the first end, journeys of that cell may be missing.
    .filter(({ key }) => end === null || inOrder(key, end) <= 0)
    .toSorted((one, other) => inOrder(one.key, other.key));
  const last = all[search.limit - 1]?.key;
  // Journeys of one departure stay together.
  const page = last === undefined ? all : all.filter(({ key }) => inOrder(key, last) <= 0);
  const next = page.length < all.length ? last! : end;
  return { connections: await withCalls(db, page), next };
}

function keyOf(journey: Journey): CallListKey {
  const [{ from, departureMs }] = journey as [Journey[number]];
  return { ms: departureMs, id: from.id };
}

function inOrder(one: CallListKey, other: CallListKey): number {
  return one.ms - other.ms || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

async function searchCell(
  db: Connection,
  cell: Cell,
  { filter, rules, behind }: ConnectionsSearch,
  clock: Pick<Clock, "monotonicMs">,
): Promise<OfCell | "too_many"> {
  const found = await listDepartures(db, cell, filter, behind, DEPARTURES_MAX + 1);
  const departures = found.slice(0, DEPARTURES_MAX);
  const [first, last] = [departures[0], departures.at(-1)];
  if (first === undefined || last === undefined) return { cell, journeys: [], end: null };
  const end = found.length > DEPARTURES_MAX ? { ms: last.departureMs!, id: last.id } : null;
  const within = { fromMs: first.departureMs!, beforeMs: last.departureMs! + JOURNEY_MS_MAX };
  const carriers = [...new Set(departures.map(({ carrier }) => carrier))];
  const arrivals = await listArrivals(db, cell, rules.destination, within, carriers, CALLS_MAX);
  const beside = await listCallsBeside(db, cell, [...departures, ...arrivals], within, CALLS_MAX);
  if (arrivals.length === CALLS_MAX || beside.length === CALLS_MAX) return "too_many";
  const between =
    rules.transshipmentsMax < 2
      ? []
      : await listCallsAtPorts(
          db,
          cell,
          carriers,
          portsBetween(departures, beside, rules),
          within,
          CALLS_MAX,
        );
  if (between.length === CALLS_MAX) return "too_many";
  const points = new Map([...departures, ...beside, ...between].map((point) => [point.id, point]));
  const journeys = await runInSlices(findJourneys([...points.values()], departures, rules), clock);
  return { cell, journeys, end };
}

/** Where first legs end, and where last ones begin. */
function portsBetween(
  departures: readonly CallPoint[],
  points: readonly CallPoint[],
  { destination }: ConnectionRules,
): readonly string[] {
  const legsFrom = createLegs(points);
  const first = departures.flatMap((from) => legsFrom(from).map(({ to }) => to.port));
  const last = points.filter((from) => legsFrom(from).some(({ to }) => to.port === destination));
  const ports = new Set([...first, ...last.map(({ port }) => port)]);
  ports.delete(destination);
  return [...ports];
}

type Chosen = { readonly cell: Cell; readonly journey: Journey };

async function withCalls(db: Connection, chosen: readonly Chosen[]): Promise<readonly FoundConnection[]> {
  const idsOf = ({ journey }: Chosen) => journey.flatMap(({ from, to }) => [from.id, to.id]);
  const byCell = Map.groupBy(chosen, ({ cell }) => cell);
  const read = await Promise.all(
    [...byCell].map(([cell, some]) => readCallsById(db, cell, [...new Set(some.flatMap(idsOf))])),
  );
  const records = new Map(read.flatMap((one) => [...one]));
  return chosen.flatMap(({ journey }) => {
    const legs = journey.flatMap(({ from, to }) => {
      const [origin, destination] = [records.get(from.id), records.get(to.id)];
      // A call may have been pruned since.
      return origin === undefined || destination === undefined ? [] : [{ origin, destination }];
    });
    if (legs.length < journey.length) return [];
    return {
      carrier: journey[0]!.from.carrier,
      legs,
      waitsMs: journey.slice(1).map((leg, index) => leg.departureMs - journey[index]!.arrivalMs),
      departureMs: journey[0]!.departureMs,
      arrivalMs: arrivalOf(journey),
    };
  });
}
