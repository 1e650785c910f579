import assert from "node:assert/strict";

import { createLimiter } from "../../src/http/limiter.ts";
import { openListener } from "../../src/http/listener.ts";
import { products } from "../../src/products/index.ts";
import { manualClock } from "../support/clock.ts";

/** A listener without a service behind it, and what is mounted on it for the first product. */
export function openProductListener() {
  const clock = manualClock();
  const app = openListener({
    clock,
    bodyBytesMax: 1_024,
    jsonDepthMax: 8,
    connections: { connectionsMax: 8 },
    onBadUrl: (error) => assert.fail(error),
  });
  const limiter = createLimiter(clock, 100);
  app.decorateRequest("isCounted", false).decorateRequest("apiVersion", null);
  return { app, context: { product: products[0]!, limits: { byKey: limiter, byAddress: limiter } } };
}
