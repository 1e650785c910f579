/**
 * Turns a host name into checked addresses. Names are looked up at the name servers (`/etc/hosts` and the
 * search list of `resolv.conf` are for this machine's own errands and are not asked), A and AAAA side by
 * side; one refused answer refuses the name, since a name that leads inside as well as outside is an attack
 * or a mistake.
 *
 *      resolve ─▶ remembered ──────────────────────────────▶ done
 *         │
 *         └─▶ look-up under way (shared) ─▶ check all ─▶ remember ─▶ done, to everybody who waits
 */
import type { AttemptError } from "../../model/delivery.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { DnsLookup, DnsRecord } from "../../runtime/dns-lookup.ts";
import { checkAddress, type AddressPolicy } from "./address.ts";
import { attemptError, attemptErrorFrom } from "./errors.ts";
import { createLru } from "./lru.ts";
import { isLocalhost } from "./local-names.ts";

export type Resolved =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly error: AttemptError };

export type Resolver = {
  /** Calls `done` once, at once when the answer is remembered. */
  resolve(hostname: string, done: (resolved: Resolved) => void): void;
};

export type ResolverOptions = {
  readonly dnsLookup: DnsLookup;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  /** The longest wait for the name servers, milliseconds. */
  readonly dnsTimeoutMs?: number;
  /** Names remembered at most. */
  readonly namesMax?: number;
};

const DNS_TIMEOUT_MS = 5_000;
const NAMES_MAX = 20_000;
/** A name server's time to live is kept to between these, milliseconds. */
const TTL_MS_MIN = 5_000;
const TTL_MS_MAX = 300_000;
/**
 * How long a failure is remembered, milliseconds: long enough to spare the servers, too short to miss a
 * repair.
 */
const FAILURE_TTL_MS = 2_000;
/** Addresses kept of one name; all are checked. */
const ADDRESSES_MAX = 8;

type CachedName = { readonly resolved: Resolved; readonly untilMs: number };

export function createResolver(options: ResolverOptions): Resolver {
  const { clock, policy } = options;
  const known = createLru<CachedName>(options.namesMax ?? NAMES_MAX);
  const waiting = new Map<string, ((resolved: Resolved) => void)[]>();

  function settle(hostname: string, resolved: Resolved, ttlMs: number): void {
    known.set(hostname, { resolved, untilMs: clock.monotonicMs() + ttlMs });
    const waiters = waiting.get(hostname) ?? [];
    waiting.delete(hostname);
    for (const done of waiters) done(resolved);
  }

  function lookUp(hostname: string): void {
    const answers: Answer[] = [];
    let over = false;
    const end = (resolved: Resolved, ttlMs: number): void => {
      if (over) return;
      over = true;
      cancel();
      settle(hostname, resolved, ttlMs);
    };
    const cancel = clock.after(options.dnsTimeoutMs ?? DNS_TIMEOUT_MS, () => {
      end({ ok: false, error: attemptError("dns_failed", "time-out") }, FAILURE_TTL_MS);
    });
    for (const family of [4, 6] as const) {
      options.dnsLookup(hostname, family, (error, records) => {
        answers.push({ error, records });
        if (answers.length === 2) end(...combineAnswers(hostname, answers, policy));
      });
    }
  }

  return {
    resolve(hostname, done) {
      if (isLocalhost(hostname)) return done(localhost(policy));
      const entry = known.get(hostname);
      if (entry !== undefined && clock.monotonicMs() < entry.untilMs) return done(entry.resolved);
      const waiters = waiting.get(hostname);
      if (waiters !== undefined) {
        waiters.push(done);
        return;
      }
      waiting.set(hostname, [done]);
      lookUp(hostname);
    },
  };
}

type Answer = { readonly error: NodeJS.ErrnoException | null; readonly records: readonly DnsRecord[] };

function combineAnswers(
  hostname: string,
  answers: readonly Answer[],
  policy: AddressPolicy,
): [Resolved, number] {
  const records = answers.flatMap((answer) => answer.records);
  for (const { address } of records) {
    const verdict = checkAddress(address, policy);
    if (!verdict.allowed) {
      const error = attemptError("blocked_address", `${hostname} leads to ${verdict.reason}`);
      return [{ ok: false, error }, TTL_MS_MIN];
    }
  }
  if (records.length === 0) return [{ ok: false, error: failureOf(answers) }, FAILURE_TTL_MS];
  const ttlMs = Math.min(...records.map((record) => record.ttlS)) * 1_000;
  const addresses = records.slice(0, ADDRESSES_MAX).map((record) => record.address);
  return [{ ok: true, addresses }, Math.min(Math.max(ttlMs, TTL_MS_MIN), TTL_MS_MAX)];
}

/** "No such name" only when nobody failed to answer. */
function failureOf(answers: readonly Answer[]): AttemptError {
  // Nobody listens there, or there was no socket left to ask with: c-ares says the same of both.
  if (answers.some(({ error }) => error?.code === "ECONNREFUSED")) {
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
