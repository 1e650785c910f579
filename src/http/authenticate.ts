import type { FastifyReply, FastifyRequest } from "fastify";

import type { Account } from "../model/account.ts";
import { parseKey } from "../model/api-key.ts";
import type { Product } from "../model/product.ts";
import { cellNumbered, type Cell } from "../store/cell.ts";
import type { Callers, FoundCaller } from "./callers.ts";
import { refuse } from "./envelope.ts";
import type { PortalSession, PortalTokens } from "./portal/tokens.ts";
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
 * A hook that refuses requests without a valid key of a prefix that the product accepts, or a session of its portal
 * (spec 5: bearer, x_api_key, prefixes, family_key, unauthorized; 7: unauthorized).
 */
export function authenticate(context: ProductContext) {
  const { product, cells } = context;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const found = await callerIn(request, context);
    if (found !== null) {
      request.caller = { ...found, cell: cellNumbered(cells, found.account.cell) };
      return;
    }
    await refuse(reply, product, {
      code: "UNAUTHORIZED",
      message: whyNot(product, keyIn(request)),
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

function whyNot({ keyPrefixes }: Product, text: string | null): string {
  const prefixes = keyPrefixes.map((prefix) => `${prefix}_…`).join(" or ");
  if (text === null || text === "") return `send a key as Authorization: Bearer ${prefixes}`;
  if (text.startsWith("session.")) return "the session of the portal is over; sign in again";
  return `the key is not good here: mistyped, revoked, or not one that starts with ${prefixes}`;
}

type CallerContext = Pick<ProductContext, "product" | "callers" | "portalTokens">;

/** The caller that a request's key or session stands for at this moment. */
export async function callerIn(
  request: FastifyRequest,
  { product, callers, portalTokens }: CallerContext,
): Promise<FoundCaller | null> {
  const text = keyIn(request) ?? "";
  const session = portalTokens.readSession(text);
  if (typeof session !== "string")
    return product.tag === session.product ? callerWith(session, callers) : null;
  const key = parseKey(text);
  return key !== null && product.keyPrefixes.includes(key.prefix) ? callers.read(key.hash) : null;
}

/** Null when the key or the link is revoked, or the account removed. */
export async function callerWith(
  { openedBy, accountId }: Pick<PortalSession, "openedBy" | "accountId">,
  callers: Pick<Callers, "read" | "readLink">,
): Promise<FoundCaller | null> {
  if ("keyHash" in openedBy) {
    const found = await callers.read(openedBy.keyHash);
    return found?.account.id === accountId ? found : null;
  }
  return callers.readLink(openedBy.linkId, accountId);
}

/**
 * Known: a key that this node remembers, or a session of one, or of such a link. Unknown: what must be looked up.
 */
export type Credential = "known" | "unknown" | "none";

export function credentialIn(
  request: FastifyRequest,
  { callers, portalTokens }: { readonly callers: Callers; readonly portalTokens: PortalTokens },
): Credential {
  const text = keyIn(request) ?? "";
  const session = portalTokens.readSession(text);
  if (typeof session !== "string") {
    const { openedBy } = session;
    return callers.isKnown("keyHash" in openedBy ? openedBy.keyHash : openedBy.linkId) ? "known" : "unknown";
  }
  const key = parseKey(text);
  if (key === null) return "none";
  return callers.isKnown(key.hash) ? "known" : "unknown";
}

/** `Authorization` wins over `x-api-key`, even when it holds no key (spec 5: bearer, x_api_key). */
function keyIn({ headers }: FastifyRequest): string | null {
  const { authorization, "x-api-key": apiKey } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
  return typeof apiKey === "string" ? apiKey : null;
}
