/** The routes that every product has, and what they answer. */
import type { AnyProduct } from "@boathook/client";

import { clientOf } from "../ui/api.ts";
import { useData } from "../ui/data.tsx";
import { ROUTES } from "./place.ts";

export const { addressOf, ask } = clientOf<AnyProduct>(ROUTES);

type Schemas = AnyProduct["schemas"];
export type Session = Schemas["PortalSession"];
export type Endpoint = Schemas["Endpoint"];
export type Registered = Schemas["RegisteredEndpoint"];
export type EventType = Schemas["EventType"];
export type RaisedEvent = Schemas["Event"];

/** What tests an endpoint without a sample of a type. */
export const PING = "ping";

/** Whether a ping, or a sample of the type, may go to it. */
export function receives({ event_types: types }: Pick<Endpoint, "event_types">, type: string): boolean {
  return type === PING || types.length === 0 || types.includes(type);
}

/** A ping, or a sample of the type, to an endpoint. */
export function sendTest(id: string, type: string) {
  return ask("POST /v1/webhooks/{id}/test", { id }, type === PING ? {} : { event_type: type });
}

export function useEventTypes() {
  return useData(addressOf("/v1/event-types"));
}

/** An account has no more, which is a page. */
const ENDPOINTS_MAX = 100;

export function useEndpoints(tick: unknown = null) {
  return useData(addressOf("/v1/webhooks", { limit: ENDPOINTS_MAX }), tick);
}
