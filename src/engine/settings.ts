import type { RetryPolicy } from "../model/delivery.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../runtime/durations.ts";

/** All that an operator, or a test, can turn in the engine. Every bound has its unit in its name. */
export type EngineSettings = {
  readonly retry: RetryPolicy;
  /** The whole of one attempt: look-up, connection, request and answer (spec 8). */
  readonly attemptTimeoutMs: number;
  readonly sweepIntervalMs: number;

  /** A node that is not heard of for so long is replaced (design 4, guarantee 6). */
  readonly leaseMs: number;
  readonly heartbeatIntervalMs: number;

  /** Open requests to endpoints that are well. */
  readonly openMax: number;
  /** Open requests to endpoints that fail or stall, all of them together. */
  readonly degradedOpenMax: number;
  readonly openPerEndpointMax: number;
  /** A request that has been open for so long makes its endpoint suspect. */
  readonly stallMs: number;

  /** Deliveries in memory, and the bytes of their bodies. */
  readonly memoryDeliveriesMax: number;
  readonly memoryBytesMax: number;
  /** How long raising waits for room in the window before it uses the queue. */
  readonly capacityWaitMsMax: number;

  readonly raiseBatchMax: number;
  /** Events that may wait for a commit, and the bytes of their data; what comes beyond is refused. */
  readonly raiseWaitingEventsMax: number;
  readonly raiseWaitingBytesMax: number;
  readonly settleBatchMax: number;
  /** Results are gathered for so long before they are written. */
  readonly settleDelayMs: number;
  readonly claimBatchMax: number;

  /** Accounts whose routes are kept in memory, and endpoints with a lane. */
  readonly routesMax: number;
  readonly endpointQueuesMax: number;

  readonly historyMs: number;
  readonly parkedMs: number;
  readonly drainMs: number;
};

/** The defaults (spec 8, design 4). */
export const DEFAULT_ENGINE_SETTINGS: EngineSettings = {
  retry: {
    attemptsMax: 6,
    waitsMs: [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS],
    disableAfterFailures: 20,
  },
  attemptTimeoutMs: 10 * SECOND_MS,
  sweepIntervalMs: 30 * SECOND_MS,
  leaseMs: 30 * SECOND_MS,
  heartbeatIntervalMs: 5 * SECOND_MS,
  openMax: 512,
  degradedOpenMax: 128,
  openPerEndpointMax: 16,
  stallMs: SECOND_MS,
  memoryDeliveriesMax: 20_000,
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
  historyMs: 30 * DAY_MS,
  parkedMs: 3 * DAY_MS,
  drainMs: 25 * SECOND_MS,
};
