import { createLoopMonitor, type LoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock } from "./clock.ts";
import { silentLog } from "./log.ts";

/** For a test that is not about what hangs: its clock stands, so that nothing is ever overdue. */
export const unwatchedLoops: LoopMonitor = createLoopMonitor(manualClock(), silentLog);
