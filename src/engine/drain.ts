import { sleep } from "../runtime/sleep.ts";
import type { Clock } from "../runtime/clock.ts";
import type { CellEngine } from "./cell-engine.ts";
import type { Dispatch } from "./dispatch/dispatch.ts";
import type { EngineSettings } from "./settings.ts";

const CHECK_MS = 10;

/** Starts nothing more, releases what waits, and waits for open attempts. Returns false after `drainMs`. */
export async function drain(
  settings: EngineSettings,
  clock: Clock,
  engines: readonly CellEngine[],
  dispatch: Dispatch,
): Promise<boolean> {
  let expired = false;
  const cancel = clock.after(settings.drainMs, () => {
    expired = true;
  });
  dispatch.stop();
  const finish = async (): Promise<boolean> => {
    for (const engine of engines) await engine.stopClaiming();
    for (const engine of engines) await engine.releaseWaiting();
    while (dispatch.openCount() > 0 && !expired) await sleep(clock, CHECK_MS);
    for (const engine of engines) await engine.resultsWritten();
    return dispatch.openCount() === 0;
  };
  const outOfTime = async (): Promise<boolean> => {
    while (!expired) await sleep(clock, CHECK_MS);
    return false;
  };
  const clean = await Promise.race([finish(), outOfTime()]);
  cancel();
  expired = true;
  return clean;
}
