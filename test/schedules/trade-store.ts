/** Runs the simulated trade on the store: every fetch, check and end of a day, as the service runs them. */
import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import type { EventDraft } from "../../src/products/schedules/events/event-draft.ts";
import type { LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import { readCallRecord } from "../../src/products/schedules/calls/call-row.ts";

import { inEachCell, openScene, SETTINGS } from "./scene.ts";
import { compare, type TradeComparison } from "./trade-comparison.ts";
import type { Plan } from "./trade.ts";

/** Does each step twice: a repeated step must raise nothing. */
export async function compareInStore(trade: LinerTrade, plan: Plan): Promise<TradeComparison> {
  const { on, ports: scene } = await openScene();
  let isWoken = false;
  const ports = { ...scene, wake: () => void (isWoken = true) };
  let seen = 0;
  /** The events since the last call. */
  const newEvents = async (): Promise<readonly EventDraft[]> => {
    if (!isWoken) return [];
    isWoken = false;
    await on.forward();
    const { rows } = await on.queryIn(
      ports.cells[0],
      `select type, dedup_key as key, data from cell.broadcasts order by id offset ${seen}`,
    );
    seen += rows.length;
    return rows.map(({ type, key, data }: { type: string; key: string; data: string }) => ({
      type,
      key,
      data: JSON.parse(data) as object,
    }));
  };
  try {
    return await compare(trade, plan, {
      async ingest(update) {
        await ingest(ports, SETTINGS, update);
        const again = await ingest(ports, SETTINGS, update);
        if (again.changed + again.added + again.events > 0)
          throw new Error(`ingested again: ${JSON.stringify(again)}`);
        return newEvents();
      },
      async check(nowMs) {
        for (let times = 0; times < 2; times += 1) {
          while (await inEachCell(ports, (own) => processDueCalls(own, SETTINGS, nowMs)));
          await inEachCell(ports, (own) => computeServiceDays(own, SETTINGS, nowMs));
        }
        return newEvents();
      },
      async records() {
        const rows = await on.queryEach(
          on.productCells.of("schedules").all,
          "select record from cell.port_calls",
        );
        return rows.map(({ record }: { record: string }) => readCallRecord(record));
      },
    });
  } finally {
    await on.drop();
  }
}
