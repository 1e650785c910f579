/** What the primary and its workers ask each other. */
import type { ExitStatus } from "../../cli/context.ts";

export const WORKER_QUESTIONS = {
  /** Worker to primary: it serves, at these addresses. */
  started: "started",
  /** Worker to primary: it cannot start, and ends. */
  failed: "failed",
  /** Worker to primary: of the whole service. */
  readiness: "readiness",
  metrics: "metrics",
  history: "history",
  /** Primary to worker. */
  alive: "alive",
  reasons: "reasons",
  ownMetrics: "ownMetrics",
  stop: "stop",
  /** Both ways: requests that count for the limits of all. */
  uses: "uses",
} as const;

export type Addresses = { readonly publicUrl: string | null; readonly opsUrl: string };

/** One worker counts the queue, which is the same for all. */
export type MetricsQuestion = { readonly isCounting: boolean };

export type StartFailure = { readonly message: string; readonly status: ExitStatus };
