import type { Additional } from "./shape.ts";

/** The data of operational events: what happens to endpoints and deliveries, and to an overseer's sources. */
export type OperationsEvents = {
  readonly endpoint_failing: EndpointData;
  readonly endpoint_disabled: EndpointData;
  readonly endpoint_recovered: EndpointData;
  readonly delivery_dead: DeadDeliveryData;
  readonly source_down: SourceData;
  readonly source_recovered: SourceData;
};

type OfEndpoint = Additional & {
  readonly account_id: string;
  readonly endpoint_id: string;
  /** The product on which the endpoint is registered. */
  readonly product: string;
  readonly url: string;
  /** Why its last attempt failed; null: it did not. */
  readonly last_error: string | null;
};

export type EndpointData = OfEndpoint & {
  /** Consecutive failures. */
  readonly failure_count: number;
  readonly failing_since: string | null;
};

export type DeadDeliveryData = OfEndpoint & {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt_count: number;
  readonly last_status_code: number | null;
  readonly created_at: string;
};

export type SourceData = Additional & {
  readonly source: string;
  readonly down_since: string;
  /** The code of its last failure. */
  readonly failure: string | null;
  /** The same in words. */
  readonly text: string | null;
};
