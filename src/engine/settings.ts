import type { RetryPolicy } from "../model/delivery.ts";
import { DAY_MS, SECOND_MS } from "../runtime/durations.ts";
import type { Setting } from "../runtime/setting.ts";
import { SETTINGS } from "../runtime/settings.ts";

/** What an operator or a test can set in the engine. */
export type EngineSettings = {
  readonly retry: RetryPolicy;
  /** One attempt in all: DNS, connection, request and answer (spec 8: timeout). */
  readonly attemptTimeoutMs: number;
  readonly sweepIntervalMs: number;

  /** A node without a heartbeat for this long is replaced (design 4, guarantee 6). */
  readonly leaseMs: number;
  readonly heartbeatIntervalMs: number;

  /** Open requests to healthy endpoints. */
  readonly openMax: number;
  /** Open requests to all degraded endpoints together. */
  readonly degradedOpenMax: number;
  readonly openPerEndpointMax: number;
  /** A request open for this long degrades its endpoint. */
  readonly stallMs: number;

  /** The memory budget: deliveries in flight, and the bytes of their bodies. */
  readonly memoryDeliveriesMax: number;
  readonly memoryBytesMax: number;
  /** How long raising waits for free capacity before it uses the queue table. */
  readonly capacityWaitMsMax: number;

  readonly raiseBatchMax: number;
  /** Events that may wait for a commit, and the bytes of their data; more are refused. */
  readonly raiseWaitingEventsMax: number;
  readonly raiseWaitingBytesMax: number;
  readonly settleBatchMax: number;
  /** How long results gather before they are written. */
  readonly settleDelayMs: number;
  readonly claimBatchMax: number;

  /** Accounts whose routes are in memory, and endpoint queues. */
  readonly routesMax: number;
  readonly endpointQueuesMax: number;

  readonly historyMs: number;
  readonly parkedMs: number;
  readonly drainMs: number;
};

/** The defaults (spec 8, design 4); an operator's settings have their home in `runtime/settings.ts`. */
export const DEFAULT_ENGINE_SETTINGS: EngineSettings = {
  retry: {
    attemptsMax: defaultOf(SETTINGS.attemptsMax),
    waitsMs: defaultOf(SETTINGS.retryWaitsMs),
    disableAfterFailures: defaultOf(SETTINGS.disableAfterFailures),
  },
  attemptTimeoutMs: defaultOf(SETTINGS.attemptTimeoutMs),
  sweepIntervalMs: defaultOf(SETTINGS.sweepIntervalMs),
  leaseMs: 30 * SECOND_MS,
  heartbeatIntervalMs: 5 * SECOND_MS,
  openMax: defaultOf(SETTINGS.openMax),
  degradedOpenMax: 128,
  openPerEndpointMax: defaultOf(SETTINGS.openPerEndpointMax),
  stallMs: SECOND_MS,
  memoryDeliveriesMax: defaultOf(SETTINGS.memoryDeliveriesMax),
  memoryBytesMax: 64 * 1024 * 1024,
  capacityWaitMsMax: 250,
  raiseBatchMax: 1_000,
  raiseWaitingEventsMax: 20_000,
  raiseWaitingBytesMax: 64 * 1024 * 1024,
  settleBatchMax: 1_000,
  settleDelayMs: 20,
  claimBatchMax: 500,
  routesMax: 50_000,
  endpointQueuesMax: 50_000,
  historyMs: defaultOf(SETTINGS.historyDays) * DAY_MS,
  parkedMs: defaultOf(SETTINGS.parkedMs),
  drainMs: defaultOf(SETTINGS.drainMs),
};

function defaultOf<T>({ name, kind, default: text }: Setting<T, string>): T {
  const reading = kind.read(text);
  if ("value" in reading) return reading.value;
  throw new Error(`the default of ${name} is not valid`);
}
