/**
 * Opens one TLS connection to a checked address of a target. The name is resolved here, every address is
 * judged once more right before its socket opens, and the socket gets the address itself: nothing looks the
 * name up again.
 *
 *      resolve ─▶ address 1 ─▶ TCP ─▶ TLS, verified ─▶ connected
 *         │           └─ refused, or slow: the next address, until none is left ─▶ failed
 *         └─ no such name, or one that leads inside ─▶ failed
 */
import {
  createSecureContext,
  connect as connectTls,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";

import type { AttemptError } from "../../model/delivery.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { checkAddress, type AddressPolicy } from "./address.ts";
import { attemptError, attemptErrorFrom } from "./errors.ts";
import type { Resolver } from "./resolve.ts";
import type { TargetUrl } from "./target-url.ts";
import { createTlsSessions, type TlsSession } from "./tls-sessions.ts";

export type Connected =
  | { readonly ok: true; readonly socket: TLSSocket }
  | { readonly ok: false; readonly error: AttemptError };

/** Calls `ended` once, unless cancelled first; possibly before it returns. */
export type Connect = (target: TargetUrl, ended: (connected: Connected) => void) => Cancel;

export type ConnectOptions = {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly resolver: Resolver;
  readonly secureContext: SecureContext;
  /** The longest from the look-up's end to a verified connection, milliseconds. */
  readonly timeoutMs: number;
};

/** How long an address may hold up the ones behind it, milliseconds. */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * One context for all connections: making one reads a few hundred certificates.
 * @param extraCa authorities besides the machine's and Node's own, PEM (`BOATHOOK_EXTRA_CA_FILE`)
 */
export function createTlsContext(extraCa: readonly string[] = []): SecureContext {
  const roots = new Set([...getCACertificates("default"), ...getCACertificates("system"), ...extraCa]);
  return createSecureContext({ ca: [...roots], minVersion: "TLSv1.2" });
}

export function createConnect(options: ConnectOptions): Connect {
  const { clock, policy, resolver, secureContext, timeoutMs } = options;
  const sessions = createTlsSessions(clock);

  function open(target: TargetUrl, address: string, session: TlsSession | undefined): TLSSocket {
    const socket = connectTls({
      host: address,
      port: target.port,
      secureContext,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      // The server name is a name by definition (RFC 6066 3); the certificate of an address is held against
      // `host`.
      ...(target.isAddress ? {} : { servername: target.hostname }),
      ...(session === undefined ? {} : { session: session.ticket }),
    });
    socket.setNoDelay(true);
    keepSessions(socket, target.origin, session);
    return socket;
  }

  /** TLS 1.3 hands out tickets whenever it likes after the handshake, TLS 1.2 before the end of it. */
  function keepSessions(socket: TLSSocket, origin: string, offered: TlsSession | undefined): void {
    let early: Buffer | null = null;
    let verifiedMs = 0;
    socket.on("session", (ticket: Buffer) => {
      if (socket.authorized) sessions.set(origin, { ticket, verifiedMs });
      else early = ticket;
    });
    socket.once("secureConnect", () => {
      const isResumed = offered !== undefined && socket.isSessionReused();
      verifiedMs = isResumed ? offered.verifiedMs : clock.monotonicMs();
      if (early !== null) sessions.set(origin, { ticket: early, verifiedMs });
    });
  }

  return (target, ended) => {
    let over = false;
    let socket: TLSSocket | null = null;
    let cancelTimer: Cancel | null = null;

    function end(connected: Connected): void {
      if (over) return;
      over = true;
      cancelTimer?.();
      if (!connected.ok) socket?.destroy();
      ended(connected);
    }

    function tryAddress(addresses: readonly string[], index: number, untilMs: number): void {
      const address = addresses[index]!;
      const verdict = checkAddress(address, policy);
      if (!verdict.allowed) return end({ ok: false, error: attemptError("blocked_address", verdict.reason) });
      const session = sessions.get(target.origin);
      const current = open(target, address, session);
      socket = current;
      const isLast = index === addresses.length - 1;
      let isPast = false;
      let hasTcp = false;

      function fail(error: AttemptError, mayHop: boolean): void {
        if (isPast || over) return;
        isPast = true;
        cancelTimer?.();
        // Whatever was wrong, a session that came before it is not offered again.
        if (session !== undefined) sessions.delete(target.origin);
        current.destroy();
        if (isLast || !mayHop) end({ ok: false, error });
        else tryAddress(addresses, index + 1, untilMs);
      }

      const leftMs = Math.max(0, untilMs - clock.monotonicMs());
      cancelTimer = clock.after(isLast ? leftMs : Math.min(leftMs, ADDRESS_TIMEOUT_MS), () =>
        fail(attemptError("timeout"), true),
      );
      current.once("connect", () => (hasTcp = true));
      current.once("secureConnect", () => end({ ok: true, socket: current }));
      // Stays for the socket's life: an error that comes between two owners has a listener.
      current.on("error", (error) => fail(attemptErrorFrom(error), !hasTcp));
      current.once("close", () => fail(attemptError("connection_reset"), !hasTcp));
    }

    const start = (addresses: readonly string[]): void => {
      if (!over) tryAddress(addresses, 0, clock.monotonicMs() + timeoutMs);
    };
    if (target.isAddress) start([target.hostname]);
    else resolver.resolve(target.hostname, (found) => (found.ok ? start(found.addresses) : end(found)));

    return () => {
      over = true;
      cancelTimer?.();
      socket?.destroy();
    };
  };
}
