import type { EngineSettings } from "../settings.ts";

/**
 * The bound on what is in memory: deliveries that are held, from the moment they are raised or claimed
 * to the moment their result is written or they go back to the queue. What does not fit waits in the
 * database (design 4, guarantee 9).
 */
export type MemoryBudget = {
  deliveries: number;
  bytes: number;
  /** Room that a claim under way may fill. */
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
export function freeCapacity(window: MemoryBudget): number {
  return window.bytes >= window.bytesMax ? 0 : window.deliveriesMax - window.deliveries - window.reserved;
}

export function allocate(window: MemoryBudget, bytes: number): void {
  window.deliveries += 1;
  window.bytes += bytes;
}

export function deallocate(window: MemoryBudget, bytes: number): void {
  window.deliveries -= 1;
  window.bytes -= bytes;
}
