/** The events that the bench raises: one type of the ocean product, data of 300 bytes. */

export const EVENT_TYPE = "vessel_departed";

export const DATA_BYTES = 300;

/** Every event has a number in its data, always of eight digits. */
export const SEQUENCE_FIRST = 10_000_000;

const SEQUENCE_MARK = '"sequence":';
const SEQUENCE_DIGITS = 8;

const HEAD =
  '{"container_id":"018f3c1a-7c2e-7d3a-9b1c-2f4e6a8b0c1d","identifier":"MSCU1234566","identifier_type":"container_id",' +
  '"previous_status":"pre_departure","new_status":"in_transit","eta":"2026-12-01T08:00:00Z",' +
  SEQUENCE_MARK;
const FILLER = "x".repeat(DATA_BYTES - HEAD.length - SEQUENCE_DIGITS - ',"note":""}'.length);

/** The data of one event as JSON text. */
export function dataOf(sequence: number): string {
  return `${HEAD}${sequence},"note":"${FILLER}"}`;
}

/** One event as `POST /v1/events` takes it. */
export function eventOf(accountId: string, sequence: number): string {
  return `{"product":"tracking","account_id":"${accountId}","type":"${EVENT_TYPE}","data":${dataOf(sequence)}}`;
}

/** The number in the body of a delivery, or NaN. */
export function sequenceOf(body: Buffer): number {
  const at = body.indexOf(SEQUENCE_MARK) + SEQUENCE_MARK.length;
  return Number(body.toString("latin1", at, at + SEQUENCE_DIGITS));
}
