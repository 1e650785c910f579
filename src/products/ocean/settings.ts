/** The settings of ocean tracking: which carriers it polls, and how often. */
import { POLLING_SETTINGS } from "../../freight/polling/settings.ts";
import { duration, line } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

const pollIntervalMs = setting("BOATHOOK_POLL_INTERVAL", duration("100ms", "7d"), "4h", {
  about: "Time between polls of a shipment with no change near. Applies after its next poll.",
  section: "polling",
});

export const OCEAN_SETTINGS = {
  carriersFile: setting("BOATHOOK_CARRIERS_FILE", line("file, JSON"), null, {
    about: "Ocean carriers' APIs and credentials (docs/carriers.md).",
    section: "files",
  }),
  aisFile: setting("BOATHOOK_AIS_FILE", line("file, JSON"), null, {
    about: "AIS feed for vessels with tracked containers, and credentials (docs/ais.md).",
    section: "files",
  }),
  pollIntervalMs,
  pollNearIntervalMs: setting("BOATHOOK_POLL_INTERVAL_NEAR", duration("100ms", "7d"), "20m", {
    about: "The same near departures, arrivals and in port. At most BOATHOOK_POLL_INTERVAL.",
    section: "polling",
    atMost: pollIntervalMs,
  }),
  ...POLLING_SETTINGS,
};

export type OceanSettings = SettingsOf<typeof OCEAN_SETTINGS>;

/** How the files are read that these settings name. */
export const OCEAN_FILES = {
  carriersFile: async (text: string) => (await import("./sources/carriers.ts")).readCarriers(text),
  aisFile: async (text: string) => (await import("./sources/ais/ais-file.ts")).readAisFile(text),
};
