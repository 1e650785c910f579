/** An endpoint, its endpoint queue and its deliveries, for tests of the engine's parts that need no database. */
import { createSecretKey } from "node:crypto";

import { push } from "../../src/engine/dispatch/fifo.ts";
import { createEndpointQueue, type EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import type { Member } from "../../src/engine/membership/member.ts";
import type { InFlightDelivery, Outcome } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";

export const OK: Outcome = { kind: "answered", statusCode: 200 };
export const FAIL: Outcome = { kind: "answered", statusCode: 500 };

export const CELL = { number: 0, schema: "c", directory: "d" };

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

export function memberOf({ cell = CELL, maySend = () => true }: Partial<Member> = {}): Member {
  return { cell, node: 1, maySend };
}

export function deliveryOf(id: string, more: Partial<InFlightDelivery> = {}): InFlightDelivery {
  return { id, endpointId: "e", type: "ping", body: "{}", attemptCount: 0, node: 1, queued: false, ...more };
}

/** An endpoint queue with so many deliveries ready, `d0` first. */
export function queueOf({
  ready = 0,
  maySend = () => true,
  ...target
}: Partial<Target> & { ready?: number; maySend?: () => boolean } = {}): EndpointQueue {
  const key = createSecretKey(Buffer.alloc(32));
  const queue = createEndpointQueue({ ...TARGET, ...target }, memberOf({ maySend }), key);
  for (let count = 0; count < ready; count += 1) push(queue.ready, deliveryOf(`d${count}`));
  return queue;
}

/** The id of that number, which a statement of a database that answers by hand gives back. */
export const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
export const numberOf = (id: string) => Number(id.slice(-12));

/** The numbers of the ids in PostgreSQL's binary form. */
export function numbersIn(parameter: unknown): number[] {
  const hex = (parameter as Buffer).toString("hex");
  return [...hex.matchAll(/00000000000070008000(\d{12})/g)].map(([, number]) => Number(number));
}
