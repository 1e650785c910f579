/** The routes that every product has, and what they answer. */
import type { AnyProduct } from "@boathook/client";

import { clientOf } from "../ui/api.ts";
import { ROUTES } from "./place.ts";

export const { addressOf, ask } = clientOf<AnyProduct>(ROUTES);

type Schemas = AnyProduct["schemas"];
export type Session = Schemas["PortalSession"];
export type Endpoint = Schemas["Endpoint"];
/** Whether a ping, or a sample of the type, may go to it. */
export function receives({ event_types: types }: Pick<Endpoint, "event_types">, type: string): boolean {
  return type === "ping" || types.length === 0 || types.includes(type);
}

export type EndpointDetail = Schemas["EndpointDetail"];
export type Registered = Schemas["RegisteredEndpoint"];
export type Delivery = Schemas["LoggedDelivery"];
export type DeliveryDetail = Schemas["DeliveryDetail"];
export type Attempt = Schemas["Attempt"];
export type EventType = Schemas["EventType"];
export type RaisedEvent = Schemas["Event"];
