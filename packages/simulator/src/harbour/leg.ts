/** One leg of a journey: what it was booked on, and how it was sailed. */
import type { PlaceCode } from "../world/places.ts";
import type { Call, Voyage } from "./voyages.ts";

export type Leg = {
  /** Rises along the way; a leg that takes another one's place has a key of its own. */
  readonly key: number;
  readonly from: PlaceCode;
  /** What the box is booked on, the latest last. */
  readonly bookings: readonly LegBooking[];
  /** From when on it belongs to the plan no more; null: it is sailed. */
  readonly droppedMs: number | null;
  readonly sailed: Sailed | null;
  /** Ships that it was booked on and that left without the box. */
  readonly leftBehind: readonly LeftBehind[];
};

export type SailedLeg = Leg & { readonly sailed: Sailed };

export type LeftBehind = {
  readonly booking: LegBooking;
  /** When the box was aboard; null: it never was. */
  readonly aboard: { readonly fromMs: number; readonly untilMs: number } | null;
  readonly departedMs: number;
  /** It was not even in the port when she left. */
  readonly late: LateBox | null;
};

export type LateBox = {
  /** When it came in at the gate. */
  readonly inMs: number;
  /** When it is said that she has left, if the box gets its next ship only after; null: it has one by then. */
  readonly leftSaidMs: number | null;
};

export type LegBooking = {
  readonly fromMs: number;
  readonly voyage: Voyage;
  readonly load: Call;
  readonly discharge: Call;
};

export type Sailed = {
  readonly loadedMs: number;
  readonly departedMs: number;
  /** Calls at which the box stayed aboard. */
  readonly intermediateCalls: readonly Call[];
  readonly arrivedMs: number;
  readonly dischargedMs: number;
  readonly dischargedAt: PlaceCode;
  /** Discharged where it should not have been; the line finds out at this moment. */
  readonly misroutedUntilMs: number | null;
  /** It was aboard still when the ship left its destination; the discharge there is planned until this moment. */
  readonly carriedPast: { readonly destination: Call; readonly plannedUntilMs: number } | null;
  /** A truck takes it to another terminal of the port; `handedOver`: as though to the consignee. */
  readonly trucked: { readonly outMs: number; readonly inMs: number; readonly handedOver: boolean } | null;
  /** It could be fetched here before it was decided to take it on. */
  readonly releasedMs: number | null;
};
