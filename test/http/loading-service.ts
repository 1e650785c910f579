/** A service whose plan routes work on the store and plan at once, in few steps; what is raised is written down. */
import { planDetail, planSummary } from "../../src/products/loading/plan/plan-view.ts";
import type { PlanPorts } from "../../src/products/loading/plan/plans.ts";
import { planLoad } from "../../src/products/loading/planning/load-plan.ts";
import type { PlannerBusy } from "../../src/products/loading/planning/planner.ts";
import { planRoutes } from "../../src/products/loading/routes/routes.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import {
  sendWithKey,
  createCaller,
  startService,
  type Answer,
  type Method,
  type TestService,
} from "../support/service.ts";

export const PLANS = "/loading/v1/plans";
export const NOBODYS = "01900000-0000-7000-8000-000000000002";

export const PALLET = { length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400 };
export const REQUEST = {
  name: "Order 4711",
  cargo: [{ id: "pallet", ...PALLET, count: 20 }],
  containers: [{ type: "20GP" }, { type: "40HC", count: 2 }],
};

/** The planning itself has tests of its own. */
const STEPS = 2_000;

export type LoadingService = TestService & {
  readonly raised: RaisedEvent[];
  /** Events cannot be written now. */
  refusesEvents: boolean;
  /** Why nothing is planned now. */
  busy: PlannerBusy["reason"] | null;
  /** A key of a new account that may have plans made. */
  planner(): Promise<{ readonly key: string; readonly accountId: string }>;
  ask(key: string, method: Method, path?: string, payload?: object): Promise<Answer>;
};

export async function startLoadingService(): Promise<LoadingService> {
  const raised: RaisedEvent[] = [];
  const ports: Pick<PlanPorts, "planner" | "raiseWithin"> = {
    planner: {
      async plan(_accountId, request) {
        if (service.busy !== null) return { kind: "busy", reason: service.busy };
        const plan = planLoad(request, STEPS);
        const detail = JSON.stringify(planDetail(request, plan));
        return { kind: "planned", summary: planSummary(request, plan), detail };
      },
    },
    raiseWithin: async (_cell, change) => {
      const events = await service.test.database.transaction(async (tx) => {
        const added = await change(tx);
        if (service.refusesEvents) throw new Error("the events cannot be written");
        raised.push(...(added ?? []));
        return added;
      });
      return events === null ? null : { accepted: events.length, duplicates: 0, deliveries: 0 };
    },
  };
  const started = await startService(
    { productRoutes: new Map([["loading", planRoutes(ports)]]) },
    { cells: 1 },
  );
  const service: LoadingService = Object.assign(started, {
    raised,
    refusesEvents: false,
    busy: null,
    planner: () => createCaller(started, "loading", ["loading"]),
    ask: (key: string, method: Method, path = "", payload?: object) =>
      sendWithKey(started, key, method, PLANS + path, payload),
  });
  return service;
}
