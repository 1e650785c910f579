/**
 * What a product does when it is its turn: it looks at one shipment, asks whoever knows of it, and says what
 * is to be stored and raised. The poller decides when, and saves it.
 */
import type { RaisedEvent } from "../../model/event.ts";
import type { Cell } from "../../store/cell.ts";
import type { ClaimedShipment, PollResult } from "./store/polls.ts";

export type PollHandler = {
  /** Rejects when the store does not answer, or a derived event breaks its schema. */
  poll(claim: Claim): Promise<PollReply>;
  /** What time alone has changed. Rejects likewise. Null: nothing of the product's does. */
  readonly reevaluate: ((cell: Cell, claimed: ClaimedShipment) => Promise<PollUpdate>) | null;
};

export type Claim = {
  readonly cell: Cell;
  readonly claimed: ClaimedShipment;
  /** When a look at it must have ended asking, by the monotonic clock. */
  readonly deadlineMs: number;
};

export type PollReply =
  | {
      readonly kind: "polled";
      readonly outcome: PollOutcome;
      /** Whether the carrier is there and answers. */
      readonly answered: boolean;
      readonly update: PollUpdate;
    }
  /** Nothing was asked, and nothing is to be asked of this carrier for so long. */
  | { readonly kind: "postponed"; readonly waitMs: number };

export type PollOutcome =
  | "changed"
  | "unchanged"
  | "not_found"
  | "wrong_carrier"
  | "not_permitted"
  | "unavailable"
  /** Time alone had changed something. */
  | "by_time";

/** What a look comes to: its result, and the events that tell of it. */
export type PollUpdate = { readonly result: PollResult; readonly events: readonly RaisedEvent[] };
