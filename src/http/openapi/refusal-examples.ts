/** What the refusals that all products share say. */
import type { ERRORS } from "../../model/errors.ts";
import type { Examples, Product } from "../../model/product.ts";

/** A message for each code that a product refuses with; those of its own routes are in its `examples`. */
export function refusalMessages(product: Product): Examples {
  const { keyPrefixes, entitlement, versions, examples } = product;
  const keys = keyPrefixes.map((prefix) => `${prefix}_…`).join(" or ");
  const shared: { readonly [Code in keyof typeof ERRORS]?: string } = {
    INVALID_REQUEST: "query.limit must be at most 100: from 1 to 100",
    INVALID_URL: "url: it must start with https://",
    UNKNOWN_VERSION: `there is no such version; api-version must be one of ${versions.join(", ")}`,
    UNAUTHORIZED: `send a key as Authorization: Bearer ${keys}`,
    ENTITLEMENT_REQUIRED: `your account needs the entitlement ${entitlement} for this`,
    NOT_FOUND: "you have no endpoint of that id",
    ENDPOINT_DISABLED: "the endpoint is not active; set active to true first",
    ENDPOINT_LIMIT: "you have 100 endpoints here already; delete one first",
    PAYLOAD_TOO_LARGE: "the body has more than 64 KiB, the most that this path takes; send less at once",
    UNSUPPORTED_MEDIA_TYPE: "send the body as JSON, with content-type: application/json",
    RATE_LIMITED: "more than 600 requests in 60 seconds; go on in 12 seconds",
    INTERNAL_ERROR: "the service failed; this is not your fault",
    UNAVAILABLE: "the database cannot be reached at the moment; try again",
  };
  return {
    ...shared,
    "readDelivery.NOT_FOUND": "the endpoint has no delivery of that id",
    "openPortalSession.INVALID_REQUEST": "body must have one of key, link and session",
    "openPortalSession.UNAUTHORIZED": `the key is not good here: mistyped, revoked, or not one that starts with ${keys}`,
    ...examples,
  };
}
