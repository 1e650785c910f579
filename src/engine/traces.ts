import type { InFlightDelivery, Outcome } from "../model/delivery.ts";
import type { RaisedEvent } from "../model/event.ts";
import type { Target } from "../model/endpoint.ts";
import type { EndedAttempt } from "./settle/endpoint-counts.ts";

/** Who traces deliveries learns of their stages. Absent where nobody does. None of these may throw. */
export type DeliveryTraces = {
  /** The events are durable since now; of `deliveryIds`, `made` says in the same order how many are each event's. */
  readonly raised: (made: ReadonlyMap<RaisedEvent, number>, deliveryIds: readonly string[]) => void;
  /** An attempt has ended, after `tookMs`. */
  readonly attempted: (target: Target, delivery: InFlightDelivery, outcome: Outcome, tookMs: number) => void;
  /** The results of these attempts are written. */
  readonly settled: (written: readonly EndedAttempt[]) => void;
};
