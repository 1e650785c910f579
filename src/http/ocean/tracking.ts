import type { ShipmentDetail, ShipmentPage, StartedTracking } from "../../producers/ocean/track.ts";
import type { Cell } from "../../store/cell.ts";

/** What the container routes do (spec 4.2). An id is a UUID in lower case. */
export type OceanTracking = {
  start(
    cell: Cell,
    input: { readonly accountId: string; readonly reference: string; readonly carrier?: string },
  ): Promise<StartedTracking>;
  /** False when the account has no such shipment. */
  recheck(cell: Cell, accountId: string, id: string): Promise<boolean>;
  /** Null when the account has no such shipment. */
  read(cell: Cell, accountId: string, id: string): Promise<ShipmentDetail | null>;
  /** Newest first. */
  list(
    cell: Cell,
    accountId: string,
    page: { readonly limit: number; readonly afterId?: string },
  ): Promise<ShipmentPage>;
};
