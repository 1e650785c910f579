import type { IncomingMessage } from "node:http";

import type { FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";

import type { Log } from "../runtime/log.ts";
import type { Listener } from "./listener.ts";
import { refusalOf, type Refusal } from "./refusal.ts";

/** The methods that clients try. */
const METHODS: readonly HTTPMethods[] = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  ...["TRACE", "QUERY"],
];

type Refuse = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

/** Of a body that is refused; the listener bounds its time. */
const READ_AWAY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads what is left of a body. The connection closes behind the answer: a client or proxy that still sends would find
 * it closed, and never read the answer.
 */
async function readAway(body: IncomingMessage): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  let left = READ_AWAY_BYTES_MAX;
  await new Promise<void>((resolve) => {
    body.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    for (const end of ["end", "error", "close"]) body.once(end, resolve);
  });
}

/**
 * Answers what no route of the scope answers: errors, unknown paths with `nothingHere`, and methods that a path does
 * not have, which would be unknown paths otherwise. Call it before the scope's routes are mounted, and call what it
 * returns after them.
 */
export function refuseTheRest(
  app: Listener,
  log: Log,
  refuse: Refuse,
  nothingHere: string,
  refuseUnknown: (reply: FastifyReply, refusal: Refusal) => unknown = refuse,
): () => void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit);
    if (refusal.code === "INTERNAL_ERROR") {
      const { url: route } = request.routeOptions;
      log.error({ cause: error, route, method: request.method }, "a request failed");
    }
    if (refusal.code === "PAYLOAD_TOO_LARGE") await readAway(request.raw);
    return refuse(reply, refusal);
  });
  app.setNotFoundHandler(async (_request, reply) => {
    await refuseUnknown(reply, { code: "NOT_FOUND", message: nothingHere });
    return reply;
  });
  const methodsOf = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }: RouteOptions & { readonly url: string }) => {
    // The other form of a path that is there already, and files.
    if (/[/*]$/.test(url)) return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  });
  return () => {
    // Registered last, and so loaded when all the others are.
    void app.register(async (last) => {
      for (const [url, methods] of methodsOf) {
        const allowed = [...methods].join(", ");
        last.route({
          method: METHODS.filter((method) => !methods.has(method)),
          url: url.slice(last.prefix.length),
          schema: { hide: true },
          // Before the body is read, and before a key is asked for.
          onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
            void (await refuseUnknown(reply, {
              code: "METHOD_NOT_ALLOWED",
              message: `this path takes ${allowed}, not ${request.method}`,
              headers: { allow: allowed },
            })),
          handler: () => undefined,
        });
      }
    });
  };
}
