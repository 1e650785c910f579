/** Where a box is on its way; `voyage.ts` tells how it gets from one to the next. */
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
  /** The discharge that ended the sea voyage, or what implied it. */
  readonly finalDischarge: CarrierEvent | null;
  /** Where the vessel that carries or carried the box came to its berth, or to its anchorage, last. */
  readonly berth: CarrierEvent | null;
  /** The departures on sailing legs so far. */
  readonly departures: readonly CarrierEvent[];
  /** Where its ships must have left from by what was told after it, though no departure was. */
  readonly unreportedDepartures: readonly Place[];
  /** Where the box changed ships so far. */
  readonly transshipments: readonly Place[];
  /** The customs hold that has not been lifted. */
  readonly hold: CarrierEvent | null;
  /** The carrier has released the cargo for pick-up. */
  readonly released: boolean;
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
  released: false,
  cancelled: false,
};

export function isAboard({ position }: Journey): boolean {
  return position === "sailing" || position === "berthed" || position === "anchored";
}

export function isAshoreForGood({ position }: Journey): boolean {
  return position === "discharged" || position === "on_carriage" || position === "available";
}
