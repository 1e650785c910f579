import type { DeliveryRecord } from "../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../model/event.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";

/** The delivery engine as the rest of the system uses it. */
export type Engine = {
  /**
   * Makes the events of one call durable together, all or nothing, with a delivery for every endpoint
   * that is active and subscribed at that moment. Resolves after the commit; deliveries are on their
   * way by then. Rejects with `StoreUnavailable` while the database cannot be reached; nothing has
   * been accepted then. An unknown account is a value: the caller says it to whoever sent the event.
   */
  raise(events: readonly RaisedEvent[]): Promise<Raised>;
  /**
   * The same, together with the change of state that caused the events: `change` runs in the same
   * transaction and answers with the events that it came to. When it answers null, everything is
   * rolled back and nothing raised (null). The accounts must exist, and live in this cell.
   */
  raiseWithin(
    cell: Cell,
    change: (tx: Connection) => Promise<readonly RaisedEvent[] | null>,
  ): Promise<RaiseReceipt | null>;
  /**
   * Queues a `ping` for one endpoint, whatever its subscription, and returns the delivery as it was
   * queued. Rejects like `raise`.
   */
  ping(cell: Cell, accountId: string, endpointId: string): Promise<DeliveryRecord | "inactive" | "missing">;
  /**
   * To be called after the commit of any change of an endpoint (made, patched, deleted), and before
   * the change is answered: when it resolves, no node starts an attempt under the old state.
   */
  endpointChanged(cell: Cell, accountId: string, endpointId: string): Promise<void>;
};

export type Raised =
  | ({ readonly kind: "raised" } & RaiseReceipt)
  | { readonly kind: "unknown_account"; readonly accountId: string };
