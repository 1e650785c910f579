import type { RetryPolicy } from "../model/delivery.ts";
import { DAY_MS, SECOND_MS } from "../runtime/durations.ts";
import type { Setting } from "../runtime/setting.ts";
import { SETTINGS } from "../runtime/settings.ts";

/** The defaults (spec 8); an operator's settings have their home in `runtime/settings.ts`. */
export const DEFAULT_ENGINE_SETTINGS = {
  retry: {
    attemptsMax: defaultOf(SETTINGS.attemptsMax),
    waitsMs: defaultOf(SETTINGS.retryWaitsMs),
    disableAfterFailures: defaultOf(SETTINGS.disableAfterFailures),
    disableAfterMs: defaultOf(SETTINGS.disableAfterMs),
  } as RetryPolicy,
  /** One attempt in all: DNS, connection, request and answer (spec 8: timeout). */
  attemptTimeoutMs: defaultOf(SETTINGS.attemptTimeoutMs),
  sweepIntervalMs: defaultOf(SETTINGS.sweepIntervalMs),

  /** A node without a heartbeat for this long is replaced (docs/architecture.md, guarantee 6). */
  leaseMs: 30 * SECOND_MS,
  heartbeatIntervalMs: 5 * SECOND_MS,

  /** Open requests to healthy endpoints. */
  openMax: defaultOf(SETTINGS.openMax),
  /** Open requests to all degraded endpoints together. */
  degradedOpenMax: degradedOpenMaxOf(defaultOf(SETTINGS.openMax)),
  openPerEndpointMax: defaultOf(SETTINGS.openPerEndpointMax),
  /** A request open for this long degrades its endpoint. */
  stallMs: SECOND_MS,

  /** The memory budget: deliveries in flight, and the bytes of their bodies. */
  memoryDeliveriesMax: defaultOf(SETTINGS.memoryDeliveriesMax),
  memoryBytesMax: 64 * 1024 * 1024,
  /** How long raising waits for free capacity before it uses the queue table. */
  capacityWaitMsMax: 250,

  raiseBatchMax: 1_000,
  /** Events that may wait for a commit, and the bytes of their data; more are refused. */
  raiseWaitingEventsMax: 20_000,
  raiseWaitingBytesMax: 64 * 1024 * 1024,
  /** So many consecutive failures of an endpoint are reported. */
  failingAfterFailures: 5,
  settleBatchMax: 1_000,
  /** How long results gather before they are written. */
  settleDelayMs: 20,
  claimBatchMax: 500,

  /** Accounts whose routes are in memory, and endpoint queues. */
  routesMax: 50_000,
  endpointQueuesMax: 50_000,

  historyMs: defaultOf(SETTINGS.historyDays) * DAY_MS,
  parkedMs: defaultOf(SETTINGS.parkedMs),
  drainMs: defaultOf(SETTINGS.drainMs),
};

/** What an operator or a test can set in the engine. */
export type EngineSettings = Readonly<typeof DEFAULT_ENGINE_SETTINGS>;

/** Degraded endpoints have a pool of their own, a quarter of the healthy one's size. */
export function degradedOpenMaxOf(openMax: number): number {
  return Math.max(1, Math.ceil(openMax / 4));
}

function defaultOf<T>({ name, kind, default: text }: Setting<T, string>): T {
  const reading = kind.read(text);
  if ("value" in reading) return reading.value;
  throw new Error(`the default of ${name} is not valid`);
}
