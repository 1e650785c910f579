/**
 * Carries an outbox to the cells: what a transaction of its schema has to say to a cell, which may live on another
 * server. Every node forwards; a claim keeps a message from the others until its lease ends (`outbox_claim`).
 *
 *     waiting ─(everyMs, or a wake)─▶ the cells with messages due, some at once ─▶ waiting
 *                                       │  └─ one takes long: it goes on beside the next rounds
 *                                       └─▶ claimed ─▶ applied one by one ─▶ deleted ─▶ claimed ─▶ …
 *                                              │          └─ a crash: claimed again when the lease ends, and applied twice
 *                                              └─ the cell fails: released, and left alone for a while
 *
 * A round that has applied messages ends with pruning what no cell waits for.
 */
import { failureLevel, StoreUnavailable } from "../../model/errors.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../runtime/interval.ts";
import { nameOfCell, type Cell } from "../cell.ts";
import { notifyWork } from "../endpoints/invalidations.ts";
import type { NodeContext } from "../node-context.ts";
import { perCell } from "../per-cell.ts";
import {
  claimMessages,
  countMessages,
  deleteMessages,
  listCellsWithMessages,
  pruneMessages,
  releaseMessages,
  type ClaimBounds,
  type MessageHandlers,
} from "./outbox.ts";

export type ForwarderPorts = Omit<NodeContext, "random"> & {
  /** Whose outbox: the directory's, or that of a product's cell. */
  readonly source: Cell;
  /** An attempt to forward to a cell failed. */
  readonly onFailure?: (cell: Cell) => void;
};

export type ForwarderSettings = ClaimBounds & {
  /** Between two checks for messages, beside the checks that `wake` asks for. */
  readonly intervalMs: number;
  /** Cells that one round forwards to at once. */
  readonly cellsMax: number;
  /** After this time a cell keeps no other waiting. */
  readonly cellMsMax: number;
  /** A cell that fails is left alone for so long at first, twice as long each further time, at most `backoffMsMax`. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
};

export const FORWARDER_DEFAULTS: ForwarderSettings = {
  intervalMs: 5 * SECOND_MS,
  messagesMax: 100,
  bytesMax: 4 * 1024 * 1024,
  leaseMs: 30 * SECOND_MS,
  cellsMax: 8,
  cellMsMax: SECOND_MS,
  backoffMs: SECOND_MS,
  backoffMsMax: 30 * SECOND_MS,
};

/** A cell as this node finds it. `loggedMs`: when the log last said how far it is behind. */
type CellState = { isForwarding: boolean; failures: number; retryAtMs: number; loggedMs: number };

/** How often the log says how far a cell is behind. */
const LOG_INTERVAL_MS = 10 * MINUTE_MS;
/** More are not counted for it. */
const COUNTED_MAX = 10_000;
const PRUNE_STEPS_MAX = 100;

/** `wake`: messages have been committed. */
export function createForwarder(
  ports: ForwarderPorts,
  handlers: MessageHandlers,
  settings: ForwarderSettings = FORWARDER_DEFAULTS,
): Interval {
  const { database, source, cells, clock, log, onFailure } = ports;
  const stateOf = perCell((): CellState => ({ isForwarding: false, failures: 0, retryAtMs: 0, loggedMs: 0 }));
  let hasApplied = true;

  async function forward(cell: Cell, isStopped: () => boolean): Promise<void> {
    const state = stateOf(cell);
    state.isForwarding = true;
    try {
      while (!isStopped() && (await forwardBatch(ports, handlers, settings, cell, isStopped)))
        hasApplied = true;
      if (state.failures > 0) log.info({ cell: cell.number }, "messages reach the cell again");
      state.failures = 0;
    } catch (cause) {
      onFailure?.(cell);
      const nowMs = clock.monotonicMs();
      if (state.failures === 0 || nowMs - state.loggedMs >= LOG_INTERVAL_MS) {
        state.loggedMs = nowMs;
        const fields = { cause, cell: cell.number, ...(await backlogOf(ports, cell)) };
        log[failureLevel(cause)](fields, "messages wait for a cell that takes none");
      }
      state.retryAtMs = clock.monotonicMs() + backoffMs(settings, state.failures);
      state.failures += 1;
    } finally {
      state.isForwarding = false;
    }
  }

  async function round(isStopped: () => boolean): Promise<void> {
    const ready = cells.filter((cell) => {
      const { isForwarding, retryAtMs } = stateOf(cell);
      return !isForwarding && retryAtMs <= clock.monotonicMs();
    });
    const due = await listCellsWithMessages(database, source, ready, Object.keys(handlers), clock.nowMs());
    const waiting = ready.filter(({ number }) => due.has(number));
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined && !isStopped(); one = waiting.shift()) {
        const forwarding = forward(one, isStopped);
        // A wake during the round may have been for this cell.
        if (!(await waitAtMost(clock, settings.cellMsMax, forwarding))) void forwarding.then(interval.wake);
      }
    };
    await Promise.all(Array.from({ length: settings.cellsMax }, next));
    if (!hasApplied) return;
    hasApplied = false;
    await repeat(PRUNE_STEPS_MAX, isStopped, () => pruneMessages(database, source));
  }

  let isReadable = true;
  const read = async (isStopped: () => boolean): Promise<void> => {
    await round(isStopped);
    isReadable = true;
  };
  const ofProduct = source.schema === source.directory ? "" : ` of ${nameOfCell(source)}`;
  const options = { name: `outbox${ofProduct}`, everyMs: settings.intervalMs };
  const interval = createInterval(ports, options, read, (cause) => {
    const level = isReadable ? failureLevel(cause) : "debug";
    log[level]({ cause, outbox: source.schema }, "the outbox cannot be read; the next round retries");
    isReadable = false;
  });
  return interval;
}

/** How far the cell is behind, for the log. */
async function backlogOf({ database, source }: ForwarderPorts, cell: Cell) {
  const [found] = await countMessages(database, source, [cell], COUNTED_MAX).catch(() => []);
  return {
    outbox: source.schema,
    messages: found?.count,
    oldestAt: found?.oldestAt,
    behindKib: found?.behindKib,
  };
}

function backoffMs({ backoffMs: first, backoffMsMax }: ForwarderSettings, failures: number): number {
  return Math.min(backoffMsMax, first * 2 ** failures);
}

/** False: no message of the cell is due. Throws what kept one of the batch from being applied. */
export async function forwardBatch(
  { database, source, clock }: Pick<ForwarderPorts, "database" | "source" | "clock">,
  handlers: MessageHandlers,
  bounds: ClaimBounds,
  cell: Cell,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  const kinds = Object.keys(handlers);
  const batch = await claimMessages(database, source, cell, kinds, clock.nowMs(), bounds);
  const left = batch.map(({ id }) => id);
  const applied: number[] = [];
  let failure: { readonly cause: unknown } | null = null;
  for (const { id, kind, payload } of batch) {
    if (isStopped() || failure?.cause instanceof StoreUnavailable) break;
    try {
      await handlers[kind]?.(database, cell, payload, id);
      applied.push(id);
      left.shift();
    } catch (cause) {
      failure = { cause };
      // A message that fails by itself keeps its lease, and lets the others pass.
      if (!(cause instanceof StoreUnavailable)) left.shift();
    }
  }
  // Before they are deleted: after a crash in between they are applied again.
  if (applied.length > 0) await notifyWork(database, cell);
  await deleteMessages(database, source, cell, applied);
  await releaseMessages(database, source, cell, left, clock.nowMs());
  if (failure !== null) throw failure.cause;
  return batch.length > 0;
}
