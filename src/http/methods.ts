import type { FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";

import type { Listener } from "./listener.ts";

/** The methods that a path may be tried with; others than these are no route of anybody's. */
const METHODS: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export type RefuseMethod = (reply: FastifyReply, method: string, allowed: string) => FastifyReply;

/**
 * Lets paths answer for the methods they do not have, where they would be unknown paths otherwise.
 * To be called before the routes of a scope are mounted; what it returns, after them.
 */
export function collectMethods(app: Listener): (refuse: RefuseMethod) => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }: RouteOptions & { readonly url: string }) => {
    // The other form of a path that is there already, and files.
    if (/[/*]$/.test(url)) return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  });
  return (refuse) => {
    // Registered last, and so loaded when all the others are.
    void app.register(async (last) => {
      for (const [url, methods] of methodsOf) {
        const allowed = [...methods].join(", ");
        last.route({
          method: METHODS.filter((method) => !methods.has(method)),
          url: url.slice(last.prefix.length),
          schema: { hide: true },
          // Before the body is looked at, and before anybody asks for a key.
          onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
            refuse(reply, request.method, allowed),
          handler: () => undefined,
        });
      }
    });
  };
}
