/** What the demo has seen so far: one row a delivery, and where each shipment is. */
import type { Arrival } from "./receiver.ts";

export type DeliveryRow = {
  readonly deliveryId: string;
  readonly product: string;
  readonly endpoint: string;
  readonly type: string;
  /** What it is about: a container, an air waybill. */
  readonly subject: string;
  readonly verified: boolean;
  readonly attempts: number;
  /** From the event to its first arrival, milliseconds. */
  readonly latencyMs: number;
  /** The status of the last answer. */
  readonly answeredStatus: number;
};

export type Shipment = { readonly id: string; readonly reference: string; readonly status: string };

export type DemoState = {
  recordArrival(arrival: Arrival): DeliveryRow;
  rows(): readonly DeliveryRow[];
  shipments: readonly Shipment[];
};

export function createDemoState(): DemoState {
  const rows = new Map<string, DeliveryRow>();
  return {
    shipments: [],
    rows: () => [...rows.values()],
    recordArrival(arrival) {
      const { deliveryId, product, endpoint, type, verified, answeredStatus } = arrival;
      const before = rows.get(deliveryId);
      const row = {
        deliveryId,
        product,
        endpoint,
        type,
        subject: subjectOf(arrival.data),
        verified: verified && (before?.verified ?? true),
        attempts: (before?.attempts ?? 0) + 1,
        latencyMs: before?.latencyMs ?? Math.max(0, arrival.atMs - arrival.occurredAtMs),
        answeredStatus: answeredStatus,
      };
      rows.set(deliveryId, row);
      return row;
    },
  };
}

export function isDelivered(row: DeliveryRow): boolean {
  return row.verified && row.answeredStatus >= 200 && row.answeredStatus <= 299;
}

/** Where the products' data have the name that people know the thing by. */
const SUBJECTS = ["identifier", "awb", "subject"] as const;

function subjectOf(data: Readonly<Record<string, unknown>>): string {
  for (const name of SUBJECTS) {
    const value = data[name];
    if (typeof value === "string") return value;
  }
  return "";
}
