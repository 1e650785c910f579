import Type from "typebox";

import { callerOf } from "../../../src/http/authenticate.ts";
import { answer } from "../../../src/http/envelope.ts";
import type { Route } from "../../../src/http/product.ts";
import type { ProductStart, RunningProduct } from "../../../src/products/manifest.ts";
import { createInterval, type Interval } from "../../../src/runtime/interval.ts";
import type { RailSettings } from "./settings.ts";
import { trainInsert, trainsDepart } from "./store/trains.sql.ts";

export async function startRail(context: ProductStart, settings: RailSettings): Promise<RunningProduct> {
  const poller = createPoller(context, settings.railPollIntervalMs);
  if (context.polls) poller.start();
  return { routes: { keyed: [followRoute(context)], open: [] }, stop: poller.stop };
}

/** `POST /v1/trains`: has a train followed. */
function followRoute({ database, clock, random }: ProductStart): Route {
  return (app, { product }) => {
    const body = Type.Object({ train: Type.Integer({ minimum: 1 }) });
    app.post("/v1/trains", { schema: { body } }, async (request, reply) => {
      const { account, cell } = callerOf(request);
      const { train } = request.body;
      await trainInsert(database, cell, random.uuid(clock.nowMs()), account.id, train);
      return answer(reply, product, 201, { train });
    });
  };
}

/** Trains of even numbers have left. */
function createPoller({ clock, loops, log, cells, engine }: ProductStart, everyMs: number): Interval {
  const round = async (): Promise<void> => {
    for (const cell of cells) {
      await engine.raiseWithin(cell, async (tx) => {
        const left = await trainsDepart(tx, cell);
        return left.map(({ accountId, train }) => ({
          product: "rail",
          accountId,
          type: "train_departed",
          data: JSON.stringify({ train }),
          occurredAtMs: clock.nowMs(),
        }));
      });
    }
  };
  return createInterval({ clock, loops }, { name: "rail", everyMs }, round, (cause) =>
    log.error({ cause }, "trains could not be polled"),
  );
}
