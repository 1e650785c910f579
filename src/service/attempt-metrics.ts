/** What attempts come to, for `/metrics`: a lookup and some additions for each. */
import type { Registry } from "prom-client";

import type { DeliveryStatus, Outcome } from "../model/delivery.ts";
import { createCounts, createHistograms, type PlainHistogram } from "./plain-metrics.ts";

/** `arrivedMs`: from the raising to the end of this attempt, null where it delivered nothing. */
export type OnAttempt = (
  product: string,
  outcome: Outcome,
  status: DeliveryStatus,
  tookMs: number,
  arrivedMs: number | null,
) => void;

/** `error`: no whole answer. */
const RESULTS = ["1xx", "2xx", "3xx", "4xx", "5xx", "error"] as const;

const OUTCOMES = ["delivered", "failed_attempt", "dead"] as const;

const OUTCOME_OF = { delivered: "delivered", pending: "failed_attempt", dead: "dead" } as const;

const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ARRIVAL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 1_800, 3_600, 21_600, 86_400];

type OfProduct = {
  readonly results: Record<(typeof RESULTS)[number], number>;
  readonly outcomes: Record<(typeof OUTCOMES)[number], number>;
  readonly attempts: PlainHistogram;
  readonly arrivals: PlainHistogram;
};

/** Outcomes of `products` from the start: an increase needs a value to begin at. */
export function countAttempts(registry: Registry, products: readonly string[] = []): OnAttempt {
  const results = createCounts(registry, RESULTS, {
    name: "boathook_attempts_total",
    help: "Attempts ended, by product and class of result.",
    labels: ["product", "result"],
  });
  const outcomes = createCounts(registry, OUTCOMES, {
    name: "boathook_deliveries_total",
    help: "What attempts made of deliveries: delivered, to be tried again, dead after the last.",
    labels: ["product", "outcome"],
  });
  for (const product of products) outcomes.of(product);
  const label = "product";
  const attempts = createHistograms(registry, {
    name: "boathook_attempt_seconds",
    help: "From the start of an attempt to its end.",
    label,
    buckets: ATTEMPT_SECONDS,
  });
  const arrivals = createHistograms(registry, {
    name: "boathook_arrival_seconds",
    help: "From the raising of an event to the end of the attempt that delivered it.",
    label,
    buckets: ARRIVAL_SECONDS,
  });
  const known = new Map<string, OfProduct>();
  return (product, outcome, status, tookMs, arrivedMs) => {
    let one = known.get(product);
    if (one === undefined) {
      const histograms = { attempts: attempts.of(product), arrivals: arrivals.of(product) };
      one = { results: results.of(product), outcomes: outcomes.of(product), ...histograms };
      known.set(product, one);
    }
    one.results[outcome.kind === "failed" ? "error" : statusClass(outcome.statusCode)] += 1;
    one.outcomes[OUTCOME_OF[status]] += 1;
    one.attempts.observe(tookMs / 1_000);
    if (arrivedMs !== null) one.arrivals.observe(arrivedMs / 1_000);
  };
}

export function statusClass(statusCode: number): "1xx" | "2xx" | "3xx" | "4xx" | "5xx" {
  if (statusCode < 200) return "1xx";
  if (statusCode < 300) return "2xx";
  if (statusCode < 400) return "3xx";
  return statusCode < 500 ? "4xx" : "5xx";
}
