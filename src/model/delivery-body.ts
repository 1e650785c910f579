/**
 * The body of a delivery (spec 2.3: four_keys, id, type, occurred_at, data), made from what is stored, so
 * that every attempt, on every node, sends the same bytes. `data` is JSON text and goes in as it is.
 */
export function buildDeliveryBody(
  deliveryId: string,
  type: string,
  occurredAtMs: number,
  data: string,
): string {
  return `{"id":"${deliveryId}","type":"${type}","occurred_at":"${isoOf(occurredAtMs)}","data":${data}}`;
}

let lastMs = Number.NaN;
let lastText = "";

/** Events that are raised together share their millisecond, and formatting is the dear part. */
function isoOf(timeMs: number): string {
  if (timeMs !== lastMs) {
    lastMs = timeMs;
    lastText = new Date(timeMs).toISOString();
  }
  return lastText;
}
