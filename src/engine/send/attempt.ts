/**
 * Sends one request and reports how it ended (docs/decisions/sending.md): exactly one outcome, within the
 * attempt's time-out, DNS, connection and body included. All attempts have the same time-out, so the order
 * of their start is the order of their deadlines, and one timer serves them all.
 */
import type { SecureContext } from "node:tls";

import { isSuccess, type Peer, type SendDone, type SendResult } from "../../model/delivery.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { DnsLookup } from "../../runtime/dns-lookup.ts";
import { TransientSet } from "../../runtime/transient.ts";
import type { AddressPolicy } from "./address.ts";
import { createConnect, createTlsContext } from "./connect.ts";
import { fail, type Exchange, type ExchangeOwner } from "./connection.ts";
import { attemptError, type AttemptErrorCode } from "./errors.ts";
import { createLru, type Lru } from "./lru.ts";
import { createOrigins, type OriginBounds, type Origins } from "./origins.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { constantHead, requestHead } from "./request-head.ts";
import { createResolver } from "./resolve.ts";
import { checkTargetUrl, type TargetUrlVerdict } from "./target-url.ts";

export type SendRequest = {
  readonly url: string;
  /** Names and values in turn. `host`, `connection` and `content-length` are added. */
  readonly headers: string[];
  readonly body: string | Buffer;
};

export type Sender = ReturnType<typeof createSender>;

export type SenderOptions = Partial<OriginBounds> & {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly dnsLookup: DnsLookup;
  /** Certificate authorities besides the usual ones, PEM. */
  readonly extraCa?: readonly string[];
  /** Replaces the context made from `extraCa`. */
  readonly secureContext?: SecureContext;
  /** An attempt's time in all, milliseconds (spec 8: timeout). */
  readonly timeoutMs: number;
};

type State = {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly timeoutMs: number;
  readonly origins: Origins;
  readonly targets: Lru<Target>;
  /** In the order of their deadlines. */
  readonly open: TransientSet<Exchange>;
  readonly ended: Outbox<Exchange>;
  readonly refused: Outbox<RefusedSend>;
  cancelTimer: Cancel | null;
  isClosed: boolean;
};

/** A target that may be delivered to, and what requests to it begin with. */
type Target = TargetUrlVerdict & { readonly ok: true; readonly head: string };

type RefusedSend = { readonly done: SendDone; readonly outcome: SendResult };

const CONNECTIONS_PER_ORIGIN_MAX = 16;
const CONNECTIONS_MAX = 4_000;

/** URLs whose verdict is cached. */
const URLS_MAX = 20_000;

export function createSender(options: SenderOptions) {
  const { clock, policy, timeoutMs } = options;
  let made = options.secureContext;
  const secureContext = () => (made ??= createTlsContext(options.extraCa));
  const connect = createConnect({
    clock,
    policy,
    resolver: createResolver({ dnsLookup: options.dnsLookup, clock, policy }),
    secureContext,
    timeoutMs,
  });
  const origins = createOrigins(clock, connect, {
    connectionsPerOriginMax: options.connectionsPerOriginMax ?? CONNECTIONS_PER_ORIGIN_MAX,
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
  });
  const state: State = {
    clock,
    policy,
    timeoutMs,
    origins,
    targets: createLru(URLS_MAX),
    open: new TransientSet(),
    ended: createOutbox(queueMicrotask, (exchange) => {
      origins.release(exchange);
      exchange.done(exchange.outcome!, exchange.peer);
    }),
    refused: createOutbox(queueMicrotask, ({ done, outcome }) => done(outcome)),
    cancelTimer: null,
    isClosed: false,
  };
  const owner: ExchangeOwner = {
    ended(exchange) {
      state.open.delete(exchange);
      // Now: its origin may be gone when it is released.
      exchange.peer = peerOf(origins, exchange);
      state.ended.put(exchange);
    },
    connectionLost: origins.beginOnFresh,
  };
  return {
    /** Makes what the first attempt would wait for: it reads a few hundred certificates. */
    prepare: () => void secureContext(),
    /**
     * POSTs the body. Calls `done` once, never before `send` returns: with `answered` when the final status has
     * come and its answer ended (or announced to be long), with `unsent` when this service had no socket or
     * no name server, with `failed` otherwise. `done` must not throw.
     */
    send(request: SendRequest, done: SendDone): void {
      if (state.isClosed) return refuse(state, done, "sender_closed");
      const target = targetOf(state, request.url);
      if (!target.ok) {
        return refuse(state, done, target.blocked ? "blocked_address" : "invalid_url", target.reason);
      }
      if (target.localName !== null) return refuse(state, done, "blocked_address", target.localName);
      const { headers, body } = request;
      const head = requestHead(target.head, headers, Buffer.byteLength(body));
      if (head === null) return refuse(state, done, "transport_error", "a header that cannot be sent");
      const exchange: Exchange = {
        target,
        head,
        body,
        done,
        deadlineMs: clock.monotonicMs() + timeoutMs,
        owner,
        connection: null,
        outcome: null,
        peer: undefined,
        isClean: false,
        isRetry: false,
      };
      state.open.add(exchange);
      if (state.cancelTimer === null) state.cancelTimer = clock.after(timeoutMs, () => expire(state));
      origins.begin(exchange);
    },
    /**
     * Ends open attempts with `sender_closed` and closes every connection. Resolves when every `done` has been
     * called.
     */
    close: (): Promise<void> => close(state),
    /** Connections open or opening. */
    connectionCount: origins.connectionCount,
  };
}

/** Nobody reads that of a success. */
function peerOf(origins: Origins, exchange: Exchange): Peer | undefined {
  const { outcome, connection } = exchange;
  if (outcome?.kind === "answered" && isSuccess(outcome)) return undefined;
  return { address: origins.addressOf(exchange), answerBytes: connection?.answer.bodyBytes ?? 0 };
}

function targetOf(
  { targets, policy }: State,
  url: string,
): Target | (TargetUrlVerdict & { readonly ok: false }) {
  const known = targets.get(url);
  if (known !== undefined) return known;
  const verdict = checkTargetUrl(url, policy);
  // A refused address may be allowed when this machine has lost it; `connect.ts` checks an allowed one again.
  if (!verdict.ok) return verdict;
  const target = { ...verdict, head: constantHead(verdict) };
  targets.set(url, target);
  return target;
}

function refuse({ refused }: State, done: SendDone, code: AttemptErrorCode, detail?: string): void {
  refused.put({ done, outcome: { kind: "failed", error: attemptError(code, detail), statusCode: null } });
}

/** Fails the attempts whose deadline has passed, and sets the timer for the next one. */
function expire(state: State): void {
  const { clock } = state;
  state.cancelTimer = null;
  for (const exchange of state.open) {
    const leftMs = exchange.deadlineMs - clock.monotonicMs();
    if (leftMs > 0) {
      state.cancelTimer = clock.after(leftMs, () => expire(state));
      return;
    }
    fail(exchange, attemptError("timeout"));
  }
}

async function close(state: State): Promise<void> {
  state.isClosed = true;
  state.cancelTimer?.();
  for (const exchange of state.open) fail(exchange, attemptError("sender_closed"));
  state.origins.close();
  // After the microtask that calls every `done`.
  await new Promise<void>((resolve) => setImmediate(resolve));
}
