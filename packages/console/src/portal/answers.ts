/** The routes that every product has, and what they answer. */
import type { Routes as Air, Schemas } from "../api/air.ts";
import type { Routes as Loading } from "../api/loading.ts";
import type { Routes as Rates } from "../api/rates.ts";
import type { Routes as Schedules } from "../api/schedules.ts";
import type { Routes as Tracking } from "../api/tracking.ts";
import { clientOf } from "../ui/client.ts";
import { ROUTES } from "./place.ts";

export const { addressOf, ask } = clientOf<Air | Loading | Rates | Schedules | Tracking>(ROUTES);

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
