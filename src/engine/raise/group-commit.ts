import { StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";

/**
 * Lets the callers of a few milliseconds share one commit. While a batch is under way the next one
 * gathers, so batches are as large as the load asks for, and a single call waits for nobody.
 *
 *      call ─▶ gathered ─▶ under way ─▶ answered
 *        │                     └─ refused for what one call holds ─▶ each call by itself
 *        └─ too much waits already ─▶ refused, to be tried again
 */
export type GroupCommit = (events: readonly RaisedEvent[]) => Promise<RaiseReceipt>;

/** Writes events in one commit; resolves with those of them whose key had been seen before. */
export type WriteBatch = (events: readonly RaisedEvent[]) => Promise<ReadonlySet<RaisedEvent>>;

export type GroupCommitBounds = {
  /** Events that one commit takes, at least one; a call with more has a commit of its own. */
  readonly batchEventsMax: number;
  /** What may wait for a commit, in all: events, and the bytes of their data. One call always may. */
  readonly waitingEventsMax: number;
  readonly waitingBytesMax: number;
};

type Call = {
  readonly events: readonly RaisedEvent[];
  readonly bytes: number;
  readonly resolve: (receipt: RaiseReceipt) => void;
  readonly reject: (cause: unknown) => void;
};

/** `ready` resolves when the next batch may begin. */
export function createGroupCommit(
  bounds: GroupCommitBounds,
  ready: () => Promise<void>,
  write: WriteBatch,
): GroupCommit {
  let gathered: Call[] = [];
  let waitingEvents = 0;
  let waitingBytes = 0;
  let isUnderWay = false;

  async function run(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      while (gathered.length > 0) {
        await ready();
        await answer(takeBatch());
      }
    } catch (cause) {
      // Nobody is left waiting for an answer that will not come.
      for (const call of takeAll()) call.reject(cause);
    } finally {
      isUnderWay = false;
    }
  }

  function takeBatch(): Call[] {
    let events = 0;
    let count = 0;
    while (count < gathered.length && events < bounds.batchEventsMax) {
      events += gathered[count++]!.events.length;
    }
    const calls = gathered.slice(0, count);
    gathered = gathered.slice(count);
    for (const call of calls) countOut(call);
    return calls;
  }

  function takeAll(): Call[] {
    const calls = gathered;
    gathered = [];
    for (const call of calls) countOut(call);
    return calls;
  }

  function countOut({ events, bytes }: Call): void {
    waitingEvents -= events.length;
    waitingBytes -= bytes;
  }

  async function answer(calls: readonly Call[]): Promise<void> {
    try {
      const duplicates = await write(calls.flatMap((call) => call.events));
      for (const { events, resolve } of calls) {
        const repeated = duplicates.size === 0 ? 0 : events.filter((event) => duplicates.has(event)).length;
        resolve({ accepted: events.length - repeated, duplicates: repeated });
      }
    } catch (cause) {
      // What one call holds is not to fail the others.
      if (cause instanceof StoreUnavailable || calls.length === 1)
        for (const call of calls) call.reject(cause);
      else for (const call of calls) await answer([call]);
    }
  }

  return (events) =>
    new Promise((resolve, reject) => {
      const bytes = events.reduce((sum, event) => sum + event.data.length, 0);
      const isFull =
        waitingEvents + events.length > bounds.waitingEventsMax ||
        waitingBytes + bytes > bounds.waitingBytesMax;
      if (isFull && gathered.length > 0) {
        const message = "too many events wait for the database";
        return reject(new StoreUnavailable(message, { commitUnknown: false, reason: "overloaded" }));
      }
      waitingEvents += events.length;
      waitingBytes += bytes;
      gathered.push({ events, bytes, resolve, reject });
      void run();
    });
}
