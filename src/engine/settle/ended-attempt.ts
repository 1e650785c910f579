import type { InFlightDelivery, Settlement } from "../../model/delivery.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";

/** An attempt that ended, and what becomes of its delivery. */
export type EndedAttempt = {
  readonly queue: EndpointQueue;
  readonly delivery: InFlightDelivery;
  readonly settlement: Settlement;
};
