/**
 * TLS sessions of all origins, so that a connection to a receiver visited before costs no full handshake. A
 * resumed handshake does not look at the certificate again, so a session counts from the handshake that
 * did.
 */
import { HOUR_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { createLru } from "./lru.ts";

export type TlsSessions = {
  /** The session to offer to this origin, if there is one. */
  get(origin: string): TlsSession | undefined;
  set(origin: string, session: TlsSession): void;
  /** Forgets what the origin did not take well. */
  delete(origin: string): void;
};

/** `verifiedMs`: when a full handshake last verified the certificate, on the monotonic clock. */
export type TlsSession = { readonly ticket: Buffer; readonly verifiedMs: number };

/** About 2 KB each. */
const SESSIONS_MAX = 10_000;

/** The longest that a certificate goes unexamined: one that was revoked or has expired is noticed by then. */
const SESSION_AGE_MS_MAX = HOUR_MS;

export function createTlsSessions(clock: Clock, sessionsMax: number = SESSIONS_MAX): TlsSessions {
  const sessions = createLru<TlsSession>(sessionsMax);
  return {
    get(origin) {
      const session = sessions.get(origin);
      if (session === undefined || clock.monotonicMs() - session.verifiedMs < SESSION_AGE_MS_MAX)
        return session;
      sessions.delete(origin);
      return undefined;
    },
    set: sessions.set,
    delete: sessions.delete,
  };
}
