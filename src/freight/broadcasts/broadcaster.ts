/**
 * Tells every account that has an active endpoint which takes it of each broadcast, once. The events of a batch,
 * and how far the accounts have come, are written in one transaction, under the lock of the broadcasts' rows: what
 * another node is about is passed over, and whoever goes on after a crash goes on behind the last batch.
 *
 *     idle ─(wake, or some time)─▶ round: a batch of each group of each cell ─▶ round ─▶ … ─▶ nothing got on ─▶ idle
 *       │                             └─ no database, or a crash: nothing of the batch
 *       └──── stop: the batch under way ends ────▶ stopped
 *
 * A batch is some broadcasts × some accounts. Where all accounts that are left fit into one, as many broadcasts as
 * fit beside them go with it, for good; a broadcast with more accounts is told by itself, from batch to batch.
 */
import type { Engine } from "../../engine/engine.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { Clock } from "../../runtime/clock.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { Log } from "../../runtime/log.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import {
  advanceBroadcast,
  listBroadcastGroups,
  finishBroadcasts,
  listReceivers,
  type BroadcastGroup,
  type BroadcastContent,
} from "./store/broadcasts.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";

export type BroadcasterPorts = {
  readonly database: Connection;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
};

export type BroadcasterSettings = {
  /** Between two looks whether there is anything to tell, besides those that `wake` asks for. */
  readonly intervalMs: number;
  /** Events that are raised in one transaction. */
  readonly eventsMax: number;
  /** Bytes of their data, unless one event has more. */
  readonly bytesMax: number;
  /** Broadcasts that go in one transaction where no account takes them. */
  readonly withoutReceiversMax: number;
  /** The oldest broadcasts, of which each round tells some. */
  readonly scannedMax: number;
};

export const BROADCASTER_DEFAULTS: BroadcasterSettings = {
  intervalMs: 5_000,
  eventsMax: 500,
  bytesMax: 16 * 1024 * 1024,
  withoutReceiversMax: 1_000,
  scannedMax: 1_000,
};

export function createBroadcaster(
  ports: BroadcasterPorts,
  cells: readonly Cell[],
  settings: BroadcasterSettings = BROADCASTER_DEFAULTS,
): Interval {
  const { database, log } = ports;

  /** Nothing that fails is to keep the rest from being told. */
  const orElse =
    <T>(value: T) =>
    (cause: unknown): T => {
      const level = cause instanceof StoreUnavailable ? "warn" : "error";
      log[level]({ cause }, "accounts could not be told of something; it goes on where it stopped");
      return value;
    };

  /** A batch of each group, so that neither a cell nor a kind of event keeps the others waiting. */
  const tellAll = async (isStopped: () => boolean): Promise<boolean> => {
    let gotOn = false;
    for (const cell of cells) {
      if (isStopped()) return false;
      for (const group of await listBroadcastGroups(database, cell, settings.scannedMax).catch(orElse([]))) {
        if (isStopped()) return false;
        if (await raiseBatch(ports, settings, cell, group).catch(orElse(false))) gotOn = true;
      }
    }
    return gotOn;
  };

  const round = async (isStopped: () => boolean): Promise<void> => {
    while (!isStopped() && (await tellAll(isStopped)));
  };

  const options = { name: "broadcasts", everyMs: settings.intervalMs };
  return createInterval(ports, options, round, (cause) => orElse(undefined)(cause));
}

/** False: nothing of the group could be taken, since other nodes are about all of it. */
async function raiseBatch(
  { raiseWithin }: BroadcasterPorts,
  settings: BroadcasterSettings,
  cell: Cell,
  group: BroadcastGroup,
): Promise<boolean> {
  const raised = await raiseWithin(cell, async (tx) => {
    const accountsMax = Math.min(settings.eventsMax, atLeastOne(settings.bytesMax / group.bytesMax));
    const accountIds = await listReceivers(tx, cell, group, accountsMax);
    const told =
      accountIds.length === accountsMax
        ? await advanceBroadcast(tx, cell, group, accountIds.at(-1)!)
        : await finishBatch(tx, settings, cell, group, accountIds.length);
    return told.length === 0 ? null : eventsFor(accountIds, group, told);
  });
  return raised !== null;
}

function finishBatch(
  tx: Connection,
  { eventsMax, bytesMax, withoutReceiversMax }: BroadcasterSettings,
  cell: Cell,
  group: BroadcastGroup,
  accounts: number,
): Promise<readonly BroadcastContent[]> {
  if (accounts === 0) return finishBroadcasts(tx, cell, group, withoutReceiversMax, bytesMax);
  return finishBroadcasts(tx, cell, group, atLeastOne(eventsMax / accounts), Math.floor(bytesMax / accounts));
}

function atLeastOne(quotient: number): number {
  return Math.max(1, Math.floor(quotient));
}

function eventsFor(
  accountIds: readonly string[],
  { product, type }: BroadcastGroup,
  told: readonly BroadcastContent[],
): readonly RaisedEvent[] {
  return told.flatMap(({ data, occurredAt, dedupKey }) => {
    const occurredAtMs = occurredAt.getTime();
    return accountIds.map((accountId) => ({ product, type, accountId, data, occurredAtMs, dedupKey }));
  });
}
