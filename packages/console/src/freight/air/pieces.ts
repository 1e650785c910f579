/** How many pieces have come how far, by what was reported of the whole and of parts. */
import type { DetailedEvent } from "./answers.ts";

export type StationCount = {
  readonly station: string;
  readonly received: number;
  readonly departed: number;
  readonly delivered: number;
};

const RECEIVED: readonly string[] = ["RCS", "RCT", "RCF", "FIW", "ARR"];
const DEPARTED: readonly string[] = ["DEP", "TFD"];
const DELIVERED: readonly string[] = ["DLV", "DDL"];

/** In the order of the events. An event without a number is of all pieces; more than all have come nowhere. */
export function countsOf(events: readonly DetailedEvent[], total: number | null): readonly StationCount[] {
  const happened = events.filter(({ planned }) => !planned);
  const byStation = Map.groupBy(happened, ({ station }) => station ?? "");
  const count = (some: readonly DetailedEvent[], codes: readonly string[]): number => {
    const sums = codes.map((code) =>
      some
        .filter((event) => event.code === code)
        .reduce((sum, { pieces }) => sum + (pieces ?? total ?? 0), 0),
    );
    return Math.min(Math.max(0, ...sums), total ?? Number.POSITIVE_INFINITY);
  };
  return [...byStation]
    .map(([station, some]) => ({
      station,
      received: count(some, RECEIVED),
      departed: count(some, DEPARTED),
      delivered: count(some, DELIVERED),
    }))
    .filter(
      ({ station, received, departed, delivered }) => station !== "" && received + departed + delivered > 0,
    );
}
