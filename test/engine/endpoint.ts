/** An endpoint, its endpoint queue and its deliveries, for tests of the engine's parts that need no database. */
import { createSecretKey } from "node:crypto";

import { push } from "../../src/engine/dispatch/fifo.ts";
import { createEndpointQueue, type EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";

export const TARGET: Target = {
  id: "e",
  accountId: "a",
  product: "tracking",
  url: "https://receiver.test/",
  eventTypes: [],
  active: true,
  failureCount: 0,
  sealedSecretHash: Buffer.alloc(0),
};

export function deliveryOf(id: string, more: Partial<InFlightDelivery> = {}): InFlightDelivery {
  return { id, endpointId: "e", type: "ping", body: "{}", attemptCount: 0, node: 1, queued: false, ...more };
}

/** An endpoint queue with so many deliveries ready, `d0` first. */
export function queueOf({
  ready = 0,
  maySend = () => true,
  ...target
}: Partial<Target> & { ready?: number; maySend?: () => boolean } = {}): EndpointQueue {
  const member = { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend };
  const queue = createEndpointQueue({ ...TARGET, ...target }, member, createSecretKey(Buffer.alloc(32)));
  for (let count = 0; count < ready; count += 1) push(queue.ready, deliveryOf(`d${count}`));
  return queue;
}
