import type { FastifyReply, FastifyRequest } from "fastify";

import { ERRORS, type ErrorCode } from "../model/errors.ts";
import type { Product } from "../model/product.ts";
import type { Refusal } from "./refusal.ts";

/** How a product wraps its answers (spec 4.1: envelope_ok, envelope_data, envelope_api_version; design 1). */

declare module "fastify" {
  interface FastifyRequest {
    /** The version that the request pinned, of those the product has. */
    apiVersion: string | null;
  }
}

/** The part of a product that shows in every answer. */
export type EnvelopeOptions = Pick<Product, "envelope" | "versions">;

/** Answers with `data` in the product's envelope. */
export function answer(
  reply: FastifyReply,
  product: EnvelopeOptions,
  status: 200 | 201 | 202,
  data: unknown,
  nextCursor?: string,
): FastifyReply {
  return answerFlat(reply, product, status, {
    data,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  });
}

/** Answers with fields that lie beside `ok`, on the routes that have no `data` (spec 2.5, 4.2). */
export function answerFlat(
  reply: FastifyReply,
  product: EnvelopeOptions,
  status: 200 | 201 | 202,
  fields: object,
): FastifyReply {
  return reply.code(status).send({
    ...(product.envelope === "ok-and-data" ? { ok: true } : {}),
    ...fields,
    ...versionField(reply.request, product),
  });
}

/** Answers with an error in the product's envelope. */
export function refuse(reply: FastifyReply, product: EnvelopeOptions, refusal: Refusal): FastifyReply {
  const { code, message, headers = {} } = refusal;
  return reply
    .code(ERRORS[code])
    .headers(headers)
    .type("application/json")
    .send({
      ...(product.envelope === "ok-and-data" ? { ok: false } : {}),
      error: { code: codeIn(product, code), message },
      ...versionField(reply.request, product),
    });
}

/** A code of the catalogue as the product writes it (spec 7: invalid_url, not_found). */
export function codeIn(product: EnvelopeOptions, code: ErrorCode): string {
  return product.envelope === "data-only" ? code.toLowerCase() : code;
}

/** The version pinned, or the oldest; null where the product has none (spec 9: supported_versions). */
export function versionOf(request: FastifyRequest, product: EnvelopeOptions): string | null {
  return request.apiVersion ?? product.versions[0] ?? null;
}

/** In every answer of a product with versions, even to requests without a route (spec 9: api_version). */
function versionField(request: FastifyRequest, product: EnvelopeOptions): { readonly api_version?: string } {
  const version = versionOf(request, product);
  return version === null ? {} : { api_version: version };
}
