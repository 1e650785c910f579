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
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { within } from "../../runtime/closing.ts";
import type { Log } from "../../runtime/log.ts";
import {
  advanceBroadcast,
  broadcastGroups,
  finishBroadcasts,
  nextReceivers,
  type BroadcastGroup,
  type ToldBroadcast,
} from "../../store/broadcasts.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";

export type BroadcasterPorts = {
  readonly database: Connection;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly clock: Clock;
  readonly log: Log;
};

export type BroadcasterSettings = {
  /** Between two looks whether there is anything to tell, besides those that `wake` asks for. */
  readonly lookMs: number;
  /** Events that are raised in one transaction. */
  readonly eventsMax: number;
  /** Bytes of their data, unless one event has more. */
  readonly bytesMax: number;
  /** Broadcasts that go in one transaction where no account takes them. */
  readonly untakenMax: number;
  /** The oldest broadcasts, of which each round tells some. */
  readonly lookedAtMax: number;
};

export const BROADCASTER_DEFAULTS: BroadcasterSettings = {
  lookMs: 5_000,
  eventsMax: 500,
  bytesMax: 16 * 1024 * 1024,
  untakenMax: 1_000,
  lookedAtMax: 1_000,
};

export type Broadcaster = {
  /** Looks at once, and then again and again. */
  start(): void;
  /** Broadcasts have been added, and the transaction has ended. */
  wake(): void;
  /** Begins no batch any more; resolves when the one under way has ended, or after a bounded wait. */
  stop(): Promise<void>;
};

/** A batch takes some hundredths of a second, unless the database is away. */
const STOP_MS_MAX = 5_000;

export function createBroadcaster(
  ports: BroadcasterPorts,
  cells: readonly Cell[],
  settings: BroadcasterSettings = BROADCASTER_DEFAULTS,
): Broadcaster {
  const { database, clock, log } = ports;
  let isStopped = false;
  let isWoken = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  /** Nothing that fails is to keep the rest from being told. */
  const orElse =
    <T>(value: T) =>
    (cause: unknown): T => {
      const level = cause instanceof StoreUnavailable ? "warn" : "error";
      log[level]({ cause }, "accounts could not be told of something; it goes on where it stopped");
      return value;
    };

  /** A batch of each group, so that neither a cell nor a kind of event keeps the others waiting. */
  const round = async (): Promise<boolean> => {
    let gotOn = false;
    for (const cell of cells) {
      if (isStopped) return false;
      for (const group of await broadcastGroups(database, cell, settings.lookedAtMax).catch(orElse([]))) {
        if (isStopped) return false;
        if (await tellSome(ports, settings, cell, group).catch(orElse(false))) gotOn = true;
      }
    }
    return gotOn;
  };

  const look = async (): Promise<void> => {
    let goesOn = true;
    while (goesOn && !isStopped) {
      isWoken = false;
      goesOn = (await round()) || isWoken;
    }
  };

  const go = (): void => {
    cancel();
    if (isStopped) return;
    underWay = look().finally(() => {
      underWay = null;
      if (isWoken) go();
      else if (!isStopped) cancel = clock.after(settings.lookMs, go);
    });
  };

  return {
    start: go,
    wake() {
      isWoken = true;
      if (underWay === null) go();
    },
    async stop() {
      isStopped = true;
      cancel();
      if (underWay !== null) await within(clock, STOP_MS_MAX, underWay);
    },
  };
}

/** False: nothing of the group could be taken, since other nodes are about all of it. */
async function tellSome(
  { raiseWithin }: BroadcasterPorts,
  settings: BroadcasterSettings,
  cell: Cell,
  group: BroadcastGroup,
): Promise<boolean> {
  const raised = await raiseWithin(cell, async (tx) => {
    const accountsMax = Math.min(settings.eventsMax, atLeastOne(settings.bytesMax / group.bytesMax));
    const accountIds = await nextReceivers(tx, cell, group, accountsMax);
    const told =
      accountIds.length === accountsMax
        ? await advanceBroadcast(tx, cell, group, accountIds.at(-1)!)
        : await finishSome(tx, settings, cell, group, accountIds.length);
    return told.length === 0 ? null : eventsFor(accountIds, group, told);
  });
  return raised !== null;
}

function finishSome(
  tx: Connection,
  { eventsMax, bytesMax, untakenMax }: BroadcasterSettings,
  cell: Cell,
  group: BroadcastGroup,
  accounts: number,
): Promise<readonly ToldBroadcast[]> {
  if (accounts === 0) return finishBroadcasts(tx, cell, group, untakenMax, bytesMax);
  return finishBroadcasts(tx, cell, group, atLeastOne(eventsMax / accounts), Math.floor(bytesMax / accounts));
}

function atLeastOne(quotient: number): number {
  return Math.max(1, Math.floor(quotient));
}

function eventsFor(
  accountIds: readonly string[],
  { product, type }: BroadcastGroup,
  told: readonly ToldBroadcast[],
): readonly RaisedEvent[] {
  return told.flatMap(({ data, occurredAt, dedupKey }) => {
    const occurredAtMs = occurredAt.getTime();
    return accountIds.map((accountId) => ({ product, type, accountId, data, occurredAtMs, dedupKey }));
  });
}
