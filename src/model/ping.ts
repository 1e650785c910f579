/**
 * The `ping` (spec 6.1: ping; 2.4: ping): sent by `POST /v1/webhooks/{id}/test` alone, by every product, and
 * in no product's catalogue, since nobody can subscribe to it or raise it.
 */
import Type from "typebox";

import type { EventType } from "./product.ts";
import { openObject } from "./data-types.ts";

export const ping: EventType = {
  name: "ping",
  description: "A test delivery, sent when you ask for one.",
  subscribable: false,
  raised: true,
  data: openObject("PingData", { message: Type.String({ description: "a fixed text" }) }),
};

/** The data of every ping, as JSON. */
export const PING_DATA = JSON.stringify({ message: "This is a test delivery. Your endpoint works." });
