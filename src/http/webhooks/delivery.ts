/** Deliveries as clients see them. */
import Type from "typebox";

import { nullable, UtcDateTime } from "../../model/data-types.ts";
import { Summary } from "../../model/summaries.ts";
import { addressPolicy, checkAddress } from "../../engine/send/address.ts";
import type { AttemptRecord, DeliveryRecord } from "../../model/delivery.ts";
import { resource, type Fields } from "../resource.ts";

/** Why an address is refused says what a name of the operator's network resolves to: only the operator reads that. */
export function clientsError(lastError: string | null): string | null {
  return lastError?.replace(/^(blocked_address: [^(]*?) ?\([^]*$/, "$1") ?? null;
}

const STATUSES = ["pending", "delivered", "dead"] as const;

export const DeliveryStatus = Type.Enum([...STATUSES]);

/** (spec 2.2: id, event_type, status, attempt_count, last_status_code, last_error, created_at, delivered_at) */
export const DELIVERY_RECORD = {
  id: [
    Type.String({ format: "uuid", description: "the id in the body and in the delivery header" }),
    ({ id }) => id,
  ],
  event_type: [Type.String(), ({ eventType }) => eventType],
  status: [DeliveryStatus, ({ status }) => status],
  attempt_count: [Type.Integer(), ({ attemptCount }) => attemptCount],
  last_status_code: [nullable(Type.Integer()), ({ lastStatusCode }) => lastStatusCode],
  last_error: [nullable(Type.String()), ({ lastError }) => clientsError(lastError)],
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
  delivered_at: [nullable(UtcDateTime), ({ deliveredAt }) => deliveredAt?.toISOString() ?? null],
  parked_until: [
    nullable(UtcDateTime, { description: "dead from then on, unless the endpoint is active again" }),
    ({ parkedUntil }): string | null => parkedUntil?.toISOString() ?? null,
  ],
} satisfies Fields<DeliveryRecord>;

export const delivery = resource("Delivery", DELIVERY_RECORD);

type LoggedRecord = DeliveryRecord & {
  readonly eventId: string;
  readonly dueAt: Date | null;
};

const LOGGED = {
  ...DELIVERY_RECORD,
  event_id: [
    Type.String({ format: "uuid", description: "the event, as GET /v1/events has it" }),
    ({ eventId }) => eventId,
  ],
  next_attempt_at: [
    nullable(UtcDateTime, { description: "null when none waits: it has ended, is parked, or is sent now" }),
    ({ status, dueAt, parkedUntil }): string | null =>
      status === "pending" && !parkedUntil ? (dueAt?.toISOString() ?? null) : null,
  ],
} satisfies Fields<LoggedRecord>;

export const loggedDelivery = resource("LoggedDelivery", LOGGED);

type RecordOfAccount = LoggedRecord & { readonly endpointId: string; readonly url: string | null };

/** Among those to all endpoints. */
export const deliveryOfAccount = resource("DeliveryOfAccount", {
  ...LOGGED,
  endpoint_id: [Type.String({ format: "uuid" }), ({ endpointId }) => endpointId],
  url: [nullable(Type.String(), { description: "the endpoint's; null: it is gone" }), ({ url }) => url],
} satisfies Fields<RecordOfAccount>);

const PUBLIC = addressPolicy(false);

const attemptFields = {
  number: [Type.Integer({ description: "from 1 on" }), ({ number }) => number],
  ended_at: [UtcDateTime, ({ endedAt }) => endedAt.toISOString()],
  duration_ms: [
    nullable(Type.Integer(), { description: "kept of failed attempts only, as address and answer_bytes" }),
    ({ durationMs }) => durationMs,
  ],
  address: [
    nullable(Type.String(), { description: "that it was sent to; null: none was reached, or no public one" }),
    ({ address }): string | null =>
      address !== null && checkAddress(address, PUBLIC).allowed ? address : null,
  ],
  status_code: [nullable(Type.Integer()), ({ statusCode }) => statusCode],
  error: [nullable(Type.String()), ({ error }) => clientsError(error)],
  answer_bytes: [
    nullable(Type.Integer(), { description: "of the answer's body, as far as it was read" }),
    ({ answerBytes }) => answerBytes,
  ],
} satisfies Fields<AttemptRecord>;

const attempt = resource("Attempt", attemptFields);

/** The same with the address and error that only the operator reads. */
export const operatorAttempt = resource("OperatorAttempt", {
  ...attemptFields,
  address: [
    nullable(Type.String(), { description: "that it was sent to; null: none was reached" }),
    ({ address }) => address,
  ],
  error: [nullable(Type.String()), ({ error }) => error],
} satisfies Fields<AttemptRecord>);

type DetailedRecord = LoggedRecord & {
  readonly attempts: readonly AttemptRecord[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly summary: string | null;
};

export const deliveryDetail = resource("DeliveryDetail", {
  ...LOGGED,
  summary: [Summary, ({ summary }) => summary],
  attempts: [Type.Array(attempt.schema), ({ attempts }) => attempts.map(attempt.view)],
  headers: [
    Type.Record(Type.String(), Type.String(), { description: "as they are sent with every attempt" }),
    ({ headers }) => headers,
  ],
  body: [
    Type.String({ description: "the text that is sent, and signed, byte for byte" }),
    ({ body }) => body,
  ],
} satisfies Fields<DetailedRecord>);

/** The delivery, with the time at which it ends if its endpoint stays inactive. */
export function withParking<D extends DeliveryRecord>(
  one: D,
  disabledAt: Date | null,
  parkedMs: number,
): D & Pick<DeliveryRecord, "parkedUntil"> {
  const isParked = one.status === "pending" && disabledAt !== null;
  return { ...one, parkedUntil: isParked ? new Date(disabledAt.getTime() + parkedMs) : null };
}
