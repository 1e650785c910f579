import type { Clock } from "../runtime/clock.ts";
import { sleep } from "../runtime/sleep.ts";
import type { CellEngine } from "./cell-engine.ts";
import type { Dispatch } from "./dispatch/dispatch.ts";
import type { EngineSettings } from "./settings.ts";

const CHECK_MS = 10;

/** Starts nothing more, releases what waits, and waits for open attempts. Returns the cells that are done by `drainMs`. */
export async function drain(
  settings: EngineSettings,
  clock: Clock,
  engines: readonly CellEngine[],
  dispatch: Dispatch,
): Promise<ReadonlySet<CellEngine>> {
  const drained = new Set<CellEngine>();
  let expired = false;
  const cancel = clock.after(settings.drainMs, () => {
    expired = true;
  });
  dispatch.stop();
  const attemptsEnded = async (): Promise<void> => {
    while (dispatch.openCount() > 0 && !expired) await sleep(clock, CHECK_MS);
  };
  const ended = attemptsEnded();
  const finish = async (engine: CellEngine): Promise<void> => {
    await engine.stopClaiming();
    await engine.releaseWaiting();
    await ended;
    await engine.resultsWritten();
    if (dispatch.openCount() === 0 && !expired) drained.add(engine);
  };
  const outOfTime = async (): Promise<void> => {
    while (!expired) await sleep(clock, CHECK_MS);
  };
  await Promise.race([Promise.all(engines.map(finish)), outOfTime()]);
  cancel();
  expired = true;
  return new Set(drained);
}
