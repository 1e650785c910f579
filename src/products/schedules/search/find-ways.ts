/** Reads the calls that ways from some departures may go by, and joins them. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { askCells } from "../../../store/homes/ask-cells.ts";
import { listCallsBetween, listCallsOfEnds } from "../store/connections.ts";
import {
  arrivalOf,
  findEnds,
  joinOnce,
  joinTwice,
  usefulBetween,
  type ConnectionRules,
  type Ends,
  type Journey,
  type Ways,
} from "./connections.ts";
import type { CallPoint } from "./legs.ts";

/** From the first departure to the last arrival. */
const JOURNEY_MS_MAX = 120 * DAY_MS;
/** A vessel that stays longer at a port is in no connection there. */
const STAY_MS_MAX = 21 * DAY_MS;
/** Calls that one statement reads for a page. */
const CALLS_MAX = 20_000;

/** Reads calls from all cells, and remembers where each is. */
export type CallReader = {
  readonly db: Connection;
  readonly cellOf: ReadonlyMap<string, Cell>;
  points(list: (cell: Cell) => Promise<readonly CallPoint[]>): Promise<readonly CallPoint[]>;
};

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
  };
}

/** By departure, in the order of arrivals. `too_many`: there are more calls than a page may read. */
export async function findWays(
  reader: CallReader,
  departures: readonly CallPoint[],
  rules: ConnectionRules,
  clock: Pick<Clock, "monotonicMs">,
): Promise<ReadonlyMap<string, readonly Journey[]> | "too_many"> {
  const [first, last] = [departures[0], departures.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const { db } = reader;
  const within = { fromMs: first.departureMs!, beforeMs: last.departureMs! + JOURNEY_MS_MAX };
  const carriers = [...new Set(departures.map(({ carrier }) => carrier))];
  const further = departures.map(({ importVoyage, voyage, ...one }) => ({
    ...one,
    voyages: [importVoyage, voyage],
  }));
  const filter = { port: rules.destination, carriers, further };
  const beside = await reader.points((cell) => listCallsOfEnds(db, cell, filter, within, CALLS_MAX));
  if (beside.length >= CALLS_MAX) return "too_many";
  const points = byId([...departures, ...beside]);
  const ends = await runInSlices(findEnds(points, departures, rules), clock);
  const ones = await runInSlices(
    joinOnce(ends, rules, ({ carrier }) => carrier),
    clock,
  );
  const twos = await findTwice(reader, { points, ends, ones, rules, carriers }, clock);
  if (twos === "too_many") return "too_many";
  return new Map(
    departures.map(({ id }) => [
      id,
      [ones.get(id), twos.get(id)]
        .filter((way) => way !== undefined)
        .toSorted((one, other) => arrivalOf(one) - arrivalOf(other)),
    ]),
  );
}

const byId = (points: readonly CallPoint[]): readonly CallPoint[] => [
  ...new Map(points.map((point) => [point.id, point])).values(),
];

type Begun = {
  readonly points: readonly CallPoint[];
  readonly ends: Ends;
  readonly ones: Ways;
  readonly rules: ConnectionRules;
  readonly carriers: readonly string[];
};

async function findTwice(
  reader: CallReader,
  { points, ends, ones, rules, carriers }: Begun,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Ways | "too_many"> {
  const useful = rules.transshipmentsMax < 2 ? null : usefulBetween(ends, ones, rules);
  if (useful === null) return new Map();
  const filter = { ...useful, carriers, stayMsMax: STAY_MS_MAX };
  const between = await reader.points((cell) => listCallsBetween(reader.db, cell, filter, CALLS_MAX));
  if (between.length >= CALLS_MAX) return "too_many";
  const all = byId([...points, ...between]);
  return runInSlices(
    joinTwice(all, ends, ones, rules, ({ carrier }) => carrier),
    clock,
  );
}
