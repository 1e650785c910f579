import type { AirEvents } from "./air.ts";
import type { LoadingEvents } from "./loading.ts";
import type { OceanEvents } from "./ocean.ts";
import type { OperationsEvents } from "./operations.ts";
import type { RatesEvents } from "./rates.ts";
import type { SchedulesEvents } from "./schedules.ts";
import type { Additional } from "./shape.ts";

/**
 * The body of a delivery (spec 2.3), typed by its `type`: `switch (delivery.type)` narrows `data`.
 * Keep a `default` branch for event types added later.
 */
export type Delivery = { readonly [Type in EventType]: DeliveryOf<Type> }[EventType];

/** One event's delivery: `DeliveryOf<"eta_changed">`. */
export type DeliveryOf<Type extends EventType> = Additional & {
  /** UUID, the same on every attempt: deduplicate on it. */
  readonly id: string;
  readonly type: Type;
  /** When the event was raised, UTC: order by it. Retries do not change it. */
  readonly occurred_at: string;
  readonly data: EventData[Type];
};

export type EventType = keyof EventData;

/** The data of every event of the five catalogues (spec 6.2), of operational events, and `ping`. */
export type EventData = OceanEvents &
  AirEvents &
  SchedulesEvents &
  RatesEvents &
  LoadingEvents &
  OperationsEvents &
  PingEvent;

/** Sent by `POST /v1/webhooks/{id}/test` only. */
export type PingEvent = { readonly ping: Additional & { readonly message: string } };
