/** Whether an account has the product's entitlement: without it, its waybills are polled only while a client waits. */
import { SECOND_MS } from "../../../runtime/durations.ts";
import { StoreUnavailable } from "../../../model/errors.ts";
import { accountRead } from "../../../store/accounts/accounts.sql.ts";
import type { NodeContext } from "../../../store/node-context.ts";

export type IsEntitled = (accountId: string) => Promise<boolean>;

/** How long what was read of an account counts, and of how many accounts it is kept. */
const KNOWN_MS = 10 * SECOND_MS;
const ACCOUNTS_MAX = 10_000;

/** An account that cannot be read keeps what it had: polling outlives an outage of the directory. */
export function createIsEntitled(
  { database, cells, clock }: Pick<NodeContext, "database" | "cells" | "clock">,
  entitlement: string,
): IsEntitled {
  const known = new Map<string, { readonly isEntitled: boolean; readonly atMs: number }>();
  return async (accountId) => {
    const before = known.get(accountId);
    const nowMs = clock.monotonicMs();
    if (before !== undefined && nowMs - before.atMs < KNOWN_MS) return before.isEntitled;
    const isEntitled = await accountRead(database, cells[0], accountId).then(
      (account) => account === null || account.entitlements.includes(entitlement),
      (cause: unknown) => {
        if (cause instanceof StoreUnavailable) return before?.isEntitled ?? true;
        throw cause;
      },
    );
    known.delete(accountId);
    known.set(accountId, { isEntitled, atMs: nowMs });
    if (known.size > ACCOUNTS_MAX) known.delete(known.keys().next().value!);
    return isEntitled;
  };
}
