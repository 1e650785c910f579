/**
 * A delivery's trace has the delivery's id: any node adds to it, and nothing is stored
 * (docs/decisions/service-traces.md).
 *
 *     raise ─┬─▶ POST ─▶ settle
 *            └─▶ POST ─▶ settle, for each further attempt
 */
import { SpanKind, SpanStatusCode, type Attributes, type SpanContext } from "@opentelemetry/api";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
} from "@opentelemetry/semantic-conventions";

import type { EndedAttempt } from "../../engine/settle/endpoint-counts.ts";
import type { DeliveryTraces } from "../../engine/traces.ts";
import { isSuccess, type InFlightDelivery, type Outcome } from "../../model/delivery.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { Target } from "../../model/endpoint.ts";
import { timeOfUuid } from "../../model/uuid.ts";
import type { TracePorts } from "./ports.ts";
import type { Origin } from "./request-spans.ts";
import { sampled, type SpanPlace, type Spans } from "./spans.ts";

type DeliverySpanPorts = Pick<TracePorts, "clock" | "log"> & {
  readonly spans: Spans;
  readonly originOf: (event: RaisedEvent) => Origin | null;
};

/** Until they are settled. */
type Attempts = WeakMap<InFlightDelivery, { readonly place: SpanContext; readonly endedMs: number }>;

export function traceDeliveries(ports: DeliverySpanPorts): DeliveryTraces {
  const attempts: Attempts = new WeakMap();
  const orLog = (trace: () => void): void => {
    try {
      trace();
    } catch (cause) {
      ports.log.error({ err: cause }, "a span was not made");
    }
  };
  return {
    raised: (made, deliveryIds) =>
      orLog(() => {
        let at = 0;
        for (const [event, count] of made)
          for (const end = at + count; at < end; at += 1) raised(ports, event, deliveryIds[at]!);
      }),
    attempted: (target, delivery, outcome, tookMs) =>
      orLog(() => attempted(ports, attempts, target, delivery, outcome, tookMs)),
    settled: (written) =>
      orLog(() => {
        for (const one of written) settled(ports, attempts, one);
      }),
  };
}

function raised({ spans, originOf, clock }: DeliverySpanPorts, event: RaisedEvent, id: string): void {
  const first = firstOf(id);
  if (!spans.isSampled(first.traceId)) return;
  const { span: raising = null, context = null } = originOf(event) ?? {};
  raising?.addLink({ context: sampled(first) });
  const span = spans.beginAt(first, `raise ${event.type}`, {
    kind: SpanKind.PRODUCER,
    startTime: timeOfUuid(id),
    links: context === null ? [] : [{ context }],
    attributes: attributesOf(id, event),
  });
  if (span !== null) spans.end(span, clock.nowMs());
}

function attempted(
  { spans, clock }: DeliverySpanPorts,
  attempts: Attempts,
  target: Target,
  delivery: InFlightDelivery,
  outcome: Outcome,
  tookMs: number,
): void {
  const first = firstOf(delivery.id);
  if (!spans.isSampled(first.traceId)) return;
  const endedMs = clock.nowMs();
  const { product, accountId } = target;
  const attributes = {
    ...attributesOf(delivery.id, { type: delivery.type, product, accountId }),
    "boathook.endpoint.id": target.id,
    [ATTR_HTTP_REQUEST_METHOD]: "POST",
    ...receiver(target.url),
    ...(delivery.attemptCount > 0 && { [ATTR_HTTP_REQUEST_RESEND_COUNT]: delivery.attemptCount }),
    ...result(outcome),
  };
  const options = { kind: SpanKind.CLIENT, startTime: endedMs - tookMs, attributes };
  const span = spans.begin("POST", options, first);
  if (span === null) return;
  if (outcome.kind === "failed") span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error.text });
  else if (!isSuccess(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
  spans.end(span, endedMs);
  attempts.set(delivery, { place: span.spanContext(), endedMs });
}

function settled({ spans, clock }: DeliverySpanPorts, attempts: Attempts, ended: EndedAttempt): void {
  const { delivery, settlement } = ended;
  const attempt = attempts.get(delivery);
  if (attempt === undefined) return;
  attempts.delete(delivery);
  const { status, attemptCount, dueAtMs } = settlement;
  const attributes = {
    "boathook.delivery.id": delivery.id,
    "boathook.delivery.status": status,
    "boathook.delivery.attempts": attemptCount,
    ...(dueAtMs !== null && { "boathook.delivery.due_at": new Date(dueAtMs).toISOString() }),
  };
  const span = spans.begin("settle", { startTime: attempt.endedMs, attributes }, attempt.place);
  if (span === null) return;
  if (status === "dead") span.setStatus({ code: SpanStatusCode.ERROR });
  spans.end(span, clock.nowMs());
}

/** The trace's id is the delivery's without hyphens; its second half is the first span's. */
function firstOf(deliveryId: string): SpanPlace {
  const traceId = deliveryId.replaceAll("-", "");
  return { traceId, spanId: traceId.slice(16) };
}

function attributesOf(
  id: string,
  { type, product, accountId }: Pick<RaisedEvent, "type" | "product" | "accountId">,
): Attributes {
  return {
    "boathook.delivery.id": id,
    "boathook.event.type": type,
    "boathook.product": product,
    "boathook.account.id": accountId,
  };
}

/** A receiver's path and query are often its secret: they do not leave the service. */
function receiver(text: string): Attributes {
  const url = URL.parse(text);
  if (url === null) return {};
  const { origin, hostname, port, pathname, search } = url;
  return {
    [ATTR_URL_FULL]: `${origin}/${pathname + search === "/" ? "" : "REDACTED"}`,
    [ATTR_SERVER_ADDRESS]: hostname.replace(/^\[(.*)\]$/u, "$1"),
    [ATTR_SERVER_PORT]: port === "" ? 443 : Number(port),
  };
}

/** `error.type` is the code of `last_error`. */
function result(outcome: Outcome): Attributes {
  const { statusCode } = outcome;
  const status = statusCode === null ? {} : { [ATTR_HTTP_RESPONSE_STATUS_CODE]: statusCode };
  if (isSuccess(outcome)) return status;
  return {
    ...status,
    [ATTR_ERROR_TYPE]: outcome.kind === "failed" ? outcome.error.code : `http_${statusCode}`,
  };
}
