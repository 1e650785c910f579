/**
 * The start of one cell's engine.
 *
 *     created ─(start, or startSoon)─▶ starting ─▶ started
 *        ▲                                │ its server cannot be reached
 *        └───────(startLater)─────────────┘
 */
import { failureLevel, STORE_FAULTS, StoreUnavailable } from "../model/errors.ts";
import type { Cancel } from "../runtime/clock.ts";
import type { Cell } from "../store/cell.ts";
import type { EngineContext } from "./engine-context.ts";

export const NOT_STARTED = "the server of the cell cannot be reached yet";

/** After a start that failed. */
const START_AGAIN_MS = 1_000;

export function createCellStart(
  cell: Cell,
  { clock, log }: Pick<EngineContext, "clock" | "log">,
  run: () => Promise<void>,
) {
  let isStarted = false;
  let isStopped = false;
  let starting: Promise<void> = Promise.resolve();
  let cancel: Cancel = () => undefined;

  async function start(): Promise<void> {
    await run();
    isStarted = true;
  }

  function tryToStart(startedText: string): void {
    starting = start().then(
      () => log.info({ cell: cell.number }, startedText),
      (cause: unknown) => {
        log[failureLevel(cause) === "warn" ? "debug" : "error"]({ cell: cell.number, cause }, NOT_STARTED);
        if (!isStopped) startLater(startedText);
      },
    );
  }

  function startLater(startedText = "a cell is back"): void {
    cancel = clock.after(START_AGAIN_MS, () => tryToStart(startedText));
  }

  return {
    start,
    /** Starts once the cell's server can be reached. */
    startLater: () => startLater(),
    /** The same, and tries at once: the cell was added while the process runs. */
    startSoon: () => tryToStart("a cell was added, and is used here"),
    isStarted: (): boolean => isStarted,
    /** Throws `StoreUnavailable` until it has. */
    requireStarted(): void {
      if (!isStarted) throw new StoreUnavailable(STORE_FAULTS.unreachable, { commitUnknown: false });
    },
    /** Starts no more; resolves when no start is running. */
    stop(): Promise<void> {
      isStopped = true;
      cancel();
      return starting;
    },
  };
}
