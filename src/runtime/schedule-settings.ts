/** The settings of sailing schedules: what their events are raised by. */
import { count, duration, listOf } from "./setting-kinds.ts";
import { setting } from "./setting.ts";

export const SCHEDULE_SETTINGS = {
  cutOffWarningsMs: setting({
    name: "BOATHOOK_CUTOFF_WARNINGS",
    kind: listOf(duration("1m", "30d"), 10),
    default: "48h,24h",
    about: "Times before a cut-off to warn clients, once each.",
  }),
  reliabilityNoticeMs: setting({
    name: "BOATHOOK_RELIABILITY_NOTICE",
    kind: duration("1d", "60d"),
    default: "14d",
    about: "Time before a call when its expected arrival is fixed for reliability.",
  }),
  reliabilityWindowDays: setting({
    name: "BOATHOOK_RELIABILITY_WINDOW_DAYS",
    kind: count(7, 180),
    default: "90",
    about: "Days of arrivals that reliability covers.",
  }),
  reliabilityDropPoints: setting({
    name: "BOATHOOK_RELIABILITY_DROP",
    kind: count(1, 100),
    default: "10",
    about: "Percentage points a service's reliability falls before clients are told.",
  }),
};
