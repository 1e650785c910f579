/** The settings of sailing schedules: whose feeds it reads, and what its events are raised by. */
import { count, duration, line, listOf } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const SCHEDULES_SETTINGS = {
  schedulesFile: setting("BOATHOOK_SCHEDULES_FILE", line("file, JSON"), null, {
    about: "Schedule feeds and credentials (docs/schedules.md).",
    section: "files",
  }),
  transshipmentMs: setting("BOATHOOK_TRANSSHIPMENT_TIME", duration("1h", "10d"), "1d", {
    about: "Least time from a vessel's arrival to the next one's departure in connections.",
    section: "service",
  }),
  cutOffWarningsMs: setting("BOATHOOK_CUTOFF_WARNINGS", listOf(duration("1m", "30d"), 10), "48h,24h", {
    about: "Times before a cut-off to warn clients, once each.",
    section: "events",
  }),
  reliabilityNoticeMs: setting("BOATHOOK_RELIABILITY_NOTICE", duration("1d", "60d"), "14d", {
    about: "Time before a call when its expected arrival is fixed for reliability.",
    section: "events",
  }),
  reliabilityWindowDays: setting("BOATHOOK_RELIABILITY_WINDOW_DAYS", count(7, 180), "90", {
    about: "Days of arrivals that reliability covers.",
    section: "events",
  }),
  reliabilityDropPoints: setting("BOATHOOK_RELIABILITY_DROP", count(1, 100), "10", {
    about: "Percentage points a service's reliability falls before clients are notified.",
    section: "events",
  }),
};

export type SchedulesSettings = SettingsOf<typeof SCHEDULES_SETTINGS>;

/** How the files are read that these settings name. */
export const SCHEDULES_FILES = {
  schedulesFile: async (text: string) => (await import("./sources/feeds-file.ts")).readFeeds(text),
};
