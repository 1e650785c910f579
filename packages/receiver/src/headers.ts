/**
 * Finds the three headers of a delivery (spec 5.1), whatever form a framework gives them:
 * `X-<Product>-Signature`, `X-<Product>-Event` and `X-<Product>-Delivery`, in any case.
 */

/** Node's `IncomingHttpHeaders`, the Fetch API's `Headers`, or a plain record. */
export type HeadersInput = HeadersLike | HeaderRecord;

export type HeaderRecord = { readonly [name: string]: string | readonly string[] | undefined };

export type HeadersLike = {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
};

/** The headers that describe a delivery. The signature covers the body and none of these. */
export type DeliveryHeaders = {
  /** The product as in the header names, in lower case: `tracking`, `air` … */
  readonly product: string;
  /** `sha256=` and 64 lower-case hex digits. */
  readonly signature: string;
  readonly event: string;
  readonly delivery: string;
};

export type HeaderProblem = {
  readonly reason: "missing_header" | "duplicate_header" | "malformed_signature";
  readonly message: string;
};

type Part = "signature" | "event" | "delivery";
type Found = { readonly [part in Part]: string[] };

const DELIVERY_HEADER = /^x-([a-z0-9-]{1,40})-(signature|event|delivery)$/;
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

export function readDeliveryHeaders(headers: HeadersInput): DeliveryHeaders | HeaderProblem {
  const products = groupByProduct(headers);
  const signed = [...products].filter(([, found]) => found.signature.length > 0);
  if (signed.length === 0) {
    return problem("missing_header", "there is no X-<Product>-Signature header");
  }
  // A proxy may add an `X-…-Signature` of its own; only a delivery also has the id header.
  const candidates = signed.length === 1 ? signed : signed.filter(([, found]) => found.delivery.length > 0);
  const [candidate, ...others] = candidates.length === 0 ? signed : candidates;
  if (candidate === undefined || others.length > 0) {
    const names = signed.map(([product]) => `x-${product}-signature`).join(", ");
    return problem("duplicate_header", `more than one signature header: ${names}`);
  }
  return requireOneOfEach(...candidate);
}

/** Every signature header, valid or not, for `diagnose`. */
export function signatureValues(headers: HeadersInput): readonly string[] {
  return [...groupByProduct(headers).values()].flatMap((found) => found.signature);
}

function requireOneOfEach(product: string, found: Found): DeliveryHeaders | HeaderProblem {
  for (const part of ["signature", "event", "delivery"] as const) {
    const count = found[part].length;
    if (count === 0) return problem("missing_header", `there is no x-${product}-${part} header`);
    if (count > 1) return problem("duplicate_header", `the x-${product}-${part} header came ${count} times`);
  }
  const [signature = "", event = "", delivery = ""] = [found.signature[0], found.event[0], found.delivery[0]];
  if (!SIGNATURE.test(signature)) {
    return problem(
      "malformed_signature",
      `x-${product}-signature is not "sha256=" followed by 64 lower-case hex digits`,
    );
  }
  return { product, signature, event, delivery };
}

function groupByProduct(headers: HeadersInput): Map<string, Found> {
  const products = new Map<string, Found>();
  const add = (value: string, name: string): void => {
    const match = DELIVERY_HEADER.exec(name.toLowerCase());
    const [product, part] = [match?.[1], match?.[2] as Part | undefined];
    if (product === undefined || part === undefined) return;
    const found = products.get(product) ?? { signature: [], event: [], delivery: [] };
    found[part].push(value);
    products.set(product, found);
  };
  if (isHeadersLike(headers)) {
    headers.forEach(add);
    return products;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") add(value, name);
    else if (Array.isArray(value)) for (const one of value) add(String(one), name);
  }
  return products;
}

function isHeadersLike(headers: HeadersInput): headers is HeadersLike {
  return typeof headers.forEach === "function" && typeof headers.get === "function";
}

function problem(reason: HeaderProblem["reason"], message: string): HeaderProblem {
  return { reason, message };
}
