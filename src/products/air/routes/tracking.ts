import type { KnownAirline } from "../../../freight/references/awb-prefixes.ts";
import type { Awb } from "../../../freight/references/awb.ts";
import type { TrackResult } from "../tracking/track.ts";
import type { Cell } from "../../../store/cell.ts";

/** What the routes do with waybills. */
export type AirTracking = {
  /** The airline of a waybill's first three digits; null: no known airline. */
  resolveAirline(prefix: string): KnownAirline | null;
  /** Starts tracking a waybill that is new to the account. */
  track(cell: Cell, accountId: string, awb: Awb): Promise<TrackResult>;
  /** False: the account does not track the waybill. */
  stop(cell: Cell, accountId: string, awb: Awb): Promise<boolean>;
};
