/** The settings of sailing schedules: whose feeds it reads, and what its events are raised by. */
import { count, duration, line, listOf } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const SCHEDULES_SETTINGS = {
  schedulesFile: setting({
    name: "BOATHOOK_SCHEDULES_FILE",
    kind: line("file, JSON"),
    default: null,
    about: "Schedule feeds and credentials (docs/schedule-feeds.md).",
    section: "files",
  }),
  cutOffWarningsMs: setting({
    name: "BOATHOOK_CUTOFF_WARNINGS",
    kind: listOf(duration("1m", "30d"), 10),
    default: "48h,24h",
    about: "Times before a cut-off to warn clients, once each.",
    section: "events",
  }),
  reliabilityNoticeMs: setting({
    name: "BOATHOOK_RELIABILITY_NOTICE",
    kind: duration("1d", "60d"),
    default: "14d",
    about: "Time before a call when its expected arrival is fixed for reliability.",
    section: "events",
  }),
  reliabilityWindowDays: setting({
    name: "BOATHOOK_RELIABILITY_WINDOW_DAYS",
    kind: count(7, 180),
    default: "90",
    about: "Days of arrivals that reliability covers.",
    section: "events",
  }),
  reliabilityDropPoints: setting({
    name: "BOATHOOK_RELIABILITY_DROP",
    kind: count(1, 100),
    default: "10",
    about: "Percentage points a service's reliability falls before clients are told.",
    section: "events",
  }),
};

export type SchedulesSettings = SettingsOf<typeof SCHEDULES_SETTINGS>;

/** How the files are read that these settings name. */
export const SCHEDULES_FILES = {
  schedulesFile: async (text: string) => (await import("./sources/feeds-file.ts")).readFeeds(text),
};
