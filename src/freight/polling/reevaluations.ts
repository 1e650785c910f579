/**
 * Looks that time alone makes due: a box is arriving, free time ends, a sailing has not left. They ask no
 * carrier, so that one that is down keeps nobody's clock from going on.
 *
 *     idle ─(go)─▶ claiming ─▶ reading and saving, all of a batch together ─▶ claiming ─(fewer than a batch)─▶ idle
 */
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { claimReevaluations, type ClaimedShipment } from "./store/polls.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import type { OutageLog } from "./outage.ts";
import type { PollUpdate } from "./poll-handler.ts";

export type Reevaluations = {
  /** Looks at all that is due in these cells, unless that is under way. */
  run(cells: readonly Cell[]): void;
  stop(): void;
  /** Resolves when nothing is under way. */
  ended(): Promise<void>;
};

export function createReevaluations(
  ports: {
    readonly database: Connection;
    readonly clock: Clock;
    readonly log: Log;
    readonly loops: LoopMonitor;
  },
  product: string,
  atTime: (cell: Cell, claimed: ClaimedShipment) => Promise<PollUpdate>,
  outage: OutageLog,
  settings: { readonly batchMax: number; readonly leaseMs: number },
  save: (cell: Cell, finding: PollUpdate) => Promise<void>,
): Reevaluations {
  const { clock, database, log } = ports;
  const pulse = ports.loops.watch(`time looks of ${product}`, settings.leaseMs);
  pulse.idle();
  let underWay: Promise<void> | null = null;
  let isStopped = false;

  const lookAtAll = async (cells: readonly Cell[]): Promise<void> => {
    for (const cell of cells) {
      let claimed = settings.batchMax;
      while (claimed === settings.batchMax && !isStopped) claimed = await lookAtBatch(cell);
    }
  };

  /** How many there were. */
  const lookAtBatch = async (cell: Cell): Promise<number> => {
    const { batchMax, leaseMs } = settings;
    pulse.progress();
    const claims = await claimReevaluations(database, cell, product, batchMax, clock.nowMs(), leaseMs);
    outage.ended();
    await Promise.all(
      claims.map(async (claimed) => {
        try {
          await save(cell, await atTime(cell, claimed));
        } catch (error) {
          // Its claim runs out, and it is due again then.
          log.error({ error, shipment: claimed.id }, "a look broke off");
        }
      }),
    );
    return claims.length;
  };

  return {
    run(cells) {
      underWay ??= lookAtAll(cells)
        .catch(outage.began)
        .finally(() => {
          underWay = null;
          pulse.idle();
        });
    },
    stop() {
      isStopped = true;
      pulse.end();
    },
    async ended() {
      await underWay;
    },
  };
}
