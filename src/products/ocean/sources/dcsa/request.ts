/** Requests of DCSA's Track & Trace 2.2 and 3.0. */
import type { Carrier } from "../carriers.ts";
import type { IdentifierType } from "../../../../freight/references/reference.ts";

const PARAMETERS: { readonly [type in IdentifierType]: string } = {
  container_id: "equipmentReference",
  bill_of_lading: "transportDocumentReference",
  booking: "carrierBookingReference",
};

type ApiRequest = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
};

const API_REQUESTS: { readonly [api in Carrier["api"]]: ApiRequest } = {
  // `API-Version` is optional, and carriers disagree on its meaning.
  "dcsa-tnt-2.2": { parameters: {}, headers: {} },
  // Without this list, 3.0 also answers with all sensor readings of a box.
  "dcsa-tnt-3.0": {
    parameters: { eventTypes: "SHIPMENT,TRANSPORT,EQUIPMENT" },
    headers: { "api-version": "3.0.0" },
  },
};

export function headersOf({ api, headers }: Carrier): Readonly<Record<string, string>> {
  return { ...API_REQUESTS[api].headers, ...headers };
}

export function firstPageUrl(carrier: Carrier, type: IdentifierType, reference: string): URL {
  const url = new URL(`${carrier.baseUrl.replace(/\/+$/, "")}/events`);
  url.searchParams.set(PARAMETERS[type], reference);
  for (const [name, value] of Object.entries({
    ...API_REQUESTS[carrier.api].parameters,
    ...carrier.parameters,
  })) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url;
}

/**
 * The page after `current`; null after the last. 3.0 has `Next-Page-Cursor`, sent with the first page's
 * parameters. 2.2 calls `Next-Page` a link and shows a cursor; carriers send either, or a `Link` (RFC 8288). A link
 * to another origin is not followed: the carrier's key must not leave it.
 */
export function nextPageUrl(current: URL, header: (name: string) => string | null): URL | "elsewhere" | null {
  const cursor = header("next-page-cursor")?.trim();
  if (cursor !== undefined && cursor !== "") return withCursor(current, cursor);
  const linked = LINK.exec(header("link") ?? "")?.[1];
  const written = linked === undefined ? header("next-page")?.trim() : `<${linked}>`;
  if (written === undefined || written === "") return null;
  const bracketed = /^<([^>]*)>/.exec(written)?.[1];
  if (bracketed === undefined && !LOOKS_LIKE_A_LINK.test(written)) return withCursor(current, written);
  const link = bracketed ?? written;
  if (!URL.canParse(link, current.href)) return "elsewhere";
  const next = new URL(link, current.href);
  return next.origin === current.origin ? next : "elsewhere";
}

const LINK = /<([^>]*)>\s*;[^,]*\brel="?next\b/;
/** A cursor is often base64, which may begin with a slash and has no question mark. */
const LOOKS_LIKE_A_LINK = /^(https?:\/\/|\?|\/.*\?)/;

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current.href);
  next.searchParams.set("cursor", cursor);
  return next;
}
