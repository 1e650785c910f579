import type { FastifyReply, FastifyRequest } from "fastify";

import { ERRORS, type ErrorCode } from "../model/errors.ts";
import type { Product } from "../model/product.ts";
import type { Refusal } from "./refusal.ts";

/** How a product wraps what it answers (spec 4.1, 7; design 1). */

declare module "fastify" {
  interface FastifyRequest {
    /** The version that answers, of those the product has; null where it has none. */
    apiVersion: string | null;
  }
}

/** The part of a product that shows in every answer. */
export type Wrapping = Pick<Product, "envelope" | "versions">;

/** Answers with `data` in the product's envelope. */
export function answer(
  reply: FastifyReply,
  product: Wrapping,
  status: 200 | 201 | 202,
  data: unknown,
  nextCursor?: string,
): FastifyReply {
  return reply.code(status).send({
    ...(product.envelope === "ok-and-data" ? { ok: true } : {}),
    data,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    ...versionOf(reply.request, product),
  });
}

/** Answers with an error in the product's envelope. */
export function refuse(reply: FastifyReply, product: Wrapping, refusal: Refusal): FastifyReply {
  const { code, message, headers = {} } = refusal;
  return reply
    .code(ERRORS[code])
    .headers(headers)
    .type("application/json")
    .send({
      ...(product.envelope === "ok-and-data" ? { ok: false } : {}),
      error: { code: codeIn(product, code), message },
      ...versionOf(reply.request, product),
    });
}

/** A code of the catalogue as the product writes it. */
export function codeIn(product: Wrapping, code: ErrorCode): string {
  return product.envelope === "data-only" ? code.toLowerCase() : code;
}

/** What products with versions say in every answer, even to requests that reached no route of theirs. */
export function versionOf(request: FastifyRequest, product: Wrapping): { readonly api_version?: string } {
  const version = request.apiVersion ?? product.versions[0];
  return version === undefined ? {} : { api_version: version };
}
