/** A way from port to port that a carrier publishes: legs by vessel that it sells together. */

export type PublishedLeg = {
  /** The service's code, else its name; empty while unknown. */
  readonly service: string;
  /** Empty while unknown. */
  readonly voyage: string;
  readonly vesselImo: string | null;
  /** UN/LOCODEs. */
  readonly from: string;
  readonly to: string;
  readonly departureMs: number;
  readonly arrivalMs: number;
};

export type PublishedWay = {
  /** SCAC. */
  readonly carrier: string;
  readonly legs: readonly PublishedLeg[];
};

/** What a feed answered with to one question. */
export type PublishedRoutings = {
  readonly carrier: string;
  readonly asked: string;
  readonly ways: readonly PublishedWay[];
  /** It publishes no others: its earlier ways are withdrawn. */
  readonly isWhole: boolean;
};

/** Legs of a connection, which the search shows with two transshipments at most. */
const LEGS_MAX = 3;

/** Whether legs by vessel make a connection: each begins where the one before it ends, and later. */
export function isConnection(legs: readonly PublishedLeg[]): boolean {
  return (
    legs.length >= 2 &&
    legs.length <= LEGS_MAX &&
    legs.every((leg, index) => {
      const before = legs[index - 1];
      const isJoined = before === undefined || (before.to === leg.from && before.arrivalMs < leg.departureMs);
      return isJoined && leg.from !== leg.to && leg.departureMs < leg.arrivalMs;
    })
  );
}
