/**
 * Opens one TLS connection to a checked address of a target. It resolves the name, checks every address again
 * right before its socket opens, and gives the socket the address itself: nothing resolves the name again.
 *
 *      resolve ─▶ address 1 ─▶ TCP ─▶ TLS, verified ─▶ connected
 *         │           └─ refused, or slow: the next address, until none is left ─▶ failed
 *         └─ unknown name, or one with a private address ─▶ failed
 */
import type { TcpNetConnectOpts } from "node:net";
import type { ConnectionOptions, SecureContext, TLSSocket } from "node:tls";

import type { AttemptError } from "../../model/delivery.ts";
import { connect as connectTls, createSecureContext, getCACertificates } from "../../runtime/builtins.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { checkAddress, type AddressPolicy } from "./address.ts";
import { attemptError, attemptErrorFrom } from "./errors.ts";
import type { Resolver } from "./resolve.ts";
import type { TargetUrl } from "./target-url.ts";
import { HOUR_MS } from "../../runtime/durations.ts";
import { createLru } from "./lru.ts";

export type Connected =
  | { readonly ok: true; readonly socket: TLSSocket; readonly reader: Reader }
  | { readonly ok: false; readonly error: AttemptError };

/** `read` gets what the socket receives, in a buffer that the next read of any socket overwrites. */
export type Reader = { read(bytes: Buffer, length: number): void };

/** Calls `ended` once, possibly before it returns, unless cancelled first, and `trying` with each address before. */
export type Connect = (
  target: TargetUrl,
  ended: (connected: Connected) => void,
  trying?: (address: string) => void,
) => Cancel;

export type ConnectOptions = {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly resolver: Resolver;
  readonly secureContext: () => SecureContext;
  /** The longest from the resolved name to a verified connection, milliseconds. */
  readonly timeoutMs: number;
};

/** How long one address may delay the next one, milliseconds. */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * One context for all connections: creating one reads a few hundred certificates.
 * @param extraCa authorities besides the machine's and Node's own, PEM (`BOATHOOK_EXTRA_CA_FILE`)
 */
export function createTlsContext(extraCa: readonly string[] = []): SecureContext {
  const roots = new Set([...getCACertificates("default"), ...getCACertificates("system"), ...extraCa]);
  return createSecureContext({ ca: [...roots], minVersion: "TLSv1.2" });
}

type Shared = ConnectOptions & { readonly sessions: TlsSessions };

/** One call of `connect`. */
type Opening = {
  readonly target: TargetUrl;
  readonly ended: (connected: Connected) => void;
  readonly trying: ((address: string) => void) | undefined;
  isOver: boolean;
  socket: TLSSocket | null;
  cancelTimer: Cancel | null;
};

/** The addresses of a target; `index` is the one to try. */
type Addresses = { readonly list: readonly string[]; readonly index: number; readonly untilMs: number };

export function createConnect(options: ConnectOptions): Connect {
  const { clock, resolver, timeoutMs } = options;
  const shared: Shared = { ...options, sessions: createTlsSessions(clock) };
  return (target, ended, trying) => {
    const opening: Opening = { target, ended, trying, isOver: false, socket: null, cancelTimer: null };
    const start = (list: readonly string[]): void => {
      if (opening.isOver) return;
      tryAddress(shared, opening, { list, index: 0, untilMs: clock.monotonicMs() + timeoutMs });
    };
    if (target.isAddress) start([target.hostname]);
    else {
      resolver.resolve(target.hostname, (found) => (found.ok ? start(found.addresses) : end(opening, found)));
    }
    return () => {
      opening.isOver = true;
      opening.cancelTimer?.();
      opening.socket?.destroy();
    };
  };
}

