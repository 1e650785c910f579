/**
 * TLS sessions of all origins: a connection to a known receiver needs no full handshake. A resumed handshake does
 * not verify the certificate, so the age of a session counts from the full handshake.
 */
import { HOUR_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { createLru } from "./lru.ts";

export type TlsSessions = {
  /** The session to offer to the origin. */
  get(origin: string): TlsSession | undefined;
  set(origin: string, session: TlsSession): void;
  /** Drops a session after a failed connection. */
  delete(origin: string): void;
};

/** `verifiedMs`: when a full handshake last verified the certificate, on the monotonic clock. */
export type TlsSession = { readonly ticket: Buffer; readonly verifiedMs: number };

/** About 2 KB each. */
const SESSIONS_MAX = 10_000;

/** The longest time between two verifications of a certificate: it may expire or be revoked. */
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
