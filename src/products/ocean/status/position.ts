/** Where a box is on its journey; `journey.ts` moves it from one position to the next. */
import type { CarrierEvent, Place, Vessel } from "../sources/carrier-event.ts";

export type Position =
  | "origin"
  | "sailing"
  | "anchored"
  | "berthed"
  | "transshipment"
  | "discharged"
  | "on_carriage"
  | "available"
  | "delivered"
  | "returned";

export type Journey = {
  readonly position: Position;
  readonly place: Place | null;
  /** Loaded and not yet sailed; at the origin or a transshipment. */
  readonly loaded: boolean;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  /** The discharge that ended the sea voyage, or the event that implied it. */
  readonly finalDischarge: CarrierEvent | null;
  /** The last arrival of the box's vessel at a berth or an anchorage, since the box has sailed. */
  readonly berth: CarrierEvent | null;
  /** The reported departures on sailing legs. */
  readonly departures: readonly CarrierEvent[];
  /** The places of departures that later events imply. */
  readonly unreportedDepartures: readonly Place[];
  /** Where the box has changed vessels. */
  readonly transshipments: readonly Place[];
  /** The current customs hold. */
  readonly hold: CarrierEvent | null;
  /** Where the carrier has released the cargo for pick-up; null: it has not. */
  readonly released: { readonly place: Place | null } | null;
  readonly cancelled: boolean;
};

export const AT_ORIGIN: Journey = {
  position: "origin",
  place: null,
  loaded: false,
  vessel: null,
  voyage: null,
  finalDischarge: null,
  berth: null,
  departures: [],
  unreportedDepartures: [],
  transshipments: [],
  hold: null,
  released: null,
  cancelled: false,
};

export function isAboard({ position }: Journey): boolean {
  return position === "sailing" || position === "berthed" || position === "anchored";
}

export function isAshoreForGood({ position }: Journey): boolean {
  return position === "discharged" || position === "on_carriage" || position === "available";
}

export function isWaitingForVessel({ position }: Journey): boolean {
  return position === "origin" || position === "transshipment";
}
