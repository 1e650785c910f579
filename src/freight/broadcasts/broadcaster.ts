/**
 * Raises each broadcast once for every account with an active endpoint that subscribes to it. A batch's events, and how
 * far the accounts have come, are written in one transaction under the lock of the broadcasts' rows: other nodes pass
 * over what one holds, and after a crash any node goes on behind the last batch (freight/work/worker.ts).
 *
 *     listed: a group of each kind of event of each cell ─▶ a batch of it is raised ─▶ listed again
 *                                                              └─ none: other nodes hold all of it ─▶ waits
 *
 * A batch is some broadcasts × some accounts. Where all accounts that are left fit into one, as many broadcasts as
 * fit beside them go with it, for good; a broadcast with more accounts is raised by itself, from batch to batch.
 */
import type { Engine } from "../../engine/engine.ts";
import { failureLevel } from "../../model/errors.ts";
import type { RaisedEvent } from "../../model/event.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Interval } from "../../runtime/interval.ts";
import { listReceivers, type BroadcastGroup, type BroadcastContent } from "./store/broadcasts.ts";
import { broadcastListGroups, broadcastAdvance, broadcastFinish } from "./store/broadcasts.sql.ts";
import { createCellTurns, type CellTurns } from "../work/cell-turns.ts";
import { createQueue } from "../work/source-queues.ts";
import type { OnWork } from "../work/wakes.ts";
import { createWorker, type JobKind, type WorkerPorts } from "../work/worker.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";

export type BroadcasterPorts = WorkerPorts &
  Pick<Engine, "raiseWithin"> & { readonly database: Connection; readonly onWork?: OnWork };

export type Broadcaster = Omit<Interval, "wake"> & {
  /** A broadcast has been added to the cell. */
  wake(cell: Cell): void;
};

export type BroadcasterSettings = {
  /** Between two checks for broadcasts, beside the checks that `wake` asks for. */
  readonly intervalMs: number;
  /** Events that are raised in one transaction. */
  readonly eventsMax: number;
  /** Bytes of their data, unless one event has more. */
  readonly bytesMax: number;
  /** Broadcasts without subscribers that one transaction deletes. */
  readonly withoutReceiversMax: number;
  /** The oldest broadcasts, of which each round raises some. */
  readonly scannedMax: number;
};

export const BROADCASTER_DEFAULTS: BroadcasterSettings = {
  intervalMs: 5_000,
  eventsMax: 500,
  bytesMax: 16 * 1024 * 1024,
  withoutReceiversMax: 1_000,
  scannedMax: 1_000,
};

/** A transaction may take so long before the loop counts as hanging. */
const SILENT_MS_MAX = 5 * MINUTE_MS;

export function createBroadcaster(
  ports: BroadcasterPorts,
  cells: readonly Cell[],
  settings: BroadcasterSettings = BROADCASTER_DEFAULTS,
): Broadcaster {
  const turns = createCellTurns(ports.clock, cells, settings.intervalMs);
  ports.onWork?.(turns.forget);
  const jobs = broadcastJobs(ports, turns, settings, () => worker.wake());
  const worker = createWorker(ports, jobs, {
    everyMs: settings.intervalMs,
    // One after the other, so that neither a cell nor a kind of event keeps the others waiting.
    runningMax: 1,
    silentMsMax: settings.intervalMs + SILENT_MS_MAX,
  });
  return {
    ...worker,
    wake(cell) {
      turns.wake(cell);
      worker.wake();
    },
  };
}

type BroadcastJob = { readonly cell: Cell; readonly group: BroadcastGroup };

/** Claims only list: the lock of its rows makes a batch this node's, for one transaction. */
function broadcastJobs(
  ports: BroadcasterPorts,
  turns: CellTurns,
  settings: BroadcasterSettings,
  wake: () => void,
): JobKind<BroadcastJob, null> {
  const { database, log } = ports;
  const logFailure = (cause: unknown): void =>
    log[failureLevel(cause)]({ cause }, "a broadcast broke off; it goes on where it stopped");
  return {
    name: "broadcasts",
    queues: createQueue(Number.POSITIVE_INFINITY, { claims: "when_empty" }),
    async claim(_limits, progress) {
      const jobs: BroadcastJob[] = [];
      for (const cell of turns.next()) {
        progress();
        const list = () => broadcastListGroups(database, cell, settings.scannedMax);
        try {
          for (const group of await askOnce(turns, cell, list)) jobs.push({ cell, group });
        } catch (cause) {
          // A cell that fails must not stop the others.
          logFailure(cause);
          turns.forget(cell);
        }
      }
      return jobs;
    },
    async run({ cell, group }) {
      if (await raiseBatch(ports, settings, cell, group)) wake();
      return { kind: "ran", result: null, answered: true };
    },
    onBroken: (_job, cause) => logFailure(cause),
  };
}

/** All broadcasts are due at once, so that one list says when the next is due, and which are. */
function askOnce<Group>(
  turns: CellTurns,
  cell: Cell,
  list: () => Promise<readonly Group[]>,
): Promise<readonly Group[]> {
  let listed: readonly Group[] | null = null;
  const readNextDue = async (): Promise<number | null> => {
    listed = await list();
    return listed.length > 0 ? Number.NEGATIVE_INFINITY : null;
  };
  return turns.ask(cell, readNextDue, async () => listed ?? list());
}

/** False: other nodes hold all broadcasts of the group. */
async function raiseBatch(
  { raiseWithin }: BroadcasterPorts,
  settings: BroadcasterSettings,
  cell: Cell,
  group: BroadcastGroup,
): Promise<boolean> {
  const raised = await raiseWithin(cell, async (tx) => {
    const accountsMax = Math.min(settings.eventsMax, atLeastOne(settings.bytesMax / group.bytesMax));
    const accountIds = await listReceivers(tx, cell, group, accountsMax);
    const finished =
      accountIds.length === accountsMax
        ? await broadcastAdvance(tx, cell, { ...group, accountId: accountIds.at(-1)! })
        : await finishBatch(tx, settings, cell, group, accountIds.length);
    return finished.length === 0 ? null : eventsFor(accountIds, group, finished);
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
  const bounds =
    accounts === 0
      ? { countMax: withoutReceiversMax, bytesMax }
      : { countMax: atLeastOne(eventsMax / accounts), bytesMax: Math.floor(bytesMax / accounts) };
  return broadcastFinish(tx, cell, { ...group, ...bounds });
}

function atLeastOne(quotient: number): number {
  return Math.max(1, Math.floor(quotient));
}

function eventsFor(
  accountIds: readonly string[],
  { product, type }: BroadcastGroup,
  contents: readonly BroadcastContent[],
): readonly RaisedEvent[] {
  return contents.flatMap(({ data, occurredAt, dedupKey }) => {
    const occurredAtMs = occurredAt.getTime();
    return accountIds.map((accountId) => ({ product, type, accountId, data, occurredAtMs, dedupKey }));
  });
}
