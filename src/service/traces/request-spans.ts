/** The spans of requests and of what they raise, in the caller's trace if `traceparent` names one. */
import { AsyncLocalStorage } from "node:async_hooks";

import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Span,
  type SpanContext,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from "@opentelemetry/semantic-conventions";

import type { Engine } from "../../engine/engine.ts";
import type { RequestTrace, TracedRequest } from "../../http/request-traces.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Spans } from "./spans.ts";

/** What raises an event. `context` is the span's, or the caller's if none is recorded. */
export type Origin = { readonly span: Span | null; readonly context: SpanContext | null };

type State = {
  readonly spans: Spans;
  readonly clock: Clock;
  /** Of the request that is being answered, or of its raising. */
  readonly current: AsyncLocalStorage<Origin & { readonly request: { isAnswered: boolean } }>;
};

/** Anybody causes these in any number: the metrics count them. */
const UNTRACED_STATUSES: readonly number[] = [401, 429];

const propagator = new W3CTraceContextPropagator();

export function traceCallers(spans: Spans, clock: Clock) {
  const state: State = { spans, clock, current: new AsyncLocalStorage() };
  const origins = new WeakMap<RaisedEvent, Origin>();
  const note = (events: readonly RaisedEvent[]): readonly RaisedEvent[] => {
    const origin = originNow(state);
    if (origin !== null) for (const event of events) origins.set(event, origin);
    return events;
  };
  return {
    ofRequests: {
      api: (request: TracedRequest) => begin(state, request, false),
      ops: (request: TracedRequest) => begin(state, request, true),
    },
    /** Other events share a commit with those of other callers; a ping is raised where it is asked for. */
    originOf: (event: RaisedEvent): Origin | null =>
      origins.get(event) ?? (event.onlyEndpointId === undefined ? null : originNow(state)),
    instrument: (engine: Engine): Engine => ({
      ...engine,
      raise: (events) => raising(state, () => engine.raise(note(events))),
      raiseWithin: (cell, change) =>
        raising(state, () =>
          engine.raiseWithin(cell, async (tx) => {
            const events = await change(tx);
            return events === null ? null : note(events);
          }),
        ),
      ping: (...asked) => raising(state, () => engine.ping(...asked)),
    }),
  };
}

/**
 * `isTrusted`: the caller decides whether its trace is recorded here. With others the share decides, or they could
 * have all recorded.
 */
function begin({ spans, clock, current }: State, asked: TracedRequest, isTrusted: boolean): RequestTrace {
  const extracted = propagator.extract(ROOT_CONTEXT, asked.headers, defaultTextMapGetter);
  const caller = trace.getSpanContext(extracted) ?? null;
  const isRecorded =
    isTrusted && caller !== null ? (caller.traceFlags & TraceFlags.SAMPLED) !== 0 : spans.isChosen();
  const attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: asked.method,
    [ATTR_HTTP_ROUTE]: asked.route,
    [ATTR_URL_PATH]: asked.path,
    [ATTR_URL_SCHEME]: "http",
  };
  const options = { kind: SpanKind.SERVER, startTime: clock.nowMs(), attributes };
  const span = isRecorded ? spans.begin(`${asked.method} ${asked.route}`, options, caller) : null;
  const request = { isAnswered: false };
  return {
    within: (handle) => current.run({ span, context: span?.spanContext() ?? caller, request }, handle),
    answered(status) {
      request.isAnswered = true;
      if (span === null || UNTRACED_STATUSES.includes(status)) return;
      span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
      if (status >= 500) fail(span, String(status));
      spans.end(span, clock.nowMs());
    },
  };
}

/** What goes on after the answer is not the request's: a loop that it woke, say. */
function originNow({ current }: State): Origin | null {
  const origin = current.getStore();
  return origin === undefined || origin.request.isAnswered ? null : origin;
}

/** Runs `work` in a span of its own, if a request is being answered. */
async function raising<R>(state: State, work: () => Promise<R>): Promise<R> {
  const { spans, clock, current } = state;
  const asked = current.getStore();
  if (asked === undefined || asked.span === null || asked.request.isAnswered) return work();
  const span = spans.begin("raise", { startTime: clock.nowMs() }, asked.span.spanContext());
  if (span === null) return work();
  try {
    const raised = await current.run({ ...asked, span, context: span.spanContext() }, work);
    span.setAttributes(receiptOf(raised));
    return raised;
  } catch (cause) {
    fail(span, cause instanceof Error ? cause.name : "unknown");
    throw cause;
  } finally {
    spans.end(span, clock.nowMs());
  }
}

function receiptOf(raised: unknown): Attributes {
  if (typeof raised !== "object" || raised === null || !("accepted" in raised)) return {};
  const { accepted, duplicates, deliveries } = raised as RaiseReceipt;
  return {
    "boathook.events.accepted": accepted,
    "boathook.events.duplicates": duplicates,
    "boathook.deliveries": deliveries,
  };
}

function fail(span: Span, errorType: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
