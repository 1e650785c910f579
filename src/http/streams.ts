/** The answers that stay open, bounded: each asks the database every second, and holds a page of events. */
export type Streams = {
  /** Its signal is aborted when the listener closes; call `close` at its end. Null: there are too many. */
  open(accountId: string): { readonly signal: AbortSignal; readonly close: () => void } | null;
  endAll(): void;
};

/** Of one process: a page of each, and the sockets' buffers, take some 100 MB at most. */
const STREAMS_MAX = 100;
export const STREAMS_PER_ACCOUNT_MAX = 5;

export function createStreams(): Streams {
  const open = new Map<AbortController, string>();
  return {
    open(accountId) {
      const ofAccount = [...open.values()].filter((one) => one === accountId).length;
      if (open.size >= STREAMS_MAX || ofAccount >= STREAMS_PER_ACCOUNT_MAX) return null;
      const controller = new AbortController();
      open.set(controller, accountId);
      return {
        signal: controller.signal,
        close() {
          open.delete(controller);
          controller.abort();
        },
      };
    },
    endAll() {
      for (const controller of open.keys()) controller.abort();
    },
  };
}
