import type { KeyObject } from "node:crypto";

import type { InFlightDelivery } from "../../model/delivery.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { signatureOf } from "../secret.ts";

/** One attempt as the sender gets it. */
export type AttemptRequest = {
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
};

/**
 * Signs the body and sets the headers (spec 1: signed_push; 9: path_version; 5.1: content_type, user_agent,
 * event_header, delivery_header, signature_header; 2.2: id); `tag` is the product's, such as `Tracking`.
 */
export function buildAttemptRequest(
  queue: EndpointQueue,
  delivery: InFlightDelivery,
  tag: string,
): AttemptRequest {
  // Encoded once, for the signature and the wire.
  const body = Buffer.from(delivery.body);
  return { url: queue.target.url, headers: deliveryHeaders(tag, delivery, body, queue.key), body };
}

/** Names and values in turn, the same for every attempt. */
export function deliveryHeaders(
  tag: string,
  { id, type }: Pick<InFlightDelivery, "id" | "type">,
  body: Buffer,
  key: KeyObject,
): string[] {
  return [
    "content-type",
    "application/json",
    "user-agent",
    `${tag}-Webhooks/1`,
    `X-${tag}-Event`,
    type,
    `X-${tag}-Delivery`,
    id,
    `X-${tag}-Signature`,
    signatureOf(body, key),
  ];
}
