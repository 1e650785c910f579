/**
 * Limits on requests hold for all workers together: each tells the others, through the primary, what it allowed. A
 * caller may exceed a limit by what the others allow within {@link SHARE_INTERVAL_MS}.
 */
import type { ShareUses } from "../../http/limiter.ts";
import type { Clock } from "../../runtime/clock.ts";

type Use = { readonly limit: string; readonly caller: string; uses: number };

/** What one worker allowed lately. */
export type Uses = { readonly uses: readonly Use[] };

const SHARE_INTERVAL_MS = 250;

export function createSharedUses(clock: Pick<Clock, "after">, send: (uses: Uses) => void) {
  const adders = new Map<string, Parameters<ShareUses>[0]>();
  const unshared = new Map<string, Use>();

  function flush(): void {
    send({ uses: [...unshared.values()] });
    unshared.clear();
  }

  return {
    /** Counts what another worker allowed. */
    add({ uses }: Uses): void {
      for (const one of uses) adders.get(one.limit)?.(one.caller, one.uses);
    },
    share:
      (limit: string): ShareUses =>
      (add) => {
        adders.set(limit, add);
        return (caller) => {
          const use = unshared.get(`${limit} ${caller}`);
          if (use !== undefined) use.uses += 1;
          else {
            if (unshared.size === 0) clock.after(SHARE_INTERVAL_MS, flush);
            unshared.set(`${limit} ${caller}`, { limit, caller, uses: 1 });
          }
        };
      },
  };
}
