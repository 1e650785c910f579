import { count, duration } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";
import type { Settings } from "../../runtime/settings.ts";
import { POLLER_DEFAULTS, type PollerSettings } from "./poller.ts";

/** Shared by all products that poll: one process, one set of bounds. */
export const POLLING_SETTINGS = {
  pollOpenMax: setting("BOATHOOK_POLL_OPEN_MAX", count(1, 10_000), "128", {
    about: "Most concurrent polls, all workers together.",
    section: "polling",
  }),
  pollOpenPerCarrierMax: setting("BOATHOOK_POLL_OPEN_PER_CARRIER", count(1, 1_000), "8", {
    about: "Most concurrent polls per carrier, unless the carriers file differs.",
    section: "polling",
  }),
  unresolvedMax: setting("BOATHOOK_UNRESOLVED_MAX", count(1, 1_000_000), "2000", {
    about:
      "Most references per account and product, of the last 14 days, that no carrier or airline knows yet.",
    section: "polling",
  }),
  pollLeaseMs: setting("BOATHOOK_POLL_LEASE", duration("2s", "1h"), "2m", {
    about: "A process's lease on a shipment to poll. Carriers get half of it to answer.",
    section: "polling",
  }),
};

export type PollingSettings = SettingsOf<typeof POLLING_SETTINGS>;

/** The poller of a product that polls its shipments every `intervalMs`. */
export function pollerSettings(
  settings: PollingSettings & Pick<Settings, "place">,
  intervalMs: number,
): PollerSettings {
  return {
    ...POLLER_DEFAULTS,
    idleMs: Math.min(POLLER_DEFAULTS.idleMs, intervalMs),
    leaseMs: settings.pollLeaseMs,
    slotsPerSource: settings.pollOpenPerCarrierMax,
    openMax: settings.pollOpenMax,
    place: settings.place ?? POLLER_DEFAULTS.place,
  };
}
