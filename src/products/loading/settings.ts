/** The settings of load planning: how many plans are made at once. */
import { count } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const LOADING_SETTINGS = {
  planThreads: setting("BOATHOOK_PLAN_THREADS", count(1, 64), null, {
    about:
      "Load plans made at once by each worker; of two or more, one thread is for small plans. Unset: a worker's share of the cores, two at least.",
  }),
};

export type LoadingSettings = SettingsOf<typeof LOADING_SETTINGS>;
