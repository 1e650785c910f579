/** Traces, if the operator asks for them: nothing of OpenTelemetry is loaded before. */
import type { Engine } from "../../engine/engine.ts";
import type { DeliveryTraces } from "../../engine/traces.ts";
import type { TraceRequests } from "../../http/request-traces.ts";
import type { CleanupStack } from "../../runtime/cleanup.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { TracePorts } from "./ports.ts";

type Traces = {
  readonly ofDeliveries?: DeliveryTraces;
  readonly ofRequests?: TraceRequests;
  /** The same engine; what a request raises belongs to the request. */
  instrument(engine: Engine): Engine;
};

const OFF: Traces = { instrument: (engine) => engine };

/** Pushes what sends the last spans, within a bound. */
export async function openTraces(
  { otlpEndpoint, otlpShare }: Pick<Settings, "otlpEndpoint" | "otlpShare">,
  ports: TracePorts,
  opened: CleanupStack,
): Promise<Traces> {
  if (otlpEndpoint === null) return OFF;
  const [{ openSpans }, { traceDeliveries }, { traceCallers }] = await Promise.all([
    import("./spans.ts"),
    import("./delivery-spans.ts"),
    import("./request-spans.ts"),
  ]);
  const spans = openSpans(otlpEndpoint, otlpShare, ports);
  opened.push(spans.close);
  const { originOf, ...ofCallers } = traceCallers(spans, ports.clock);
  return { ofDeliveries: traceDeliveries({ ...ports, spans, originOf }), ...ofCallers };
}
