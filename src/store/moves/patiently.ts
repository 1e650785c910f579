import { StoreUnavailable } from "../../model/errors.ts";
import type { Session } from "./session.ts";

/** A session that waits for a lock makes others wait behind it: it rather gives up, and comes again. */
const LOCK_MS_MAX = 2_000;
const ATTEMPTS_MAX = 10;

/** Does the work in a transaction, and again while others hold the locks that it needs. */
export async function patiently(session: Session, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await session.run("begin");
    try {
      await session.run(`set local lock_timeout = ${LOCK_MS_MAX}`);
      await work();
      return await session.run("commit");
    } catch (cause) {
      await session.run("rollback").catch(() => undefined);
      const isBusy = cause instanceof StoreUnavailable && cause.reason === "contention";
      if (!isBusy || attempt === ATTEMPTS_MAX) throw cause;
    }
  }
}
