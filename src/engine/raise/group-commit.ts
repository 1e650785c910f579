import { StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";

/**
 * Group commit: the callers of a few milliseconds share one commit. While one batch is written the next one
 * gathers, so batches are as large as the load asks for, and a single call does not wait.
 *
 *      call ─▶ gathered ─▶ writing ─▶ answered
 *        │                    └─ refused because of one call ─▶ each call alone
 *        └─ too much waits already ─▶ refused: try again later
 */
export type GroupCommit = (events: readonly RaisedEvent[]) => Promise<RaiseReceipt>;

/** Writes events in one commit. */
export type WriteBatch = (events: readonly RaisedEvent[]) => Promise<WrittenBatch>;

export type WrittenBatch = {
  /** Events whose key had been used before. */
  readonly duplicates: ReadonlySet<RaisedEvent>;
  /** The deliveries that each event has made; none of a duplicate. */
  readonly made: ReadonlyMap<RaisedEvent, number>;
};

export const NOTHING_WRITTEN: WrittenBatch = { duplicates: new Set(), made: new Map() };

export type GroupCommitBounds = {
  /** Events in one commit, at least one; a larger call has a commit of its own. */
  readonly batchEventsMax: number;
  /** What may wait for a commit in all: events, and the bytes of their data. One call always may. */
  readonly waitingEventsMax: number;
  readonly waitingBytesMax: number;
};

type Call = {
  readonly events: readonly RaisedEvent[];
  readonly bytes: number;
  readonly resolve: (receipt: RaiseReceipt) => void;
  readonly reject: (cause: unknown) => void;
};

type State = {
  readonly bounds: GroupCommitBounds;
  readonly ready: () => Promise<void>;
  readonly write: WriteBatch;
  gathered: Call[];
  waitingEvents: number;
  waitingBytes: number;
  isWriting: boolean;
};

/** `ready` resolves when the next batch may begin. */
export function createGroupCommit(
  bounds: GroupCommitBounds,
  ready: () => Promise<void>,
  write: WriteBatch,
): GroupCommit {
  const state: State = {
    bounds,
    ready,
    write,
    gathered: [],
    waitingEvents: 0,
    waitingBytes: 0,
    isWriting: false,
  };
  return (events) =>
    new Promise((resolve, reject) => {
      const bytes = events.reduce((sum, event) => sum + event.data.length, 0);
      if (state.gathered.length > 0 && isFull(state, events.length, bytes)) {
        const message = "too many events wait for the database";
        return reject(new StoreUnavailable(message, { commitUnknown: false, reason: "overloaded" }));
      }
      state.waitingEvents += events.length;
      state.waitingBytes += bytes;
      state.gathered.push({ events, bytes, resolve, reject });
      void writeAll(state);
    });
}

function isFull({ bounds, waitingEvents, waitingBytes }: State, events: number, bytes: number): boolean {
  return waitingEvents + events > bounds.waitingEventsMax || waitingBytes + bytes > bounds.waitingBytesMax;
}

async function writeAll(state: State): Promise<void> {
  if (state.isWriting) return;
  state.isWriting = true;
  try {
    while (state.gathered.length > 0) {
      await state.ready();
      await writeCalls(state, takeBatch(state));
    }
  } catch (cause) {
    // No caller may wait for an answer that never comes.
    for (const call of take(state, state.gathered.length)) call.reject(cause);
  } finally {
    state.isWriting = false;
  }
}

function takeBatch(state: State): Call[] {
  const { gathered, bounds } = state;
  let events = 0;
  let count = 0;
  while (count < gathered.length && events < bounds.batchEventsMax) {
    events += gathered[count++]!.events.length;
  }
  return take(state, count);
}

function take(state: State, count: number): Call[] {
  const calls = state.gathered.slice(0, count);
  state.gathered = state.gathered.slice(count);
  for (const { events, bytes } of calls) {
    state.waitingEvents -= events.length;
    state.waitingBytes -= bytes;
  }
  return calls;
}

async function writeCalls(state: State, calls: readonly Call[]): Promise<void> {
  try {
    const { duplicates, made } = await state.write(calls.flatMap((call) => call.events));
    for (const { events, resolve } of calls) {
      const repeated = duplicates.size === 0 ? 0 : events.filter((event) => duplicates.has(event)).length;
      const deliveries = events.reduce((sum, event) => sum + (made.get(event) ?? 0), 0);
      resolve({ accepted: events.length - repeated, duplicates: repeated, deliveries });
    }
  } catch (cause) {
    // The events of one call must not fail the others; a database that is unavailable fails all.
    const isOfAll = cause instanceof StoreUnavailable && cause.reason !== "account_closed";
    if (isOfAll || calls.length === 1) for (const call of calls) call.reject(cause);
    else for (const call of calls) await writeCalls(state, [call]);
  }
}
