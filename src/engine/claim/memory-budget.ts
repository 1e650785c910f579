import type { EngineSettings } from "../settings.ts";

/**
 * Bounds the deliveries in flight: from the moment they are raised or claimed until their result is written
 * or they are released. What does not fit waits in the database (docs/architecture.md, guarantee 9).
 */
export type MemoryBudget = {
  deliveries: number;
  bytes: number;
  /** Deliveries that a running claim may bring. */
  reserved: number;
  readonly deliveriesMax: number;
  readonly bytesMax: number;
};

export function createMemoryBudget(settings: EngineSettings): MemoryBudget {
  return {
    deliveries: 0,
    bytes: 0,
    reserved: 0,
    deliveriesMax: settings.memoryDeliveriesMax,
    bytesMax: settings.memoryBytesMax,
  };
}

/** Deliveries that still fit, none once the bytes are used up. */
export function freeCapacity(budget: MemoryBudget): number {
  return budget.bytes >= budget.bytesMax ? 0 : budget.deliveriesMax - budget.deliveries - budget.reserved;
}

export function allocate(budget: MemoryBudget, bytes: number): void {
  budget.deliveries += 1;
  budget.bytes += bytes;
}

export function deallocate(budget: MemoryBudget, bytes: number): void {
  budget.deliveries -= 1;
  budget.bytes -= bytes;
}
