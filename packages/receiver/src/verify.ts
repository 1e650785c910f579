import { createHmac, timingSafeEqual } from "node:crypto";

import type { Delivery } from "./delivery.ts";
import { readDeliveryHeaders, type HeadersInput } from "./headers.ts";

/**
 * Verifies a delivery (spec 5.1): compares the HMAC-SHA256 of the raw body under the endpoint's secret in
 * constant time, and checks that the body's id and type match the headers.
 */

/** The body as received. A string counts as UTF-8. */
export type RawBody = Uint8Array | ArrayBuffer | string;

/** The endpoint's `whsec_…` secret, or several: during a rotation, or one for each product. */
export type Secret = string | readonly string[];

export type VerifiedDelivery = {
  readonly ok: true;
  /** `tracking`, `air` … from the header's name, which the signature does not cover. */
  readonly product: string;
  readonly delivery: Delivery;
};

export type Rejection = {
  readonly ok: false;
  readonly reason: RejectionReason;
  /** A sentence for the log. */
  readonly message: string;
  /** The HTTP status to answer with. */
  readonly status: 400 | 401 | 413;
};

export type RejectionReason = keyof typeof STATUS_OF_REASON;

const STATUS_OF_REASON = {
  missing_header: 400,
  duplicate_header: 400,
  malformed_signature: 401,
  wrong_signature: 401,
  malformed_body: 400,
  mismatched_id: 400,
  mismatched_type: 400,
  body_too_large: 413,
} as const;

export type VerifyOptions = {
  /** Default {@link BODY_BYTES_MAX}. */
  readonly bodyBytesMax?: number;
};

/** The largest accepted body, in bytes: twice the 256 KiB that an event's data may have. */
export const BODY_BYTES_MAX = 512 * 1024;

/** The most secrets tried for one body. */
export const SECRETS_MAX = 32;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Verifies one delivery. Throws a `TypeError` for a parsed body or a missing secret: those are mistakes of the
 * program, not of the sender.
 */
export function verify(
  rawBody: RawBody,
  headers: HeadersInput,
  secret: Secret,
  options: VerifyOptions = {},
): VerifiedDelivery | Rejection {
  const body = bytesOf(rawBody);
  const secrets = secretsOf(secret);
  const bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX;
  if (body.byteLength > bodyBytesMax) {
    return reject("body_too_large", `the body is larger than ${bodyBytesMax} bytes`);
  }
  const found = readDeliveryHeaders(headers);
  if ("reason" in found) return reject(found.reason, found.message);
  if (!isSigned(body, found.signature, secrets)) {
    return reject("wrong_signature", "the signature does not match the body and the secret");
  }
  const delivery = parseDelivery(body);
  if (delivery === null) return reject("malformed_body", "the body is signed, but it is not a delivery");
  if (delivery.id !== found.delivery) {
    return reject("mismatched_id", `the body's id does not match x-${found.product}-delivery`);
  }
  if (delivery.type !== found.event) {
    return reject("mismatched_type", `the body's type does not match x-${found.product}-event`);
  }
  return { ok: true, product: found.product, delivery };
}

/** Compares `signature`, with its `sha256=` prefix, in constant time (spec 5.1: comparison). */
export function isSignedWith(body: Uint8Array, signature: string, key: string | Uint8Array): boolean {
  const given = new TextEncoder().encode(signature);
  const wanted = new TextEncoder().encode(`sha256=${createHmac("sha256", key).update(body).digest("hex")}`);
  return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
}

/** The bytes of a raw body. Throws a `TypeError` for a parsed one. */
export function bytesOf(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  // Not instanceof: a test sandbox has its own Uint8Array and ArrayBuffer.
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody);
  throw new TypeError(
    `the raw body is needed (Buffer, Uint8Array, ArrayBuffer or string), not a parsed one: got ${typeof rawBody}. ` +
      "Read the body before a JSON parser does.",
  );
}

/** The secrets as a list. Throws a `TypeError` when it has none, or an empty one. */
export function secretsOf(secret: Secret): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const usable = Array.isArray(secrets) && secrets.every((one) => typeof one === "string" && one !== "");
  if (!usable || secrets.length === 0) {
    throw new TypeError(
      "the signing secret is missing: pass the endpoint's whsec_… secret, or a list of them",
    );
  }
  if (secrets.length > SECRETS_MAX) throw new TypeError(`more than ${SECRETS_MAX} signing secrets`);
  return secrets;
}

function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  let signed = false;
  // Try every secret, so the time does not reveal which one matches.
  for (const secret of secrets) signed = isSignedWith(body, signature, secret) || signed;
  return signed;
}

/** The four keys (spec 2.3), and any that a later version adds. */
function parseDelivery(body: Uint8Array): Delivery | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return null;
  }
  if (!isObject(parsed) || !isObject(parsed["data"])) return null;
  const { id, type, occurred_at: occurredAt } = parsed;
  if (typeof id !== "string" || !UUID.test(id)) return null;
  if (typeof type !== "string" || type === "" || typeof occurredAt !== "string") return null;
  return parsed as Delivery;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reject(reason: RejectionReason, message: string): Rejection {
  return { ok: false, reason, message, status: STATUS_OF_REASON[reason] };
}
