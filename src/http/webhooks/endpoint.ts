/** Endpoints and deliveries as clients see them, and what clients may send of an endpoint. */
import type { FastifyRequest } from "fastify";
import Type from "typebox";

import { nullable, UtcDateTime } from "../../model/data-types.ts";
import type { DeliveryRecord } from "../../model/delivery.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Product } from "../../model/product.ts";
import { callerOf } from "../authenticate.ts";
import type { PublicPorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { resource, type Fields } from "../resource.ts";
import { boundedText } from "../validation.ts";

const DESCRIPTION_LENGTH_MAX = 1_000;

export const EndpointPath = Type.Object({ id: Type.String({ description: "the endpoint's id, a UUID" }) });

/** One answer for ids that are unknown, of another account or product, or no ids (spec 4.1: unknown_id; 7: not_found). */
export const NO_ENDPOINT: Refusal = { code: "NOT_FOUND", message: "you have no endpoint of that id" };

/** Where the caller's endpoints on the product are. */
export function scopeOf(request: FastifyRequest, { tag }: Product) {
  const { account, cell } = callerOf(request);
  return { cell, owner: { accountId: account.id, product: tag } };
}

/** What a client may send of an endpoint (spec 4.1: register_url, register_event_types, register_description). */
export function endpointFields(product: Product) {
  return {
    url: Type.String({ description: "where deliveries go; must start with https://" }),
    event_types: Type.Array(Type.String(), {
      description: `of ${subscribableTo(product).join(", ")}; empty means every type; unknown names are dropped`,
    }),
    description: boundedText(DESCRIPTION_LENGTH_MAX, { description: "a label of your own" }),
  };
}

function subscribableTo({ catalogue }: Product): readonly string[] {
  return catalogue.filter((type) => type.subscribable).map(({ name }) => name);
}

/**
 * The names sent that the product offers, each once, in the order sent. If it offers none of them, the subscription is
 * empty, which means every type (spec 4.1: register_event_types, register_all_unknown, update_event_types;
 * 6.1: unknown_names; 7: event_types).
 */
export function subscriptionTo(product: Product, names: readonly string[]): readonly string[] {
  const offered = subscribableTo(product);
  return [...new Set(names)].filter((name) => offered.includes(name));
}

/** Why an endpoint cannot have this URL, or null (spec 4.1: register_url). The scheme counts as it is written. */
export function urlProblem(url: string, checkUrl: PublicPorts["checkUrl"]): string | null {
  if (!url.startsWith("https://")) return "it must start with https://";
  const verdict = checkUrl(url);
  return verdict.ok ? null : verdict.reason;
}

const Id = Type.String({ format: "uuid" });

/** (spec 2.1: id, url, event_types, description, active; 4.1: update_response) */
const LABELS = {
  id: [Id, ({ id }) => id],
  url: [Type.String(), ({ url }) => url],
  event_types: [
    Type.Array(Type.String(), { description: "empty: every type" }),
    ({ eventTypes }) => eventTypes,
  ],
  description: [Type.String(), ({ description }) => description],
  active: [
    Type.Boolean({ description: "false while paused or disabled after failures" }),
    ({ active }) => active,
  ],
} satisfies Fields<Endpoint>;

/** (spec 2.1: failure_count, last_delivery_at) */
const HEALTH = {
  failure_count: [
    Type.Integer({ description: "consecutive failed attempts" }),
    ({ failureCount }) => failureCount,
  ],
  last_delivery_at: [
    nullable(UtcDateTime),
    ({ lastDeliveryAt }): string | null => lastDeliveryAt?.toISOString() ?? null,
  ],
} satisfies Fields<Endpoint>;

/** (spec 2.1: created_at) */
const CREATED = {
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
} satisfies Fields<Endpoint>;

/** (spec 2.1: secret; 4.1: register_response) */
export const registeredEndpoint = resource("RegisteredEndpoint", {
  ...LABELS,
  ...CREATED,
  secret: [
    Type.String({ description: "signs every delivery; appears here and never again" }),
    ({ secret }) => secret,
  ],
} satisfies Fields<Endpoint & { readonly secret: string }>);

export const changedEndpoint = resource("ChangedEndpoint", LABELS);

export const listedEndpoint = resource("Endpoint", { ...LABELS, ...HEALTH, ...CREATED });

/** (spec 2.2: id, event_type, status, attempt_count, last_status_code, last_error, created_at, delivered_at) */
export const delivery = resource("Delivery", {
  id: [
    Type.String({ format: "uuid", description: "the id in the body and in the delivery header" }),
    ({ id }) => id,
  ],
  event_type: [Type.String(), ({ eventType }) => eventType],
  status: [Type.Enum(["pending", "delivered", "dead"]), ({ status }) => status],
  attempt_count: [Type.Integer(), ({ attemptCount }) => attemptCount],
  last_status_code: [nullable(Type.Integer()), ({ lastStatusCode }) => lastStatusCode],
  last_error: [nullable(Type.String()), ({ lastError }) => lastError],
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
  delivered_at: [nullable(UtcDateTime), ({ deliveredAt }) => deliveredAt?.toISOString() ?? null],
} satisfies Fields<DeliveryRecord>);

/** (spec 2.1: recent_deliveries; 4.1: detail_response) */
export const endpointDetail = resource("EndpointDetail", {
  ...LABELS,
  ...HEALTH,
  last_delivery_at: [nullable(UtcDateTime), lastSuccess],
  ...CREATED,
  recent_deliveries: [Type.Array(delivery.schema), ({ recent }) => recent.map(delivery.view)],
} satisfies Fields<DetailedEndpoint>);

type DetailedEndpoint = Endpoint & { readonly recent: readonly DeliveryRecord[] };

/** The endpoint's own time of its last success is written in batches, so a recent delivery may be ahead. */
function lastSuccess({ lastDeliveryAt, recent }: DetailedEndpoint): string | null {
  const successes = [lastDeliveryAt, ...recent.map(({ deliveredAt }) => deliveredAt)];
  const lastMs = Math.max(...successes.map((at) => at?.getTime() ?? -Infinity));
  return lastMs === -Infinity ? null : new Date(lastMs).toISOString();
}
