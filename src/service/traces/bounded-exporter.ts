/** Ends every export in time, whatever the collector does, and counts what becomes of spans. */
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { Counter, type Registry } from "prom-client";

import { MINUTE_MS } from "../../runtime/durations.ts";
import type { TracePorts } from "./ports.ts";

type BoundedExporter = SpanExporter & {
  /** A span has ended, and will be given to `export`. */
  ended(): void;
  /** False, and a span less: too many have ended and are neither exported nor lost. */
  admits(): boolean;
  /** Ends the exports that are open. */
  abandon(): void;
};

type ExportBounds = { readonly waitingMax: number; readonly exportMsMax: number };

const LOG_INTERVAL_MS = MINUTE_MS;
/** UTF-16 code units of what a collector says is wrong. */
const CAUSE_LENGTH_MAX = 200;

/** `disconnect` cuts the connections of an export that is late. */
export function boundedExporter(
  inner: SpanExporter,
  { waitingMax, exportMsMax }: ExportBounds,
  disconnect: () => void,
  ports: TracePorts,
): BoundedExporter {
  const counts = countSpans(ports);
  const open = new Set<(result: ExportResult) => void>();
  let waiting = 0;
  return {
    ended: () => void (waiting += 1),
    admits() {
      const isFree = waiting < waitingMax;
      if (!isFree) counts.lost(1, "too many spans wait");
      return isFree;
    },
    export(spans, done) {
      const end = (result: ExportResult): void => {
        if (!open.delete(end)) return;
        cancel();
        waiting -= spans.length;
        if (result.code === ExportResultCode.SUCCESS) counts.exported(spans.length);
        else counts.lost(spans.length, result.error?.message ?? "no answer in time");
        done(result);
      };
      open.add(end);
      const cancel = ports.clock.after(exportMsMax, () => {
        disconnect();
        end({ code: ExportResultCode.FAILED });
      });
      inner.export(spans, end);
    },
    abandon() {
      for (const end of open) end({ code: ExportResultCode.FAILED });
    },
    shutdown: () => inner.shutdown(),
  };
}

function countSpans({ clock, log, registry }: TracePorts) {
  const counter = spansCounter(registry);
  let unlogged = 0;
  let loggedMs = Number.NEGATIVE_INFINITY;
  return {
    exported: (count: number): void => counter.inc({ outcome: "exported" }, count),
    lost(count: number, cause: string): void {
      counter.inc({ outcome: "lost" }, count);
      unlogged += count;
      const nowMs = clock.monotonicMs();
      if (nowMs - loggedMs < LOG_INTERVAL_MS) return;
      const fields = { spans: unlogged, cause: cause.slice(0, CAUSE_LENGTH_MAX) };
      log.warn(fields, "the collector of traces does not take all spans");
      unlogged = 0;
      loggedMs = nowMs;
    },
  };
}

function spansCounter(registry: Registry): Counter<"outcome"> {
  const counter = new Counter({
    name: "boathook_spans_total",
    help: "Spans of traces: exported, and lost because the collector failed or was too slow.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["exported", "lost"]) counter.inc({ outcome }, 0);
  return counter;
}
