/**
 * Sends one request and says how it ended (design 4, "An attempt"): exactly one outcome, within the time
 * that an attempt has in all, look-up, connection and body included. All attempts have the same time, so
 * the order of their start is the order of their deadlines, and one timer serves them all.
 */
import type { SecureContext } from "node:tls";

import type { SendResult } from "../../model/delivery.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { DnsLookup } from "../../runtime/dns-lookup.ts";
import type { AddressPolicy } from "./address.ts";
import { createConnect, createTlsContext } from "./connect.ts";
import { attemptError, type AttemptErrorCode } from "./errors.ts";
import { Exchange, type ExchangeOwner } from "./exchange.ts";
import { createLru } from "./lru.ts";
import { createOrigins, type OriginBounds } from "./origins.ts";
import { createResolver } from "./resolve.ts";
import { checkTargetUrl, type TargetUrlVerdict } from "./target-url.ts";

export type SendRequest = {
  readonly url: string;
  /** Names and values in turn. `host`, `connection` and `content-length` are added. */
  readonly headers: string[];
  readonly body: string | Buffer;
};

export type Sender = {
  /**
   * POSTs the body. `done` is called once, never before `send` returns, with `answered` when the final
   * status has come and its answer ended (or said that it would be long), with `unsent` when this service
   * had no socket for it or could not ask for the name, with `failed` otherwise. It must not throw.
   */
  send(request: SendRequest, done: (result: SendResult) => void): void;
  /**
   * Ends what is on its way with `sender_closed` and closes every connection. Resolves when all have been
   * told.
   */
  close(): Promise<void>;
  /** Connections open or being opened. */
  connectionCount(): number;
};

export type SenderOptions = Partial<OriginBounds> & {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly dnsLookup: DnsLookup;
  /** Authorities besides the usual ones, PEM. */
  readonly extraCa?: readonly string[];
  /** In place of one made from `extraCa`. */
  readonly secureContext?: SecureContext;
  /** An attempt's time in all, milliseconds. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN_MAX = 16;
const CONNECTIONS_MAX = 4_000;

/** URLs that are kept taken apart. */
const URLS_MAX = 20_000;

export function createSender(options: SenderOptions): Sender {
  const { clock, policy, timeoutMs = TIMEOUT_MS } = options;
  const connect = createConnect({
    clock,
    policy,
    resolver: createResolver({ dnsLookup: options.dnsLookup, clock, policy }),
    secureContext: options.secureContext ?? createTlsContext(options.extraCa),
    timeoutMs,
  });
  const origins = createOrigins(connect, {
    connectionsPerOriginMax: options.connectionsPerOriginMax ?? CONNECTIONS_PER_ORIGIN_MAX,
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
  });
  const verdicts = createLru<TargetUrlVerdict>(URLS_MAX);
  /** In the order of their deadlines. */
  const onTheirWay = new Set<Exchange>();
  let cancelTimer: Cancel | null = null;
  let isClosed = false;

  const ended = createOutbox((exchange: Exchange) => {
    origins.release(exchange);
    exchange.done(exchange.outcome!);
  });

  const owner: ExchangeOwner = {
    ended(exchange) {
      onTheirWay.delete(exchange);
      ended.put(exchange);
    },
    connectionLost: origins.beginOnFresh,
  };

  function verdictOf(url: string): TargetUrlVerdict {
    const known = verdicts.get(url);
    if (known !== undefined) return known;
    const verdict = checkTargetUrl(url, policy);
    verdicts.set(url, verdict);
    return verdict;
  }

  function watchDeadlines(): void {
    cancelTimer = null;
    for (const exchange of onTheirWay) {
      const leftMs = exchange.deadlineMs - clock.monotonicMs();
      if (leftMs > 0) {
        cancelTimer = clock.after(leftMs, watchDeadlines);
        return;
      }
      exchange.fail(attemptError("timeout"));
    }
  }

  const refusals = createOutbox(({ done, outcome }: RefusedSend) => done(outcome));

  function refuse(done: (result: SendResult) => void, code: AttemptErrorCode, detail?: string): void {
    refusals.put({ done, outcome: { kind: "failed", error: attemptError(code, detail), statusCode: null } });
  }

  return {
    send(request, done) {
      if (isClosed) return refuse(done, "sender_closed");
      const target = verdictOf(request.url);
      if (!target.ok) return refuse(done, target.blocked ? "blocked_address" : "invalid_url", target.reason);
      if (target.localName !== null) return refuse(done, "blocked_address", target.localName);
      const deadlineMs = clock.monotonicMs() + timeoutMs;
      const exchange = new Exchange(target, request.headers, request.body, done, deadlineMs, owner);
      onTheirWay.add(exchange);
      if (cancelTimer === null) cancelTimer = clock.after(timeoutMs, watchDeadlines);
      origins.begin(exchange);
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      for (const exchange of onTheirWay) exchange.fail(attemptError("sender_closed"));
      origins.close();
      // Behind the microtask that tells them.
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
    connectionCount: origins.connectionCount,
  };
}

type RefusedSend = { readonly done: (result: SendResult) => void; readonly outcome: SendResult };

/**
 * Hands on what is put in, in order, once the present call is over: undici's parser has left its stack by
 * then, and knows whether the receiver lets the connection be used again. One microtask serves whatever has
 * come together.
 */
function createOutbox<T>(handOn: (item: T) => void): { put(item: T): void } {
  let items: T[] = [];
  let isScheduled = false;

  function empty(): void {
    for (let i = 0; i < items.length; i++) handOn(items[i]!);
    items = [];
    isScheduled = false;
  }

  return {
    put(item) {
      items.push(item);
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(empty);
    },
  };
}
