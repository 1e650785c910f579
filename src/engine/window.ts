import type { EngineSettings } from "./settings.ts";

/**
 * The bound on what is in memory: deliveries that are held, from the moment they are raised or claimed
 * to the moment their result is written or they go back to the queue. What does not fit waits in the
 * database (design 4, guarantee 9).
 */
export type Window = {
  deliveries: number;
  bytes: number;
  /** Room that a claim under way may fill. */
  promised: number;
  readonly deliveriesMax: number;
  readonly bytesMax: number;
};

export function openWindow(settings: EngineSettings): Window {
  return {
    deliveries: 0,
    bytes: 0,
    promised: 0,
    deliveriesMax: settings.windowDeliveriesMax,
    bytesMax: settings.windowBytesMax,
  };
}

/** Deliveries that still fit, none once the bytes are used up. */
export function freeIn(window: Window): number {
  return window.bytes >= window.bytesMax ? 0 : window.deliveriesMax - window.deliveries - window.promised;
}

export function enter(window: Window, bytes: number): void {
  window.deliveries += 1;
  window.bytes += bytes;
}

export function leave(window: Window, bytes: number): void {
  window.deliveries -= 1;
  window.bytes -= bytes;
}
