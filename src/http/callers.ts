/**
 * Whose key a request carries, and whose link a session is of.
 *
 *     known, the feed is fresh ─▶ from memory
 *     else: asked ─┬─ found, and no change was applied during the lookup ─▶ known
 *                  ├─ revoked, or never made ─▶ unknown
 *                  └─ no answer, or the directory is silent ─▶ from memory if known, for an hour at most
 *
 * docs/decisions/http-known-keys.md says why, and what a revocation can count on.
 */
import type { Account } from "../model/account.ts";
import { StoreUnavailable } from "../model/errors.ts";
import { HOUR_MS, SECOND_MS } from "../runtime/durations.ts";
import { readCaller } from "../store/accounts/keys.ts";
import { readPortalLinkAccount } from "../store/accounts/portal-links.ts";
import type { DirectoryFeed } from "../store/accounts/directory-feed.ts";
import type { NodeContext } from "../store/node-context.ts";

export type Callers = {
  /** The valid key with this SHA-256, and its account; null: there is none. Throws `StoreUnavailable`. */
  read(hash: Buffer): Promise<FoundCaller | null>;
  /** The same of a link to the portal that is not revoked, and of the account that it names; `keyId` is the link's. */
  readLink(linkId: string, accountId: string): Promise<FoundCaller | null>;
  /** Whether this node remembers a key with this SHA-256, or the link of this id. */
  isKnown(of: Buffer | string): boolean;
};

export type FoundCaller = { readonly keyId: string; readonly account: Account };

/** `confirmedMs`: when the directory was last asked for it, by the monotonic clock. */
type Known = { readonly caller: FoundCaller; readonly confirmedMs: number };

const CALLERS_MAX = 50_000;
/** How long a key is good without a word of the directory. */
const UNCONFIRMED_MS_MAX = HOUR_MS;
/** How long the directory may take to answer for a key that is known, and for another. */
const KNOWN_ANSWER_MS_MAX = 2 * SECOND_MS;
const ANSWER_MS_MAX = 5 * SECOND_MS;

export function createCallers(
  { database, cells, clock }: Pick<NodeContext, "database" | "cells" | "clock">,
  feed: DirectoryFeed,
): Callers {
  // By the hash, or the link's id; those known for the longest first.
  const callers = new Map<string, Known>();
  feed.subscribe((changes) => {
    if (changes === null) return callers.clear();
    const changed = new Set(changes.map(({ subject }) => subject));
    for (const [key, { caller }] of callers) {
      if (changed.has(caller.keyId) || changed.has(caller.account.id)) callers.delete(key);
    }
  });

  function remember(key: string, caller: FoundCaller | null, confirmedMs: number, number: number): void {
    if (caller === null) return void callers.delete(key);
    // Changes that were applied during the read may be newer than it: it must not undo them.
    if (feed.number() !== number || !(feed.isFresh() || callers.has(key))) return;
    callers.delete(key);
    if (callers.size >= CALLERS_MAX) callers.delete(callers.keys().next().value!);
    callers.set(key, { caller, confirmedMs });
  }

  async function ask(key: string, lookUp: LookUp, waitMsMax: number): Promise<FoundCaller | null> {
    const number = feed.number();
    const startedMs = clock.monotonicMs();
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(waitMsMax, () =>
        reject(new StoreUnavailable(`the directory has not answered in ${waitMsMax} ms`)),
      );
    });
    const reading = lookUp().then((caller) => {
      remember(key, caller, startedMs, number);
      return caller;
    });
    return Promise.race([reading, late]).finally(() => cancel());
  }

  async function read(key: string, lookUp: LookUp): Promise<FoundCaller | null> {
    const known = callers.get(key);
    if (known === undefined) return ask(key, lookUp, ANSWER_MS_MAX);
    if (feed.isFresh()) return known.caller;
    const confirmedMs = Math.max(known.confirmedMs, feed.readAtMs());
    if (clock.monotonicMs() - confirmedMs >= UNCONFIRMED_MS_MAX) return ask(key, lookUp, ANSWER_MS_MAX);
    if (feed.isSilent()) return known.caller;
    try {
      return await ask(key, lookUp, KNOWN_ANSWER_MS_MAX);
    } catch (cause) {
      // It may have been revoked during the lookup.
      const still = callers.get(key);
      if (cause instanceof StoreUnavailable && still !== undefined) return still.caller;
      throw cause;
    }
  }

  return {
    isKnown: (of) => callers.has(typeof of === "string" ? of : of.toString("latin1")),
    read: (hash) => read(hash.toString("latin1"), () => readCaller(database, cells[0], hash)),
    readLink: (linkId, accountId) =>
      read(linkId, async () => {
        const account = await readPortalLinkAccount(database, cells[0], { linkId, accountId });
        return account === null ? null : { keyId: linkId, account };
      }),
  };
}

type LookUp = () => Promise<FoundCaller | null>;
