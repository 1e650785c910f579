/** Endpoints as clients see them, and what clients may send of an endpoint. */
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";

import { URL_LENGTH_MAX } from "../../engine/send/target-url.ts";
import { nullable, UtcDateTime } from "../../model/data-types.ts";
import type { DeliveryRecord } from "../../model/delivery.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Product } from "../../model/product.ts";
import { callerOf } from "../authenticate.ts";
import type { PublicPorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { resource, type Fields } from "../resource.ts";
import { boundedText } from "../validation.ts";
import { delivery } from "./delivery.ts";

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
    url: Type.String({
      description:
        "where deliveries go; must start with https://, without user, at a public address. No delivery reaches a name of a local network, such as one under .internal, though it may be registered",
      stated: { pattern: "^https://", format: "uri", maxLength: URL_LENGTH_MAX },
    }),
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

/** The answer's header that names what a subscription was sent and does not offer. */
const IGNORED = "ignored-event-types";
/** Longer, it ends with the last name that fits. */
const IGNORED_LENGTH_MAX = 1_024;
/** What is said of one name, in characters of up to nine bytes. */
const IGNORED_NAME_MAX = 64;

/** Says which names were dropped, each once, in the order sent; as in a URL, for they may be any text. */
export function nameIgnored(reply: FastifyReply, product: Product, names: readonly string[] = []): void {
  const offered = subscribableTo(product);
  const ignored = [...new Set(names)].filter((name) => !offered.includes(name));
  if (ignored.length === 0) return;
  let header = "";
  for (const name of ignored.map(percentEncoded)) {
    const longer = header === "" ? name : `${header}, ${name}`;
    if (longer.length > IGNORED_LENGTH_MAX) break;
    header = longer;
  }
  reply.header(IGNORED, header);
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name.slice(0, IGNORED_NAME_MAX).toWellFormed());
}

/** The header in a schema of an answer. */
export const IGNORED_HEADER = {
  "Ignored-Event-Types": Type.String({
    description: "the names in event_types that were dropped, percent-encoded; absent when none was",
  }),
};

const WHERE_TO = "deliveries go to public addresses only, on ports of web servers such as 443 and 8443";

/** Why an endpoint cannot have this URL, or null (spec 4.1: register_url). The scheme counts as it is written. */
export function urlProblem(url: string, checkUrl: PublicPorts["checkUrl"]): string | null {
  if (!url.startsWith("https://")) return "it must start with https://";
  const verdict = checkUrl(url);
  if (verdict.ok) return null;
  return verdict.blocked ? `${verdict.reason}; ${WHERE_TO}` : verdict.reason;
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

const DISABLED_REASONS = ["failures", "paused"] as const;

/** Why an endpoint is off, and what that costs. */
const SWITCHED_OFF = {
  disabled_at: [
    nullable(UtcDateTime, { description: "since when it is not active" }),
    ({ disabledAt }): string | null => disabledAt?.toISOString() ?? null,
  ],
  disabled_reason: [
    nullable(Type.Enum([...DISABLED_REASONS]), { description: "null while it is active" }),
    ({ disabledReason }) => DISABLED_REASONS.find((one) => one === disabledReason) ?? null,
  ],
  missed_events: [
    Type.Integer({ description: "events raised for it since disabled_at, and never sent" }),
    ({ missedEvents }) => missedEvents,
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

export const LISTED_ENDPOINT = {
  ...LABELS,
  ...HEALTH,
  ...SWITCHED_OFF,
  ...CREATED,
} satisfies Fields<Endpoint>;

export const listedEndpoint = resource("Endpoint", LISTED_ENDPOINT);

/** (spec 2.1: recent_deliveries; 4.1: detail_response) */
export const endpointDetail = resource("EndpointDetail", {
  ...LABELS,
  ...HEALTH,
  last_delivery_at: [nullable(UtcDateTime), lastSuccess],
  ...SWITCHED_OFF,
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