function tryAddress(shared: Shared, opening: Opening, addresses: Addresses): void {
  const { clock, policy, sessions } = shared;
  const { list, index, untilMs } = addresses;
  const { target } = opening;
  const address = list[index]!;
  const verdict = checkAddress(address, policy);
  if (!verdict.allowed) {
    return end(opening, { ok: false, error: attemptError("blocked_address", verdict.reason) });
  }
  opening.trying?.(address);
  const session = sessions.get(target.origin);
  const reader: Reader = { read() {} };
  const socket = openSocket(shared, { target, address, session, reader });
  opening.socket = socket;
  const isLast = index === list.length - 1;
  let hasFailed = false;
  let hasTcp = false;

  function fail(error: AttemptError, mayTryNext: boolean): void {
    if (hasFailed || opening.isOver) return;
    hasFailed = true;
    opening.cancelTimer?.();
    // Whatever the reason, do not offer the same session again.
    if (session !== undefined) sessions.delete(target.origin);
    socket.destroy();
    if (isLast || !mayTryNext) end(opening, { ok: false, error });
    else tryAddress(shared, opening, { ...addresses, index: index + 1 });
  }

  const leftMs = Math.max(0, untilMs - clock.monotonicMs());
  opening.cancelTimer = clock.after(isLast ? leftMs : Math.min(leftMs, ADDRESS_TIMEOUT_MS), () =>
    fail(attemptError("timeout"), true),
  );
  socket.once("connect", () => (hasTcp = true));
  socket.once("secureConnect", () => end(opening, { ok: true, socket, reader }));
  // Stays for the socket's life: an error between two owners has a listener.
  socket.on("error", (error) => fail(attemptErrorFrom(error), !hasTcp));
  socket.once("close", () => fail(attemptError("connection_reset"), !hasTcp));
}

function end(opening: Opening, connected: Connected): void {
  if (opening.isOver) return;
  opening.isOver = true;
  opening.cancelTimer?.();
  if (!connected.ok) opening.socket?.destroy();
  opening.ended(connected);
}

/** One for all sockets: each read is over before the next. A TLS record fits. */
const readBuffer = Buffer.allocUnsafeSlow(16 * 1024);

type SocketOptions = {
  readonly target: TargetUrl;
  readonly address: string;
  readonly session: TlsSession | undefined;
  readonly reader: Reader;
};

function openSocket(shared: Shared, { target, address, session, reader }: SocketOptions): TLSSocket {
  const options: ConnectionOptions & Pick<TcpNetConnectOpts, "onread"> = {
    host: address,
    port: target.port,
    secureContext: shared.secureContext(),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    onread: {
      buffer: readBuffer,
      callback(length) {
        reader.read(readBuffer, length);
        return true;
      },
    },
    // A server name is never an address (RFC 6066 3); Node checks an address's certificate against `host`.
    ...(target.isAddress ? {} : { servername: target.hostname }),
    ...(session === undefined ? {} : { session: session.ticket }),
  };
  const socket = connectTls(options);
  socket.setNoDelay(true);
  keepSessions(shared, socket, target.origin, session);
  return socket;
}

/** TLS 1.3 sends tickets at any time after the handshake, TLS 1.2 before its end. */
function keepSessions(
  { clock, sessions }: Shared,
  socket: TLSSocket,
  origin: string,
  offered: TlsSession | undefined,
): void {
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

/**
 * TLS sessions of all origins: a connection to a known receiver needs no full handshake. A resumed handshake does
 * not verify the certificate, so the age of a session counts from the full handshake.
 */
type TlsSessions = ReturnType<typeof createTlsSessions>;

/** `verifiedMs`: when a full handshake last verified the certificate, on the monotonic clock. */
type TlsSession = { readonly ticket: Buffer; readonly verifiedMs: number };

/** About 2 KB each. */
const SESSIONS_MAX = 10_000;

/** The longest time between two verifications of a certificate: it may expire or be revoked. */
const SESSION_AGE_MS_MAX = HOUR_MS;

function createTlsSessions(clock: Clock, sessionsMax: number = SESSIONS_MAX) {
  const sessions = createLru<TlsSession>(sessionsMax);
  return {
    /** The session to offer to the origin. */
    get(origin: string): TlsSession | undefined {
      const session = sessions.get(origin);
      if (session === undefined || clock.monotonicMs() - session.verifiedMs < SESSION_AGE_MS_MAX)
        return session;
      sessions.delete(origin);
      return undefined;
    },
    set: sessions.set,
    /** Drops a session after a failed connection. */
    delete: sessions.delete,
  };
}
