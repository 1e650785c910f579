/** Whether this process can serve at the moment (`/readyz`): its database answers, and it is not on its way out. */
import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { takesWrites } from "../store/answering.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

export type Readiness = {
  /** Why not, or null. */
  notReady(): Promise<string | null>;
  /** Says that the process is ending, from now on. */
  ending(): void;
};

/** A database that takes longer is as good as gone. */
const ANSWER_MS_MAX = 2_000;

export function watchReadiness(database: Database, cell: Cell, clock: Clock): Readiness {
  let isEnding = false;
  /** Whoever asks meanwhile gets the same answer: a probe never costs more than one connection. */
  let asking: Promise<string | null> | null = null;

  async function ask(): Promise<string | null> {
    try {
      return (await takesWrites(database, cell)) ? null : "the database takes no writes";
    } catch (error) {
      if (error instanceof StoreUnavailable) return error.message;
      throw error;
    } finally {
      asking = null;
    }
  }

  return {
    ending() {
      isEnding = true;
    },
    async notReady() {
      if (isEnding) return "the service is stopping";
      asking ??= ask();
      let cancel = () => {};
      const late = new Promise<string>((resolve) => {
        cancel = clock.after(ANSWER_MS_MAX, () =>
          resolve(`the database has not answered in ${ANSWER_MS_MAX} ms`),
        );
      });
      return Promise.race([asking, late]).finally(() => cancel());
    },
  };
}
