/** Endpoints and deliveries as clients see them (spec 2.1, 2.2). */
import Type, { type TSchema } from "typebox";

import type { DeliveryRecord } from "../../model/delivery.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Product } from "../../model/product.ts";
import { nullable, UtcDateTime } from "../../model/data-types.ts";
import { boundedText } from "../validation.ts";

const DESCRIPTION_LENGTH_MAX = 1_000;

export const EndpointPath = Type.Object({ id: Type.String({ description: "the endpoint's id, a UUID" }) });

/** What a client may send of an endpoint. */
export function endpointFields(product: Product) {
  const names = product.catalogue.filter((type) => type.subscribable).map((type) => type.name);
  return {
    url: Type.String({ description: "where deliveries go; must start with https://" }),
    event_types: Type.Array(Type.String(), {
      description: `of ${names.join(", ")}; empty means every type; unknown names are dropped`,
    }),
    description: boundedText(DESCRIPTION_LENGTH_MAX, { description: "a label of your own" }),
  };
}

const named = {
  id: Type.String({ format: "uuid" }),
  url: Type.String(),
  event_types: Type.Array(Type.String(), { description: "empty: every type" }),
  description: Type.String(),
  active: Type.Boolean({ description: "false while paused or disabled after failures" }),
};

const health = {
  failure_count: Type.Integer({ description: "consecutive failed attempts" }),
  last_delivery_at: nullable(UtcDateTime),
};

const createdAt = { created_at: UtcDateTime };

export const DeliveryRecordSchema = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "the id in the body and in the delivery header" }),
    event_type: Type.String(),
    status: Type.Enum(["pending", "delivered", "dead"]),
    attempt_count: Type.Integer(),
    last_status_code: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
    created_at: UtcDateTime,
    delivered_at: nullable(UtcDateTime),
  },
  { title: "Delivery" },
);

export const RegisteredSchema: TSchema = Type.Object(
  {
    ...named,
    ...createdAt,
    secret: Type.String({ description: "signs every delivery; appears here and never again" }),
  },
  { title: "RegisteredEndpoint" },
);

export const ChangedSchema: TSchema = Type.Object(named, { title: "ChangedEndpoint" });

export const ListedSchema: TSchema = Type.Object(
  { ...named, ...health, ...createdAt },
  { title: "Endpoint" },
);

export const DetailSchema: TSchema = Type.Object(
  { ...named, ...health, ...createdAt, recent_deliveries: Type.Array(DeliveryRecordSchema) },
  { title: "EndpointDetail" },
);

export function changedAnswer(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    active: endpoint.active,
  };
}

export function registeredAnswer(endpoint: Endpoint, secret: string) {
  return { ...changedAnswer(endpoint), created_at: endpoint.createdAt.toISOString(), secret };
}

export function listedAnswer(endpoint: Endpoint) {
  return {
    ...changedAnswer(endpoint),
    failure_count: endpoint.failureCount,
    last_delivery_at: endpoint.lastDeliveryAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

/** The endpoint's own time of its last success is written in batches, so a recent delivery may be ahead. */
export function detailAnswer(endpoint: Endpoint, recent: readonly DeliveryRecord[]) {
  const successes = [endpoint.lastDeliveryAt, ...recent.map((delivery) => delivery.deliveredAt)];
  const lastMs = Math.max(...successes.map((at) => at?.getTime() ?? -Infinity));
  return {
    ...listedAnswer(endpoint),
    last_delivery_at: lastMs === -Infinity ? null : new Date(lastMs).toISOString(),
    recent_deliveries: recent.map(deliveryAnswer),
  };
}

export function deliveryAnswer(delivery: DeliveryRecord) {
  return {
    id: delivery.id,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}
