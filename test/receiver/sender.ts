/** A sender for these tests: bodies, signatures and headers as spec 2.3 and 5.1 have them. */
import { createHmac, randomUUID } from "node:crypto";

export const SECRET = "whsec_Qx7-Vb2n_Kd9RtYm3LwZ8cHf5JgP1sTa6UeN4oXiDqBk0yMvWrEzCuGhSlApFj-2";
export const OTHER_SECRET = `whsec_${"other-secret_016".repeat(4)}`;

export type Sent = { readonly id: string; readonly body: string; readonly headers: Record<string, string> };

export function send(
  changes: { readonly data?: object; readonly product?: string; readonly secret?: string } = {},
): Sent {
  const { data = { message: "hello" }, product = "Tracking", secret = SECRET } = changes;
  const id = randomUUID();
  const body = JSON.stringify({ id, type: "ping", occurred_at: "2026-11-20T08:15:00.000Z", data });
  return { id, body, headers: headersFor(product, "ping", id, sign(body, secret)) };
}

export function sign(body: string | Uint8Array, secret: string = SECRET): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export function headersFor(
  product: string,
  event: string,
  delivery: string,
  signature: string,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": `${product}-Webhooks/1`,
    [`X-${product}-Event`]: event,
    [`X-${product}-Delivery`]: delivery,
    [`X-${product}-Signature`]: signature,
  };
}
