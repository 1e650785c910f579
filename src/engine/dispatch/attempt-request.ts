import type { InFlightDelivery } from "../../model/delivery.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { signatureOf } from "../secret.ts";

/** One attempt as it goes to the sender. */
export type AttemptRequest = {
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
};

/** Signs the delivery's body and sets the headers of spec 5.1; `tag` is the product's, such as `Tracking`. */
export function buildAttemptRequest(
  lane: EndpointQueue,
  delivery: InFlightDelivery,
  tag: string,
): AttemptRequest {
  // Encoded once, for the signature and for the wire.
  const body = Buffer.from(delivery.body);
  return {
    url: lane.target.url,
    headers: [
      "content-type",
      "application/json",
      "user-agent",
      `${tag}-Webhooks/1`,
      `X-${tag}-Event`,
      delivery.type,
      `X-${tag}-Delivery`,
      delivery.id,
      `X-${tag}-Signature`,
      signatureOf(body, lane.key),
    ],
    body,
  };
}
