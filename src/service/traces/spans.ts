/**
 * Sends spans to the operator's collector, by OpenTelemetry's packages (docs/decisions/service-traces.md).
 *
 *     begun ─▶ ended ─▶ queue ─▶ batch ─▶ exported
 *       └─ too many wait: none     └─ refused, or too late: lost
 */
import { Agent as HttpsAgent } from "node:https";

import {
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Span,
  type SpanContext,
  type SpanOptions,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from "@opentelemetry/semantic-conventions";

import packageJson from "../../../package.json" with { type: "json" };
import { HttpAgent } from "../../runtime/builtins.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { boundedExporter } from "./bounded-exporter.ts";
import type { TracePorts } from "./ports.ts";

/** Spans that wait or are in flight; beyond them, none are made. */
const WAITING_MAX = 8_192;
const BATCH_MAX = 512;
const BATCH_INTERVAL_MS = SECOND_MS;
/** For one batch, tried again if need be; and for all of them when the service stops. */
const EXPORT_MS_MAX = 3 * SECOND_MS;
const CONNECTIONS_MAX = 4;
/** UTF-16 code units of an attribute: as long as an endpoint's URL. */
const VALUE_LENGTH_MAX = 2_048;

export type Spans = ReturnType<typeof openSpans>;

/** A span's place in its trace. */
export type SpanPlace = Omit<SpanContext, "traceFlags">;

export function openSpans(endpoint: string, share: number, ports: TracePorts) {
  const { clock, random } = ports;
  const Agent = endpoint.startsWith("https:") ? HttpsAgent : HttpAgent;
  // Requests that wait for a connection would open one after the end, and keep the process alive.
  const closing = new AbortController();
  // `signal` is of the connections' own options, to which the agent's are added.
  const ofAgent = { keepAlive: true, maxSockets: CONNECTIONS_MAX, signal: closing.signal };
  const agent = new Agent(ofAgent);
  const exporter = boundedExporter(
    new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      timeoutMillis: EXPORT_MS_MAX,
      httpAgentOptions: () => agent,
    }),
    { waitingMax: WAITING_MAX, exportMsMax: EXPORT_MS_MAX },
    () => agent.destroy(),
    ports,
  );
  const ids = idsAt();
  const provider = createProvider(exporter, ids, random.uuid(clock.nowMs()));
  const tracer = provider.getTracer(packageJson.name, packageJson.version);
  const sampler = new TraceIdRatioBasedSampler(share);

  /** Null while too many wait. */
  function begin(name: string, options: SpanOptions, parent: SpanPlace | null): Span | null {
    if (!exporter.admits()) return null;
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, sampled(parent));
    return tracer.startSpan(name, options, context);
  }

  return {
    /** Every node decides the same for a trace. */
    isSampled: (traceId: string): boolean =>
      sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
    /** For what has no trace yet. */
    isChosen: (): boolean => random.fraction() < share,
    begin,
    /** As `begin`, for the first span of a trace. */
    beginAt: (place: SpanPlace, name: string, options: SpanOptions): Span | null =>
      ids.within(place, () => begin(name, options, null)),
    end(span: Span, atMs: number): void {
      exporter.ended();
      span.end(atMs);
    },
    async close(): Promise<void> {
      const flushed = provider.shutdown().catch(() => undefined);
      await waitAtMost(clock, EXPORT_MS_MAX, flushed);
      exporter.abandon();
      closing.abort();
      agent.destroy();
    },
  };
}

/** The context of a span that is recorded. */
export function sampled(place: SpanPlace): SpanContext {
  return { ...place, traceFlags: TraceFlags.SAMPLED };
}

type Ids = ReturnType<typeof idsAt>;

/** Random ids, or those of a place while a span begins there. */
function idsAt() {
  const random = new RandomIdGenerator();
  let place: SpanPlace | null = null;
  return {
    generateTraceId: (): string => place?.traceId ?? random.generateTraceId(),
    generateSpanId: (): string => place?.spanId ?? random.generateSpanId(),
    within<R>(at: SpanPlace, begin: () => R): R {
      place = at;
      try {
        return begin();
      } finally {
        place = null;
      }
    },
  };
}

function createProvider(exporter: SpanExporter, idGenerator: Ids, instance: string): TracerProvider {
  return new TracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: packageJson.name,
      [ATTR_SERVICE_VERSION]: packageJson.version,
      [ATTR_SERVICE_INSTANCE_ID]: instance,
    }),
    spanLimits: { attributeValueLengthLimit: VALUE_LENGTH_MAX },
    idGenerator,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_INTERVAL_MS,
        // Never reached: the exporter ends in time.
        exportTimeoutMillis: 2 * EXPORT_MS_MAX,
      }),
    ],
  });
}
