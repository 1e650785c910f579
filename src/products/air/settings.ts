/** The settings of air cargo: which airlines it polls, and how often. */
import { POLLING_SETTINGS } from "../../freight/polling/settings.ts";
import { duration, line } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const AIR_SETTINGS = {
  airlinesFile: setting("BOATHOOK_AIRLINES_FILE", line("file, JSON"), null, {
    about: "Airlines' APIs and credentials (docs/airlines.md).",
    section: "files",
  }),
  ...POLLING_SETTINGS,
  airPollIntervalMs: setting("BOATHOOK_AIR_POLL_INTERVAL", duration("100ms", "7d"), "30m", {
    about: "Time between polls of an air waybill. Applies after its next poll.",
    section: "polling",
  }),
  airAfterDeliveryMs: setting("BOATHOOK_AIR_AFTER_DELIVERY", duration("1m", "90d"), "3d", {
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
