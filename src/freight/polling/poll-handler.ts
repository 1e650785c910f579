/** How a product polls one shipment: it asks a source, and returns what to store and raise. The poller decides when. */
import type { RaisedEvent } from "../../model/event.ts";
import type { Cell } from "../../store/cell.ts";
import type { ClaimedShipment, PollResult } from "./store/polls.ts";

export type PollHandler = {
  /** Rejects when the store does not answer, or a derived event breaks its schema. */
  poll(claim: Claim): Promise<PollReply>;
  /** What time alone has changed. Rejects likewise. Null: time changes nothing of this product. */
  readonly reevaluate: ((cell: Cell, claimed: ClaimedShipment) => Promise<PollUpdate>) | null;
};

export type Claim = {
  readonly cell: Cell;
  readonly claimed: ClaimedShipment;
  /** When the poll must stop asking, by the monotonic clock. */
  readonly deadlineMs: number;
};

export type PollReply =
  | {
      readonly kind: "polled";
      readonly outcome: PollOutcome;
      /** Whether the carrier is up. */
      readonly answered: boolean;
      readonly update: PollUpdate;
    }
  /** The carrier was not asked, and is not to be for so long. */
  | { readonly kind: "postponed"; readonly waitMs: number };

export type PollOutcome =
  | "changed"
  | "unchanged"
  | "not_found"
  | "wrong_carrier"
  | "not_permitted"
  | "unavailable"
  /** The account may not have it polled at present. */
  | "not_entitled"
  /** Time alone has changed something. */
  | "by_time";

/** The result of a poll, and the events it raises. */
export type PollUpdate = { readonly result: PollResult; readonly events: readonly RaisedEvent[] };
