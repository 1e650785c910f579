/** The settings of air cargo: whom it asks, and how often. */
import { POLLING_SETTINGS } from "../../freight/polling/settings.ts";
import { duration, line } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const AIR_SETTINGS = {
  airlinesFile: setting({
    name: "BOATHOOK_AIRLINES_FILE",
    kind: line("file, JSON"),
    default: null,
    about: "Airlines' APIs and credentials (docs/airlines.md).",
    section: "files",
  }),
  ...POLLING_SETTINGS,
  airPollIntervalMs: setting({
    name: "BOATHOOK_AIR_POLL_INTERVAL",
    kind: duration("100ms", "7d"),
    default: "30m",
    about: "Time between polls of an air waybill. Applies after its next poll.",
    section: "polling",
  }),
  airAfterDeliveryMs: setting({
    name: "BOATHOOK_AIR_AFTER_DELIVERY",
    kind: duration("1m", "90d"),
    default: "3d",
    about: "How long delivered air waybills are polled for corrections.",
    section: "polling",
  }),
};

export type AirSettings = SettingsOf<typeof AIR_SETTINGS>;

/** How the files are read that these settings name. */
export const AIR_FILES = {
  airlinesFile: async (text: string) =>
    (await import("./sources/airlines/airlines-file.ts")).readAirlines(text),
};
