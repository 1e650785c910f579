/**
 * The body of a delivery (spec 2.3): exactly four keys. It is made from what is stored, so that every
 * attempt, on every node, sends the same bytes. `data` is JSON text and goes in as it is.
 */
export function bodyOf(deliveryId: string, type: string, occurredAtMs: number, data: string): string {
  const occurredAt = new Date(occurredAtMs).toISOString();
  return `{"id":"${deliveryId}","type":"${type}","occurred_at":"${occurredAt}","data":${data}}`;
}
