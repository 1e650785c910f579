import { POLLER_DEFAULTS, type PollerSettings } from "./poller.ts";
import type { PollingSettings } from "./settings.ts";

/** How a product polls whose shipments are looked at every `intervalMs`. */
export function pollerSettings(settings: PollingSettings, intervalMs: number): PollerSettings {
  return {
    ...POLLER_DEFAULTS,
    idleMs: Math.min(POLLER_DEFAULTS.idleMs, intervalMs),
    leaseMs: settings.pollLeaseMs,
    slotsPerSource: settings.pollOpenPerCarrierMax,
    openMax: settings.pollOpenMax,
  };
}
