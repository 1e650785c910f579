/** Messages for tests, read as if they came at noon UTC on 20 November 2026. */
import assert from "node:assert/strict";

import type { LocalTime } from "../../../src/freight/places/local-time.ts";
import {
  EMPTY_EVENT,
  type AirEvent,
  type AirStatusCode,
} from "../../../src/products/air/timeline/air-event.ts";
import { readMessages, type ReadMessage } from "../../../src/products/air/sources/imp/read-messages.ts";

export const RECEIVED_MS = Date.UTC(2026, 10, 20, 12);

export type Read = Extract<ReadMessage, { kind: "message" }>;
export type Refused = Extract<ReadMessage, { kind: "refused" }>;

export function readOne(text: string, receivedMs = RECEIVED_MS): Read {
  const [message, ...more] = readMessages(text, receivedMs);
  assert.deepEqual(more, []);
  assert.ok(message?.kind === "message", JSON.stringify(message));
  return message;
}

export function refusedOne(text: string | Uint8Array): Refused {
  const [message, ...more] = readMessages(text, RECEIVED_MS);
  assert.deepEqual(more, []);
  assert.ok(message?.kind === "refused", JSON.stringify(message));
  return message;
}

/** A message of these lines about 020-12345675 from FRA to JFK, ten pieces. */
export function about(...lines: readonly string[]): string {
  return ["FSU/14", "020-12345675FRAJFK/T10K250.5", ...lines].join("\r\n");
}

/** The events of a message that has no problems. */
export function eventsOf(...lines: readonly string[]): readonly AirEvent[] {
  const { statement, problems } = readOne(about(...lines));
  assert.deepEqual(problems, []);
  return statement.events;
}

export function eventOf(...lines: readonly string[]): AirEvent {
  const [event, ...more] = eventsOf(...lines);
  assert.ok(event !== undefined && more.length === 0);
  return event;
}

/** As an event of the message of `about` is, but for what is given. */
export function told(code: AirStatusCode, said: Partial<AirEvent>): AirEvent {
  return { ...EMPTY_EVENT, totalPieces: 10, ...said, code };
}

const ZONES: Readonly<Record<string, { readonly timeZone: string; readonly offsetMinutes: number }>> = {
  FRA: { timeZone: "Europe/Berlin", offsetMinutes: 60 },
  AMS: { timeZone: "Europe/Amsterdam", offsetMinutes: 60 },
  JFK: { timeZone: "America/New_York", offsetMinutes: -300 },
  HKG: { timeZone: "Asia/Hong_Kong", offsetMinutes: 480 },
};

/** A time in the winter of the north: `2026-11-15T14:30`. */
export function winter(airport: keyof typeof ZONES, local: string): LocalTime {
  const { timeZone, offsetMinutes } = ZONES[airport]!;
  const ms = Date.parse(`${local}:00Z`) - offsetMinutes * 60_000;
  return { ms, local: `${local}:00`, offsetMinutes, timeZone };
}

export function problemsOf(...lines: readonly string[]): readonly string[] {
  return readOne(about(...lines)).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}
