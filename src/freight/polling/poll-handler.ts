/**
 * How a product polls one shipment: it asks a source and says what came of it; what is stored of the poll, and when the next
 * one is due, is the same for all. The poller decides when.
 *
 *     claim ─▶ answered ────▶ next poll after the product's wait
 *        ├───▶ unanswered ──▶ next poll after a growing wait, or none where its life is over
 *        ├───▶ unasked ─────▶ next poll at a time of its own; no failure of the shipment
 *        └───▶ postponed ───▶ the whole source waits
 */
import type { RaisedEvent } from "../../model/event.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { nextPollAfter, nextPollAfterFailure, type BackoffSettings } from "../work/backoff.ts";
import { createBatch, type BatchBounds } from "../../engine/batch-writer.ts";
import { readShipmentRecords, type ClaimedShipment, type PollResult } from "./store/polls.ts";
import { perCell } from "../../store/per-cell.ts";
import type { Connection } from "../../store/database.ts";

export type PollHandler = {
  /** Rejects when the store does not answer, or a derived event breaks its schema. */
  poll(claim: Claim): Promise<PollReply>;
  /** What time alone has changed. Rejects likewise. */
  reevaluate(cell: Cell, claimed: ClaimedShipment): Promise<PollUpdate>;
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
  | Postponed;

/** The carrier was not asked, and is not to be for so long. */
type Postponed = { readonly kind: "postponed"; readonly waitMs: number };

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

/** A product's part of it. */
export type PolledKind = {
  /** After failures, and how far polls spread. */
  readonly waits: BackoffSettings;
  poll(claim: Claim, read: ReadStored): Promise<Polled>;
  reevaluate(cell: Cell, claimed: ClaimedShipment, read: ReadStored): Promise<Reevaluated>;
};

/** The stored record, JSON; null until a carrier has answered. */
export type ReadStored = () => Promise<string | null>;

/** `state` null: as it was. */
type Changes = Pick<PollUpdate, "events"> & Pick<PollResult, "state">;

export type Polled =
  | (Changes & {
      readonly kind: "answered";
      readonly outcome: "changed" | "unchanged";
      readonly answerDigest: Buffer | null;
      /** When the answer came. */
      readonly atMs: number;
      /** Until the next poll; null: it need not be asked for again. */
      readonly waitMs: number | null;
    })
  | (Changes & {
      readonly kind: "unanswered";
      readonly outcome: Exclude<PollOutcome, "changed" | "unchanged" | "by_time">;
      /** As it is stored. */
      readonly failure: string;
      readonly retryAfterMs: number | null;
      /** Its source has not been asked, for this shipment alone. */
      readonly isUnsent?: boolean;
      /** It need not be asked for again. */
      readonly isOver: boolean;
      readonly refreshedAtMs: number | null;
      readonly waits?: BackoffSettings;
      /** For the log. */
      readonly about?: object;
    })
  | { readonly kind: "unasked"; readonly outcome: PollOutcome; readonly nextPollAtMs: number | null }
  | Postponed;

export type Reevaluated = Changes & Partial<Pick<PollResult, "nextPollAtMs" | "refreshedAtMs">>;

type PollHandlerPorts = Pick<NodeContext, "clock" | "log"> & {
  readonly database: Connection;
  readonly random: Pick<NodeContext["random"], "fraction">;
};

export function createPollHandler(
  ports: PollHandlerPorts,
  batches: BatchBounds,
  kind: PolledKind,
): PollHandler {
  const { database, clock } = ports;
  // Reads that come together share one statement.
  const readerOf = perCell((cell) =>
    createBatch<string, string | null>({ ...batches, gatherMs: 0 }, clock, async (ids) => {
      const records = await readShipmentRecords(database, cell, ids);
      return ids.map((one) => records.get(one) ?? null);
    }),
  );
  return {
    async poll(claim) {
      const { cell, claimed } = claim;
      return replyOf(ports, claimed, await kind.poll(claim, () => readerOf(cell)(claimed.id)), kind.waits);
    },
    async reevaluate(cell, claimed) {
      const { events, ...changes } = await kind.reevaluate(cell, claimed, () => readerOf(cell)(claimed.id));
      return { events, result: { ...unchanged(claimed), ...changes } };
    },
  };
}

function replyOf(
  { clock, random, log }: PollHandlerPorts,
  claimed: ClaimedShipment,
  polled: Polled,
  waits: BackoffSettings,
): PollReply {
  const reply = (
    answered: boolean,
    events: PollUpdate["events"],
    changes: Partial<PollResult>,
    { outcome }: { readonly outcome: PollOutcome },
  ): PollReply => {
    const update = { events, result: { ...unchanged(claimed), ...changes } };
    return { kind: "polled", outcome, answered, update };
  };
  switch (polled.kind) {
    case "postponed":
      return polled;
    case "unasked":
      return reply(false, [], { nextPollAtMs: polled.nextPollAtMs }, polled);
    case "answered": {
      const { answerDigest, atMs, waitMs, events, state } = polled;
      const nextPollAtMs = nextPollAfter(waitMs, atMs, waits, random.fraction());
      const fresh = { failures: 0, failure: null, refreshedAtMs: atMs, answerDigest };
      return reply(true, events, { ...fresh, nextPollAtMs, state }, polled);
    }
    case "unanswered": {
      const { outcome, failure, retryAfterMs, isUnsent, isOver, refreshedAtMs, events, state } = polled;
      const { id: shipment, reference } = claimed;
      log.info({ shipment, reference, failure, ...polled.about }, "a poll had no answer");
      // A source that says when to come back has not failed this shipment.
      const failures = claimed.failures + (isUnsent === true || retryAfterMs !== null ? 0 : 1);
      const times = [Math.max(failures, 1), retryAfterMs, clock.nowMs()] as const;
      const nextMs = nextPollAfterFailure(...times, polled.waits ?? waits, random.fraction());
      const nextPollAtMs = isOver ? null : nextMs;
      const changes = { failures, failure, nextPollAtMs, refreshedAtMs, state };
      return reply(outcome !== "unavailable", events, changes, polled);
    }
  }
}

function unchanged(claimed: ClaimedShipment): PollResult {
  const { failures, failure, nextPollAt } = claimed;
  const nextPollAtMs = nextPollAt?.getTime() ?? null;
  return { claimed, nextPollAtMs, failures, failure, refreshedAtMs: null, answerDigest: null, state: null };
}
