/** How DCSA's Track & Trace is asked: what differs between 2.2 and 3.0 before the answer is read. */
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
  // `API-Version` may be left out, and is not what all carriers take it for.
  "dcsa-tnt-2.2": { parameters: {}, headers: {} },
  // Without its list, 3.0 also answers with every reading of a box's sensors.
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
