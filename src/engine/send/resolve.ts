/**
 * Resolves a host name to checked addresses. It asks the name servers for A and AAAA side by side; it does not
 * read `/etc/hosts` or the search list of `resolv.conf`, which serve this machine's own needs. One refused
 * address refuses the name: a name with public and private addresses is an attack or a mistake.
 *
 *      resolve ─▶ cached ──────────────────────────────▶ done
 *         │
 *         └─▶ open query (shared) ─▶ check all ─▶ cache ─▶ done, for all who wait
 *
 * A name without an answer fails alone, unless the name servers answer nothing at all: that is this service's fault.
 */
import type { AttemptError } from "../../model/delivery.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { DnsLookup, DnsRecord } from "../../runtime/dns-lookup.ts";
import { checkAddress, type AddressPolicy } from "./address.ts";
import { attemptError, attemptErrorFrom } from "./errors.ts";
import { createLru, type Lru } from "./lru.ts";
import { isLocalhost } from "./local-names.ts";

export type Resolved =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly error: AttemptError };

export type Resolver = ReturnType<typeof createResolver>;

export type ResolverOptions = {
  readonly dnsLookup: DnsLookup;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  /** The longest wait for the name servers, milliseconds. */
  readonly dnsTimeoutMs?: number;
  /** Names in the cache. */
  readonly namesMax?: number;
};

const DNS_TIMEOUT_MS = 5_000;
/** After so long without an answer a name is asked for that each name server knows not to exist (RFC 6761). */
const PROBE_AFTER_MS = 2_000;
const PROBE_NAME = "invalid";
const NAMES_MAX = 20_000;
/** Bounds of a record's time to live, milliseconds. */
const TTL_MS_MIN = 5_000;
const TTL_MS_MAX = 300_000;
/** How long a failure is cached, milliseconds: spares the name servers, and notices a repair. */
const FAILURE_TTL_MS = 2_000;
/** Addresses kept for one name; all are checked. */
const ADDRESSES_MAX = 8;

type CachedName = { readonly resolved: Resolved; readonly untilMs: number };

type State = {
  readonly options: ResolverOptions;
  readonly cache: Lru<CachedName>;
  readonly waiting: Map<string, ((resolved: Resolved) => void)[]>;
  /** When a name server last answered, whatever it was. */
  heardMs: number;
};

export function createResolver(options: ResolverOptions) {
  const { clock, policy } = options;
  const state: State = {
    options,
    cache: createLru(options.namesMax ?? NAMES_MAX),
    waiting: new Map(),
    heardMs: -1,
  };
  return {
    /** Calls `done` once; before it returns when the name is cached. */
    resolve(hostname: string, done: (resolved: Resolved) => void): void {
      if (isLocalhost(hostname)) return done(localhost(policy));
      const cached = state.cache.get(hostname);
      if (cached !== undefined && clock.monotonicMs() < cached.untilMs) return done(cached.resolved);
      const waiters = state.waiting.get(hostname);
      if (waiters !== undefined) {
        waiters.push(done);
        return;
      }
      state.waiting.set(hostname, [done]);
      query(state, hostname);
    },
  };
}

function query(state: State, hostname: string): void {
  const { clock, policy, dnsLookup, dnsTimeoutMs = DNS_TIMEOUT_MS } = state.options;
  const answers: Answer[] = [];
  const startedMs = clock.monotonicMs();
  const isSilent = () => state.heardMs < startedMs;
  let isOver = false;
  const end = (resolved: Resolved, ttlMs: number): void => {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    cancelProbe();
    finish(state, hostname, resolved, ttlMs);
  };
  const cancelTimer = clock.after(dnsTimeoutMs, () => {
    const error = isSilent()
      ? attemptError("name_servers_unreachable")
      : attemptError("dns_failed", "time-out");
    end({ ok: false, error }, FAILURE_TTL_MS);
  });
  const cancelProbe = clock.after(PROBE_AFTER_MS, () =>
    dnsLookup(PROBE_NAME, 4, (error) => hear(state, error)),
  );
  for (const family of [4, 6] as const) {
    dnsLookup(hostname, family, (error, records) => {
      hear(state, error);
      answers.push({ error, records });
      if (answers.length === 2) end(...combineAnswers(hostname, answers, policy, isSilent()));
    });
  }
}

function hear(state: State, error: NodeJS.ErrnoException | null): void {
  if (error?.code !== "ETIMEOUT" && error?.code !== "ECONNREFUSED")
    state.heardMs = state.options.clock.monotonicMs();
}

function finish(
  { options, cache, waiting }: State,
  hostname: string,
  resolved: Resolved,
  ttlMs: number,
): void {
  cache.set(hostname, { resolved, untilMs: options.clock.monotonicMs() + ttlMs });
  const waiters = waiting.get(hostname) ?? [];
  waiting.delete(hostname);
  for (const done of waiters) done(resolved);
}

type Answer = { readonly error: NodeJS.ErrnoException | null; readonly records: readonly DnsRecord[] };

function combineAnswers(
  hostname: string,
  answers: readonly Answer[],
  policy: AddressPolicy,
  isSilent: boolean,
): [Resolved, number] {
  const records = answers.flatMap((answer) => answer.records);
  for (const { address } of records) {
    const verdict = checkAddress(address, policy);
    if (!verdict.allowed) {
      const error = attemptError("blocked_address", `${hostname} leads to ${verdict.reason}`);
      return [{ ok: false, error }, TTL_MS_MIN];
    }
  }
  if (records.length === 0) return [{ ok: false, error: failureOf(answers, isSilent) }, FAILURE_TTL_MS];
  const ttlMs = Math.min(...records.map((record) => record.ttlS)) * 1_000;
  const addresses = records.slice(0, ADDRESSES_MAX).map((record) => record.address);
  return [{ ok: true, addresses }, Math.min(Math.max(ttlMs, TTL_MS_MIN), TTL_MS_MAX)];
}

/** `dns_not_found` only when every name server answered. */
function failureOf(answers: readonly Answer[], isSilent: boolean): AttemptError {
  // Nothing listens there, or no socket was left: c-ares reports both the same way.
  if (isSilent || answers.some(({ error }) => error?.code === "ECONNREFUSED")) {
    return attemptError("name_servers_unreachable");
  }
  for (const { error } of answers) {
    if (error !== null && attemptErrorFrom(error).code !== "dns_not_found") {
      return attemptError("dns_failed", error.code);
    }
  }
  return attemptError("dns_not_found");
}

function localhost(policy: AddressPolicy): Resolved {
  const addresses = ["127.0.0.1", "::1"].filter((address) => checkAddress(address, policy).allowed);
  if (addresses.length > 0) return { ok: true, addresses };
  return { ok: false, error: attemptError("blocked_address", "localhost is this machine") };
}
