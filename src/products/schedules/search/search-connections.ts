/** Searches connections in the record, a page of departures at a time. */
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { listDepartures, readCallsById, type DeparturesFilter } from "../store/connections.ts";
import type { CallListKey } from "../store/schedules-read.ts";
import { arrivalOf, type ConnectionRules } from "./connections.ts";
import { createCallReader, findWays, type CallReader, type JoinedCarriers } from "./find-ways.ts";
import type { CallPoint } from "./legs.ts";
import type { RankedWay, Routing } from "./rank-ways.ts";

/** Departures that one page reads. */
const DEPARTURES_MAX = 300;

/** A journey's calls as JSON: of each leg, where it begins and where it ends. */
export type FoundConnection = {
  /** Who sells all legs; null: they are of different carriers. */
  readonly carrier: string | null;
  readonly routing: Routing;
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
  readonly carriers: JoinedCarriers;
  readonly behind: CallListKey | null;
  readonly limit: number;
};

/** By departure. `too_many`: there are more calls, or ways to join them, than a page may check. */
export async function searchConnections(
  db: Connection,
  cell: Cell,
  { filter, rules, carriers, behind, limit }: ConnectionsSearch,
  clock: Pick<Clock, "monotonicMs">,
): Promise<ConnectionsPage | "too_many"> {
  const reader = createCallReader(db, cell, clock);
  const found = await reader.points(listDepartures(db, cell, filter, behind, DEPARTURES_MAX + 1));
  const departures = found.slice(0, DEPARTURES_MAX);
  const end = found.length > departures.length ? keyOf(departures.at(-1)!) : null;
  const ways = await findWays(reader, departures, rules, carriers, clock);
  if (ways === "too_many") return "too_many";
  const all = departures.flatMap((departure) =>
    (ways.get(departure.id) ?? []).map((way) => ({ way, key: keyOf(departure) })),
  );
  const last = all[limit - 1]?.key;
  // Ways of one departure stay together.
  const page = last === undefined ? all : all.filter(({ key }) => inOrder(key, last) <= 0);
  const next = page.length < all.length ? last! : end;
  return {
    connections: await withCalls(
      reader,
      page.map(({ way }) => way),
    ),
    next,
  };
}

const keyOf = ({ id, departureMs }: CallPoint): CallListKey => ({ ms: departureMs!, id });

function inOrder(one: CallListKey, other: CallListKey): number {
  return one.ms - other.ms || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

async function withCalls(
  { db, cell }: CallReader,
  chosen: readonly RankedWay[],
): Promise<readonly FoundConnection[]> {
  const ids = new Set(chosen.flatMap(({ journey }) => journey.flatMap(({ from, to }) => [from.id, to.id])));
  const records = await readCallsById(db, cell, [...ids]);
  return chosen.flatMap(({ routing, journey }) => {
    const legs = journey.flatMap(({ from, to }) => {
      const [origin, destination] = [records.get(from.id), records.get(to.id)];
      // A call may have been pruned since.
      return origin === undefined || destination === undefined ? [] : [{ origin, destination }];
    });
    if (legs.length < journey.length) return [];
    const carriers = new Set(journey.map(({ from }) => from.carrier));
    return {
      carrier: carriers.size === 1 ? journey[0]!.from.carrier : null,
      routing,
      legs,
      waitsMs: journey.slice(1).map((leg, index) => leg.departureMs - journey[index]!.arrivalMs),
      departureMs: journey[0]!.departureMs,
      arrivalMs: arrivalOf(journey),
    };
  });
}
