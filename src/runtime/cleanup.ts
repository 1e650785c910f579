import type { Cancel, Clock } from "./clock.ts";

export type CleanupStack = {
  push(close: () => Promise<void>): void;
  /** The last first. All close, even if one fails; then the first failure is thrown. */
  closeAll(): Promise<void>;
};

export function createCleanupStack(): CleanupStack {
  const closers: (() => Promise<void>)[] = [];
  return {
    push: (close) => void closers.push(close),
    async closeAll() {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        await close().catch((failure: unknown) => failures.push(failure));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** False: `work` has not ended within `waitMsMax`. Rejects as `work` does. */
export async function waitAtMost(
  clock: Pick<Clock, "after">,
  waitMsMax: number,
  work: Promise<void>,
): Promise<boolean> {
  let cancel: Cancel = () => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(waitMsMax, () => resolve(false));
  });
  return Promise.race([work.then(() => true), late]).finally(() => cancel());
}
