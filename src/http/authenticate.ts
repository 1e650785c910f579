import type { FastifyReply, FastifyRequest } from "fastify";

import type { Account } from "../model/account.ts";
import { parseKey } from "../model/api-key.ts";
import { cellNumbered, type Cell } from "../store/cell.ts";
import { refuse } from "./envelope.ts";
import type { ProductContext } from "./ports.ts";

export type HttpCaller = { readonly keyId: string; readonly account: Account; readonly cell: Cell };

declare module "fastify" {
  interface FastifyRequest {
    caller: HttpCaller | null;
  }
}

export function callerOf(request: FastifyRequest): HttpCaller {
  if (request.caller === null)
    throw new Error("a route that needs a key was mounted without the hook that checks keys");
  return request.caller;
}

/**
 * A hook that refuses requests without a valid key of a prefix that the product accepts (spec 5: bearer, x_api_key,
 * prefixes, family_key, unauthorized; 7: unauthorized).
 */
export function authenticate({ product, callers, cells }: ProductContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const text = keyIn(request);
    const key = text === null ? null : parseKey(text);
    if (key !== null && product.keyPrefixes.includes(key.prefix)) {
      const found = await callers.read(key.hash);
      if (found !== null) {
        request.caller = { ...found, cell: cellNumbered(cells, found.account.cell) };
        return;
      }
    }
    const prefixes = product.keyPrefixes.map((prefix) => `${prefix}_…`).join(" or ");
    await refuse(reply, product, {
      code: "UNAUTHORIZED",
      message:
        text === null || text === ""
          ? `send a key as Authorization: Bearer ${prefixes}`
          : `the key is not good here: mistyped, revoked, or not one that starts with ${prefixes}`,
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

/** `Authorization` wins over `x-api-key`, even when it holds no key (spec 5: bearer, x_api_key). */
function keyIn({ headers }: FastifyRequest): string | null {
  const { authorization, "x-api-key": apiKey } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
  return typeof apiKey === "string" ? apiKey : null;
}
