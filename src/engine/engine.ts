import type { DeliveryRecord } from "../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../model/event.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";

/** The delivery engine as the rest of the system uses it. */
export type Engine = {
  /**
   * Makes the events of one call durable, all or nothing, with a delivery for every endpoint that is active
   * and subscribed at that moment (spec 3.1: raised; 6.1: at_least_once). Resolves after the commit. Rejects with
   * `StoreUnavailable` while the database cannot be reached; then nothing was accepted.
   */
  raise(events: readonly RaisedEvent[]): Promise<Raised>;
  /**
   * Raises events in the transaction of the state change that causes them: `change` resolves with the events.
   * When it resolves with null, everything is rolled back and the result is null. The accounts must exist
   * and live in this cell.
   */
  raiseWithin(
    cell: Cell,
    change: (tx: Connection) => Promise<readonly RaisedEvent[] | null>,
  ): Promise<RaiseReceipt | null>;
  /**
   * Queues a `ping`, or the sample given, for one endpoint, whatever its subscription (spec 6.1: ping), and resolves
   * with the queued delivery. Rejects like `raise`.
   */
  ping(
    cell: Cell,
    accountId: string,
    endpointId: string,
    sample?: Sample,
  ): Promise<DeliveryRecord | "inactive" | "missing">;
  /**
   * Call it after the commit of any change of an endpoint (created, patched, deleted), and before you answer
   * the request: once it resolves, no node starts an attempt under the old state.
   */
  endpointChanged(cell: Cell, accountId: string, endpointId: string): Promise<void>;
};

/** An event for one endpoint; `data` is JSON text. */
export type Sample = Pick<RaisedEvent, "type" | "data">;

export type Raised =
  | ({ readonly kind: "raised" } & RaiseReceipt)
  | { readonly kind: "unknown_account"; readonly accountId: string };
