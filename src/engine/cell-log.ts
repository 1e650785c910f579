/**
 * The log of one cell while its server is gone: each of its warnings once, then silence until the server answers, and
 * then how often each was repeated.
 *
 *     well ─(a statement fails of a fault that passes)─▶ ill ─(two heartbeats without such a fault in between)─▶ well
 */
import { StoreUnavailable } from "../model/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Cell } from "../store/cell.ts";

export function createCellLog(log: Log, { number }: Cell): { readonly log: Log; beat(): void } {
  /** How often each warning was repeated since it was logged. */
  const repeated = new Map<string, number>();
  let hasFailed = false;
  return {
    log: {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      error: (fields, message) => log.error(fields, message),
      warn(fields, message) {
        const { err, cause = err }: { readonly err?: unknown; readonly cause?: unknown } = fields;
        if (!(cause instanceof StoreUnavailable)) return log.warn(fields, message);
        hasFailed = true;
        const times = repeated.get(message);
        repeated.set(message, times === undefined ? 0 : times + 1);
        if (times === undefined) log.warn({ ...fields, cell: number }, message);
      },
    },
    /** Call it at each heartbeat. */
    beat(): void {
      const isWell = !hasFailed;
      hasFailed = false;
      if (!isWell || repeated.size === 0) return;
      const counts = Object.fromEntries([...repeated].filter(([, times]) => times > 0));
      repeated.clear();
      if (Object.keys(counts).length > 0)
        log.info({ cell: number, repeated: counts }, "the cell's database answers again");
    },
  };
}
