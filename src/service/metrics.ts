/** What Prometheus reads from `/metrics`. A delivery costs one addition; a scrape counts the rest. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import { INVARIANTS, type Invariant } from "../engine/invariants.ts";
import type { EngineGauges } from "../engine/start.ts";
import type { Outcome } from "../model/delivery.ts";
import type { Clock } from "../runtime/clock.ts";

export type Metrics = {
  readonly registry: Registry;
  /** Counts an attempt that ended. */
  readonly onAttempt: (product: string, outcome: Outcome) => void;
  /** The same engine; counts and times what it raises. */
  instrument<E extends Engine>(engine: E): E;
  exposeGauges(gauges: () => EngineGauges & { readonly connections: number }): void;
};

/** `error`: no whole answer. */
type ResultClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | "error";

const RAISE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const GAUGES: readonly (readonly [name: string, key: keyof EngineGauges | "connections", help: string])[] = [
  ["boathook_in_flight_deliveries", "inFlight", "Deliveries in this node's memory."],
  ["boathook_in_flight_bytes", "inFlightBytes", "Bytes of their bodies."],
  ["boathook_open_requests", "open", "Open attempts."],
  [
    "boathook_endpoint_queues",
    "endpointQueues",
    "Endpoints that this node holds deliveries for or has lately sent to.",
  ],
  ["boathook_degraded_endpoint_queues", "degradedQueues", "Those of them that fail or stall."],
  ["boathook_connections", "connections", "Connections to receivers, open or being opened."],
];

export function createMetrics(version: string, clock: Clock): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "boathook_info",
    help: "This build.",
    labelNames: ["version"],
    aggregator: "first",
    registers: [registry],
  }).set({ version }, 1);
  const events = new Counter({
    name: "boathook_events_total",
    help: "Events raised: accepted, and refused as duplicates by their key.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const raising = new Histogram({
    name: "boathook_raise_seconds",
    help: "From a call that raises events to its commit.",
    buckets: RAISE_SECONDS,
    registers: [registry],
  });

  return {
    registry,
    onAttempt: countAttempts(registry),
    instrument(engine) {
      const timed = async <
        R extends { readonly accepted: number; readonly duplicates: number } | object | null,
      >(
        raise: () => Promise<R>,
      ): Promise<R> => {
        const startedMs = clock.monotonicMs();
        const raised = await raise();
        if (raised === null || !("accepted" in raised)) return raised;
        raising.observe((clock.monotonicMs() - startedMs) / 1000);
        events.inc({ outcome: "accepted" }, raised.accepted);
        events.inc({ outcome: "duplicate" }, raised.duplicates);
        return raised;
      };
      return {
        ...engine,
        raise: (sent) => timed(() => engine.raise(sent)),
        raiseWithin: (cell, change) => timed(() => engine.raiseWithin(cell, change)),
      };
    },
    exposeGauges(gauges) {
      for (const [name, key, help] of GAUGES) {
        new Gauge({
          name,
          help,
          registers: [registry],
          collect() {
            this.set(gauges()[key]);
          },
        });
      }
    },
  };
}

/** Plain numbers, which become a metric at a scrape: a labelled counter would hash its labels each time. */
function countAttempts(registry: Registry): Metrics["onAttempt"] {
  const counts = new Map<string, Record<ResultClass, number>>();
  new Counter({
    name: "boathook_attempts_total",
    help: "Attempts ended, by product and class of result.",
    labelNames: ["product", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [product, results] of counts) {
        for (const [result, count] of Object.entries(results)) this.inc({ product, result }, count);
      }
    },
  });
  return (product, outcome) => {
    let results = counts.get(product);
    if (results === undefined) {
      results = { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, error: 0 };
      counts.set(product, results);
    }
    results[resultClass(outcome)] += 1;
  };
}

function resultClass(outcome: Outcome): ResultClass {
  if (outcome.kind === "failed") return "error";
  const { statusCode } = outcome;
  if (statusCode < 200) return "1xx";
  if (statusCode < 300) return "2xx";
  if (statusCode < 400) return "3xx";
  return statusCode < 500 ? "4xx" : "5xx";
}

export function exposeInvariantMetrics(
  registry: Registry,
  broken: () => ReadonlyMap<Invariant, number>,
): void {
  new Counter({
    name: "boathook_broken_invariants_total",
    help: "Checks of the engine on itself that failed. Anything but 0 is a bug to report.",
    labelNames: ["invariant"],
    registers: [registry],
    collect() {
      this.reset();
      for (const invariant of INVARIANTS) this.inc({ invariant }, broken().get(invariant) ?? 0);
    },
  });
}
