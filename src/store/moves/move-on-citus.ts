/** A move by Citus itself: it copies the schema to the other worker while nodes write, and holds them up at the end. */
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../cell.ts";
import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";

/** A transaction that stays open holds up the move, and the move all writers of the cell (store-cells-on-citus.md). */
const LOCK_TIMEOUT = "5s";
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 2_000;

const LIMIT: Statement = {
  name: "citus_move_limit",
  text: `select set_config('lock_timeout', '${LOCK_TIMEOUT}', false), set_config('statement_timeout', '0', false)`,
};

const MOVE: Statement<object, [string, string, number]> = {
  name: "citus_move",
  text: `
    select citus_schema_move($1::text::regnamespace, $2::text, $3::integer, 'force_logical')`,
};

/** Moves the cell to the worker `host:port`. Of a process that is killed Citus itself clears up what it leaves. */
export async function moveOnCitus(
  database: Database,
  cell: Cell,
  server: string,
  clock: Clock,
  onBusy: () => void,
): Promise<void> {
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(server) ?? [];
  const coordinator = await database.owner(cell).dedicated(() => undefined);
  try {
    await coordinator.rows(LIMIT, []);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await coordinator.rows(MOVE, [cell.schema, host, Number(port)]);
        return;
      } catch (cause) {
        const isBusy = cause instanceof StoreUnavailable && cause.reason === "contention";
        if (!isBusy || attempt === ATTEMPTS_MAX) throw cause;
      }
      onBusy();
      await sleep(clock, PAUSE_MS);
    }
  } finally {
    await coordinator.close();
  }
}
