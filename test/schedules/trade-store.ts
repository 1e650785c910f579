/** Runs the simulated trade on the store: every fetch, check and end of a day, as the service runs them. */
import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import type { EventDraft } from "../../src/products/schedules/events/event-draft.ts";
import type { LinerTrade } from "../../packages/simulator/src/liners/trade.ts";

import { openScene, SETTINGS } from "./scene.ts";
import { compare, type TradeComparison } from "./trade-comparison.ts";
import type { Plan } from "./trade.ts";

/** Does each step twice: a repeated step must raise nothing. */
export async function compareInStore(trade: LinerTrade, plan: Plan): Promise<TradeComparison> {
  const { on, ports: scene, raised, records } = await openScene();
  let isWoken = false;
  const ports = { ...scene, wake: () => void (isWoken = true) };
  let seen = 0;
  /** The events since the last call. */
  const newEvents = async (): Promise<readonly EventDraft[]> => {
    if (!isWoken) return [];
    isWoken = false;
    const events = (await raised()).slice(seen);
    seen += events.length;
    return events;
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
          while (await processDueCalls(ports, SETTINGS, nowMs));
          await computeServiceDays(ports, SETTINGS, nowMs);
        }
        return newEvents();
      },
      records,
    });
  } finally {
    await on.drop();
  }
}
