/**
 * Lets the operator's requests in until the process stops.
 *
 *     open ─close()─▶ closing ─(open requests have ended, or had their time)─▶ closed
 *                        └──────── new requests are refused ────────────────────┘
 */
import type { RouteHandlerMethod } from "fastify";

import type { Listener } from "../http/listener.ts";
import type { Refusal } from "../http/refusal.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import { refuse } from "./errors.ts";

export type Gate = {
  /** Puts the routes of a scope behind the gate. Call it before they are mounted. */
  guard(app: Listener): void;
  /** Refuses new requests; resolves when the open ones have ended, or after a bounded wait. */
  close(): Promise<void>;
  /** Aborts when it closes: for what would not end by itself. */
  readonly closing: AbortSignal;
};

/** How long open requests may take to end, as on a listener that closes. */
const CLOSE_MS_MAX = 5_000;

/** About the length of a restart. */
const STOPPING_RETRY_S = 5;

const STOPPING: Refusal = {
  code: "UNAVAILABLE",
  message: "the service is stopping and takes nothing more; ask another node, or this one again later",
  headers: { "retry-after": String(STOPPING_RETRY_S) },
};

export function createGate(clock: Clock): Gate {
  const left = Promise.withResolvers<void>();
  let underWay = 0;
  const closer = new AbortController();
  let closing: Promise<void> | null = null;

  /** Counts the work, not the answer: a client that has gone does not end it. */
  function counted(handler: RouteHandlerMethod): RouteHandlerMethod {
    return async function (request, reply) {
      if (closing !== null) return refuse(reply, STOPPING);
      underWay += 1;
      try {
        return await handler.call(this, request, reply);
      } finally {
        underWay -= 1;
        if (underWay === 0 && closing !== null) left.resolve();
      }
    };
  }

  return {
    closing: closer.signal,
    guard(app) {
      app.addHook("onRoute", (route) => {
        route.handler = counted(route.handler);
      });
    },
    close() {
      closer.abort();
      if (underWay === 0) left.resolve();
      closing ??= waitAtMost(clock, CLOSE_MS_MAX, left.promise).then(() => undefined);
      return closing;
    },
  };
}
