import { duration } from "../../../src/runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../../src/runtime/setting.ts";

export const RAIL_SETTINGS = {
  railPollIntervalMs: setting("BOATHOOK_RAIL_POLL_INTERVAL", duration("10ms", "1h"), "30s", {
    about: "Time between two polls of trains.",
    section: "polling",
  }),
};

export type RailSettings = SettingsOf<typeof RAIL_SETTINGS>;
