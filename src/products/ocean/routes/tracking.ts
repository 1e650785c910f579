import type { LookupResult } from "../tracking/lookup.ts";
import type { ShipmentDetail } from "../tracking/container-schema.ts";
import type { ListedShipments, ListInput, StartedTracking } from "../tracking/track.ts";
import type { Cell } from "../../../store/cell.ts";

/** What the container routes need. An id is a UUID in lower case. */
export type OceanTracking = {
  start(
    cell: Cell,
    input: { readonly accountId: string; readonly reference: string; readonly carrier?: string },
  ): Promise<StartedTracking>;
  /** False when the account has no such shipment. */
  recheck(cell: Cell, accountId: string, id: string): Promise<boolean>;
  /** False when the account has no such shipment. */
  stop(cell: Cell, accountId: string, id: string): Promise<boolean>;
  /** Null when the account has no such shipment. */
  read(cell: Cell, accountId: string, id: string): Promise<ShipmentDetail | null>;
  /** Newest first. */
  list(cell: Cell, accountId: string, wanted: ListInput): Promise<ListedShipments>;
  lookup(reference: string): Promise<LookupResult>;
};
