import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { silentLog } from "./log.ts";

/** The machine's time, for tests that wait for real processes and sockets. */
export const realClock = startSystemClock(silentLog);
