/** What Prometheus reads from `/metrics`. A delivery costs one addition; a scrape counts the rest. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import { LOCAL_FAULTS } from "../engine/send/errors.ts";
import { INVARIANTS, type Invariant } from "../engine/invariants.ts";
import type { EngineGauges } from "../engine/start.ts";
import type { Clock } from "../runtime/clock.ts";
import { countAttempts, type OnAttempt } from "./attempt-metrics.ts";

export type Metrics = {
  readonly registry: Registry;
  /** What the engine calls. */
  readonly counts: {
    /** Counts an attempt that ended. */
    readonly onAttempt: OnAttempt;
    /** Counts an attempt that this service could not make. */
    readonly onPostponed: (reason: string) => void;
    /** Counts an endpoint that failures have disabled. */
    readonly onDisabled: (product: string) => void;
    /** Counts an event that no endpoint gets. */
    readonly onUnheard: (product: string) => void;
    /** Counts a delivery that died while it was parked. */
    readonly onExpired: (product: string) => void;
  };
  /** The same engine; counts and times what it raises. */
  instrument<E extends Engine>(engine: E): E;
  exposeGauges(gauges: () => EngineGauges & { readonly connections: number }): void;
};

/** Between two samples; a delay reads up to so much longer. The usual 10 ms wake a service at rest a hundred times a second. */
const LOOP_SAMPLE_MS = 100;
const LOOP_DELAYS = ["nodejs_eventloop_lag_p50_seconds", "nodejs_eventloop_lag_p99_seconds"];

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

/** `products`: their tags. */
export function createMetrics(
  info: Readonly<Record<string, string>>,
  clock: Clock,
  products: readonly string[] = [],
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  // Of several workers the worst: an average would hide one that hangs.
  for (const name of LOOP_DELAYS) Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: "max" });
  new Gauge({
    name: "boathook_info",
    help: "This build, and where it runs.",
    labelNames: Object.keys(info),
    aggregator: "first",
    registers: [registry],
  }).set(info, 1);
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
    counts: countsOf(registry, products),
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

function countsOf(registry: Registry, products: readonly string[]): Metrics["counts"] {
  return {
    onAttempt: countAttempts(registry, products),
    onPostponed: countBy(
      registry,
      ["reason", LOCAL_FAULTS],
      "boathook_attempts_postponed_total",
      "Attempts that this service could not make, for its own fault; they are made later.",
    ),
    onDisabled: countBy(
      registry,
      ["product", products],
      "boathook_endpoints_disabled_total",
      "Endpoints that consecutive failures have disabled.",
    ),
    onUnheard: countBy(
      registry,
      ["product", products],
      "boathook_unheard_events_total",
      "Events raised that no active endpoint subscribes to.",
    ),
    onExpired: countBy(
      registry,
      ["product", products],
      "boathook_deliveries_expired_total",
      "Deliveries that died while they were parked behind an inactive endpoint.",
    ),
  };
}

/** All values from the start: an increase needs a value to begin at. */
function countBy(
  registry: Registry,
  [label, values]: readonly [string, Iterable<string>],
  name: string,
  help: string,
): (value: string) => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value) => counter.inc({ [label]: value });
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
