/** `ping`: only `POST /v1/webhooks/{id}/test` sends it, and nobody subscribes to it (spec 2.4: ping; 6.1: ping). */
import Type from "typebox";

import type { EventType } from "./product.ts";
import { openObject } from "./data-types.ts";

const PING = { message: "This is a test delivery. Your endpoint works." };

export const ping: EventType = {
  name: "ping",
  description: "A test delivery, sent when you ask for one.",
  subscribable: false,
  raised: true,
  data: openObject("PingData", { message: Type.String({ description: "a fixed text" }) }),
  example: PING,
};

export const PING_DATA = JSON.stringify(PING);
