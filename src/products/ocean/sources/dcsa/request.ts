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
