import { DAY_MS } from "../../../runtime/durations.ts";

/** An arrival longer after the departure is one of another round. */
export const AT_SEA_MS_MAX = 70 * DAY_MS;
