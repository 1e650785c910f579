/** Which of the ways from one departure are worth a reader's time, and in which order. */
import { arrivalOf, type Journey } from "./connections.ts";

/** `carrier`: it publishes the way as one; `joined`: Boathook joined sailings. */
export type Routing = "carrier" | "joined";

export type RankedWay = { readonly routing: Routing; readonly journey: Journey };

/**
 * Of `ways`, in the order of preference, the ones that no preferred one equals: none arrives as early with as few
 * transshipments. In the order of arrivals, of equal ones the preferred first.
 */
export function rankWays(ways: readonly RankedWay[]): readonly RankedWay[] {
  const kept: RankedWay[] = [];
  for (const way of ways) {
    const isEqualled = kept.some(
      ({ journey }) => journey.length <= way.journey.length && arrivalOf(journey) <= arrivalOf(way.journey),
    );
    if (!isEqualled) kept.push(way);
  }
  return kept.toSorted((one, other) => arrivalOf(one.journey) - arrivalOf(other.journey));
}
