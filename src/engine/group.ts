import { StoreUnavailable } from "../model/errors.ts";
import type { RaisedEvent, RaiseReceipt } from "../model/event.ts";

/**
 * Lets the callers of a few milliseconds share one commit. While a batch is under way the next one
 * gathers, so batches are as large as the load asks for, and a single call waits for nobody.
 *
 *      call ─▶ gathered ─▶ under way ─▶ answered
 *                              └─ refused for what one call holds ─▶ each call by itself
 */
export type Group = (events: readonly RaisedEvent[]) => Promise<RaiseReceipt>;

/** Writes events in one commit; resolves with those of them whose key had been seen before. */
export type WriteTogether = (events: readonly RaisedEvent[]) => Promise<ReadonlySet<RaisedEvent>>;

type Call = {
  readonly events: readonly RaisedEvent[];
  readonly resolve: (receipt: RaiseReceipt) => void;
  readonly reject: (cause: unknown) => void;
};

/** `ready` resolves when the next batch may begin. */
export function createGroup(eventsMax: number, ready: () => Promise<void>, write: WriteTogether): Group {
  let gathered: Call[] = [];
  let isUnderWay = false;

  async function run(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    while (gathered.length > 0) {
      await ready();
      await answer(takeBatch());
    }
    isUnderWay = false;
  }

  function takeBatch(): Call[] {
    let events = 0;
    let count = 0;
    while (count < gathered.length && (count === 0 || events < eventsMax)) {
      events += gathered[count++]!.events.length;
    }
    const calls = gathered.slice(0, count);
    gathered = gathered.slice(count);
    return calls;
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
      gathered.push({ events, resolve, reject });
      void run();
    });
}
