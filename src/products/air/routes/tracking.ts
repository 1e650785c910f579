import type { KnownAirline } from "../../../freight/references/awb-prefixes.ts";
import type { Awb } from "../../../freight/references/awb.ts";
import type { TrackResult } from "../tracking/track.ts";
import type { Cell } from "../../../store/cell.ts";

/** What the waybill routes do (spec 4.3). */
export type AirTracking = {
  /** Whose a waybill's first three digits are; null: nobody's that is known. */
  resolveAirline(prefix: string): KnownAirline | null;
  /** Begins to track a waybill that is new to the account. */
  track(cell: Cell, accountId: string, awb: Awb): Promise<TrackResult>;
  /** False when the account tracks no such waybill. */
  stop(cell: Cell, accountId: string, awb: Awb): Promise<boolean>;
};
