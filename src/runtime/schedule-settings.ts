/** The settings of sailing schedules: what their events are raised by. */
import { count, duration, listOf } from "./setting-kinds.ts";
import { setting } from "./setting.ts";

export const SCHEDULE_SETTINGS = {
  cutOffWarningsMs: setting({
    name: "BOATHOOK_CUTOFF_WARNINGS",
    kind: listOf(duration("1m", "30d"), 10),
    default: "48h,24h",
    about: "How long before a cut-off clients are told that it is near, once for each.",
  }),
  reliabilityNoticeMs: setting({
    name: "BOATHOOK_RELIABILITY_NOTICE",
    kind: duration("1d", "60d"),
    default: "14d",
    about: "How long before a call the arrival is fixed that the actual one is measured by.",
  }),
  reliabilityWindowDays: setting({
    name: "BOATHOOK_RELIABILITY_WINDOW_DAYS",
    kind: count(7, 180),
    default: "90",
    about: "Days of arrivals that a service's reliability is worked out over.",
  }),
  reliabilityDropPoints: setting({
    name: "BOATHOOK_RELIABILITY_DROP",
    kind: count(1, 100),
    default: "10",
    about: "Percentage points by which a service's reliability falls before clients are told.",
  }),
};
