/** Load planning's running parts: the thread on which plans are made, and what clients may do with theirs. */
import type { Engine } from "../../engine/engine.ts";
import type { LoadPlanning } from "./routes/planning.ts";
import { createPlanner } from "./planning/planner.ts";
import { changePlan, createPlan, deletePlan, listPlans, readPlan, type PlanPorts } from "./plan/plans.ts";
import type { NodeContext } from "../../store/node-context.ts";

export type LoadingPorts = Pick<NodeContext, "database" | "clock" | "random"> & {
  readonly engine: Pick<Engine, "raiseWithin">;
};

export type Loading = {
  readonly planning: LoadPlanning;
  /** Makes no plan any more; who waits for one is told that the service failed. */
  stop(): Promise<void>;
};

/** The thread begins with the first plan. */
export function startLoading({ database, engine, clock, random }: LoadingPorts): Loading {
  const desk = createPlanner(clock);
  const raiseWithin: PlanPorts["raiseWithin"] = (cell, change) => engine.raiseWithin(cell, change);
  const ports: PlanPorts = { database, raiseWithin, planner: desk, clock, random };
  return {
    planning: {
      create: (cell, accountId, request) => createPlan(ports, cell, accountId, request),
      change: (cell, accountId, id, request) => changePlan(ports, cell, accountId, id, request),
      read: (cell, accountId, id) => readPlan(ports, cell, accountId, id),
      list: (cell, accountId, page) => listPlans(ports, cell, accountId, page),
      remove: (cell, accountId, id) => deletePlan(ports, cell, accountId, id),
    },
    stop: desk.stop,
  };
}
