import type { HeldDelivery } from "../model/delivery.ts";
import type { Lane } from "./lane.ts";
import { signatureOf } from "./secret.ts";

/** One attempt as it goes to the sender. */
export type AttemptRequest = {
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
};

/** Signs the delivery's body and sets the headers of spec 5.1; `tag` is the product's, such as `Tracking`. */
export function requestFor(lane: Lane, delivery: HeldDelivery, tag: string): AttemptRequest {
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
