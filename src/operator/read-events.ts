/** Reads the events of `POST /v1/events`: by hand, with a compiled schema for the data alone, since it is the hot path in. */
import { Type } from "typebox";

import { unknownField } from "../http/unknown-parameters.ts";
import { AnyObject } from "../model/data-types.ts";
import { isObject, isLongerAsJson, type JsonObject } from "../model/json.ts";
import { DAY_MS } from "../runtime/durations.ts";
import type { SlicedWork } from "../runtime/time-slices.ts";
import { DATA_BYTES_MAX, type RaisedEvent } from "../model/event.ts";
import { readInstant } from "../model/instant.ts";
import type { ReferencesOf } from "../model/references.ts";
import { readUuid } from "../model/uuid.ts";
import type { CheckEventData } from "../model/event-check.ts";

/** The events of one request. */
export const EVENTS_MAX = 1_000;

const DEDUP_KEY_LENGTH_MAX = 200;

const Event = Type.Object(
  {
    product: Type.String(),
    account_id: Type.String({ format: "uuid" }),
    type: Type.String(),
    data: AnyObject,
    occurred_at: Type.Optional(Type.String({ format: "date-time" })),
    dedup_key: Type.Optional(Type.String({ minLength: 1, maxLength: DEDUP_KEY_LENGTH_MAX })),
  },
  { additionalProperties: false },
);

/** What `readEvents` takes, for the document. */
export const RAISED_EVENTS = Type.Object(
  { events: Type.Array(Event, { minItems: 1, maxItems: EVENTS_MAX }) },
  { additionalProperties: false },
);

const FIELDS = Object.keys(RAISED_EVENTS.properties);
const EVENT_FIELDS = Object.keys(Event.properties);

/** How far ahead of the clock an event may occur. */
const AHEAD_MS_MAX = DAY_MS;

export type EventPorts = { readonly checkData: CheckEventData; readonly referencesOf: ReferencesOf };

/**
 * The events, or a message that names the first wrong one by its place and says what to change. `written` is the body
 * as `parseLossless` reads it: the data comes from there. Events without `occurred_at` occurred at `nowMs`.
 */
export function* readEvents(
  body: unknown,
  written: unknown,
  nowMs: number,
  ports: EventPorts,
): SlicedWork<readonly RaisedEvent[] | string> {
  const sent = isObject(body) ? body["events"] : undefined;
  if (!Array.isArray(sent)) return 'send {"events": [{product, account_id, type, data}]}';
  const unknown = unknownField(body as object, FIELDS);
  if (unknown !== null) return `body${unknown}`;
  if (sent.length === 0 || sent.length > EVENTS_MAX) {
    return `events must hold 1 to ${EVENTS_MAX} events, not ${sent.length}; send more in further requests`;
  }
  const { events: writtenEvents } = written as { readonly events: readonly { readonly data: unknown }[] };
  const events: RaisedEvent[] = [];
  for (let index = 0; index < sent.length; index++) {
    const event = readEvent(sent[index], writtenEvents[index]!, nowMs, ports);
    if (typeof event === "string") return `events[${index}]${event}`;
    events.push(event);
    yield;
  }
  return events;
}

/** The event, or what is wrong with it, to be put behind its place. */
function readEvent(
  sent: unknown,
  written: { readonly data: unknown },
  nowMs: number,
  { checkData, referencesOf }: EventPorts,
): RaisedEvent | string {
  if (!isObject(sent)) return " must be an object";
  const unknown = unknownField(sent, EVENT_FIELDS);
  if (unknown !== null) return unknown;
  const { product, account_id, type, data, occurred_at, dedup_key } = sent;
  const accountId = typeof account_id === "string" ? readUuid(account_id) : null;
  if (accountId === null) return ".account_id must be an account's id, a UUID";
  if (typeof product !== "string") return ".product must be a string";
  if (typeof type !== "string") return ".type must be a string";

  const tooLarge = `.data is larger than ${DATA_BYTES_MAX} bytes as JSON; send less`;
  // Before it is checked and written: both would take long.
  if (isLongerAsJson(data, DATA_BYTES_MAX)) return tooLarge;
  const check = checkData(product, type, data);
  if (!check.ok) return `.${check.message}`;
  const text = JSON.stringify(written.data);
  if (isTooLarge(text)) return tooLarge;

  const occurredAtMs = occurred_at === undefined ? nowMs : readOccurredAt(occurred_at, nowMs);
  if (occurredAtMs === null) {
    return ".occurred_at must be an RFC 3339 date-time from 1970 to a day from now, such as 2026-01-31T08:00:00Z";
  }
  const references = referencesOf(product, type, data as JsonObject);
  const event = { product, accountId, type, data: text, occurredAtMs, references };
  if (dedup_key === undefined) return event;
  if (!isDedupKey(dedup_key)) return `.dedup_key must be a string of 1 to ${DEDUP_KEY_LENGTH_MAX} characters`;
  return { ...event, dedupKey: dedup_key };
}

function readOccurredAt(sent: unknown, nowMs: number): number | null {
  const timeMs = typeof sent === "string" ? readInstant(sent) : null;
  return timeMs !== null && timeMs >= 0 && timeMs <= nowMs + AHEAD_MS_MAX ? timeMs : null;
}

function isDedupKey(sent: unknown): sent is string {
  return typeof sent === "string" && sent.length >= 1 && sent.length <= DEDUP_KEY_LENGTH_MAX;
}

/** A UTF-16 code unit takes three bytes of UTF-8 at most, so short texts need no counting. */
function isTooLarge(text: string): boolean {
  return text.length * 3 > DATA_BYTES_MAX && Buffer.byteLength(text) > DATA_BYTES_MAX;
}
