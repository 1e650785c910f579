/** The settings of sailing schedules: whose feeds it reads, and what its events are raised by. */
import { count, duration, line, listOf } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const SCHEDULES_SETTINGS = {
  schedulesFile: setting({
    name: "BOATHOOK_SCHEDULES_FILE",
    kind: line("file, JSON"),
    default: null,
    about:
      "The feeds of sailing schedules that are asked, or push, and their credentials (docs/schedule-feeds.md).",
    section: "files",
  }),
  cutOffWarningsMs: setting({
    name: "BOATHOOK_CUTOFF_WARNINGS",
    kind: listOf(duration("1m", "30d"), 10),
    default: "48h,24h",
    about: "How long before a cut-off clients are told that it is near, once for each.",
    section: "events",
  }),
  reliabilityNoticeMs: setting({
    name: "BOATHOOK_RELIABILITY_NOTICE",
    kind: duration("1d", "60d"),
    default: "14d",
    about: "How long before a call the arrival is fixed that the actual one is measured by.",
    section: "events",
  }),
  reliabilityWindowDays: setting({
    name: "BOATHOOK_RELIABILITY_WINDOW_DAYS",
    kind: count(7, 180),
    default: "90",
    about: "Days of arrivals that a service's reliability is worked out over.",
    section: "events",
  }),
  reliabilityDropPoints: setting({
    name: "BOATHOOK_RELIABILITY_DROP",
    kind: count(1, 100),
    default: "10",
    about: "Percentage points by which a service's reliability falls before clients are told.",
    section: "events",
  }),
};

export type SchedulesSettings = SettingsOf<typeof SCHEDULES_SETTINGS>;

/** How the files are read that these settings name. */
export const SCHEDULES_FILES = {
  schedulesFile: async (text: string) => (await import("./sources/feeds-file.ts")).readFeeds(text),
};
