/**
 * Creates, changes, reads and deletes the plans of an account, and raises their events (spec 6.2: plan_created,
 * plan_updated).
 */
import { isDeepStrictEqual } from "node:util";

import type { Engine } from "../../../engine/engine.ts";
import type { RaisedEvent } from "../../../model/event.ts";
import type { PageRequest } from "../../../model/page-request.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { FindTracked } from "../../../store/search/find.ts";
import * as store from "../store/plans.ts";
import { planFind } from "../store/plans.sql.ts";
import type { LoadRequest } from "../request/cargo.ts";
import type { ListedPlan, Plan, PlanDetail, PlanSummary } from "./plan-schema.ts";
import type { PlannerBusy, PlanResult, Planner } from "../planning/planner.ts";
import type { RequestView } from "../request/request-schema.ts";
import { requestView, storedRequestView } from "../request/request-view.ts";
import { storedPlanDetail } from "./plan-view.ts";
import { planGet } from "../store/plans.sql.ts";

export type PlanPorts = Pick<NodeContext, "database" | "clock" | "random"> &
  Pick<Engine, "raiseWithin"> & { readonly planner: Pick<Planner, "plan"> };

/** Plans of one account, kept until the client deletes them; the largest take megabytes each. */
export const PLANS_MAX = 1_000;

/** Raises `plan_created`. */
export async function createPlan(
  { raiseWithin, planner, clock, random }: PlanPorts,
  cell: Cell,
  accountId: string,
  request: LoadRequest,
): Promise<MadePlan | { readonly kind: "limit" } | PlannerBusy> {
  const planned = await planner.plan(accountId, request);
  if (planned.kind === "busy") return planned;
  const content = contentOf(request, planned);
  const atMs = clock.nowMs();
  const id = random.uuid(atMs);
  const createdAt = new Date(atMs);
  const stored: store.StoredPlan = { id, ...content, revision: 1, createdAt, updatedAt: createdAt };
  const raised = await raiseWithin(cell, async (tx) => {
    const isStored = await store.insertPlan(tx, cell, { id, accountId, ...content, atMs }, PLANS_MAX);
    return isStored ? [eventOf("plan_created", accountId, stored)] : null;
  });
  return raised === null ? { kind: "limit" } : { kind: "plan", plan: planView(stored) };
}

type MadePlan = { readonly kind: "plan"; readonly plan: Plan };

/**
 * Plans again and raises `plan_updated`. A request that equals the stored one changes nothing and raises nothing,
 * even if two equal requests are planned at the same time.
 */
export async function changePlan(
  { database, raiseWithin, planner, clock }: PlanPorts,
  cell: Cell,
  accountId: string,
  id: string,
  request: LoadRequest,
): Promise<MadePlan | { readonly kind: "missing" } | PlannerBusy> {
  const known = await planGet(database, cell, { accountId, id });
  if (known === null) return { kind: "missing" };
  const now = planView(known);
  if (isDeepStrictEqual(now.request, requestView(request))) return { kind: "plan", plan: now };
  const planned = await planner.plan(accountId, request);
  if (planned.kind === "busy") return planned;
  const content = contentOf(request, planned);
  const atMs = clock.nowMs();
  let stored = null as store.StoredPlan | null;
  await raiseWithin(cell, async (tx) => {
    const updated = await store.updatePlan(tx, cell, accountId, id, content, atMs);
    if (updated === null) {
      // Deleted in the meantime, or already planned from the same request.
      stored = await planGet(tx, cell, { accountId, id });
      return null;
    }
    stored = { id, ...content, ...updated, updatedAt: new Date(atMs) };
    return [eventOf("plan_updated", accountId, stored)];
  });
  return stored === null ? { kind: "missing" } : { kind: "plan", plan: planView(stored) };
}

/** Null: the account has no such plan. */
export async function readPlan(
  database: Connection,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<Plan | null> {
  const stored = await planGet(database, cell, { accountId, id });
  return stored === null ? null : planView(stored);
}

/** Newest first. */
export async function listPlans(
  database: Connection,
  cell: Cell,
  accountId: string,
  page: PageRequest,
): Promise<readonly ListedPlan[]> {
  return (await store.listPlans(database, cell, accountId, page)).map(listedView);
}

export const findPlans: FindTracked = async (database, cell, wanted, accountId, limit) => {
  const text = wanted.id === null ? wanted.text : null;
  const found = await planFind(database, cell, { accountId, id: wanted.id, text, limit });
  return found.map(({ name, revision, ...one }) => ({
    ...one,
    title: name ?? one.id,
    about: `revision ${revision}`,
  }));
};

function contentOf(
  request: LoadRequest,
  { summary, detail }: Extract<PlanResult, { kind: "planned" }>,
): store.PlanContent {
  return {
    name: request.name,
    request: JSON.stringify(requestView(request)),
    summary: JSON.stringify(summary),
    detail,
  };
}

function eventOf(
  type: "plan_created" | "plan_updated",
  accountId: string,
  { id, name, revision, summary, updatedAt }: store.StoredPlan,
): RaisedEvent {
  const data = { plan_id: id, name, revision, ...(JSON.parse(summary) as PlanSummary) };
  return {
    product: "loading",
    accountId,
    type,
    data: JSON.stringify(data),
    occurredAtMs: updatedAt.getTime(),
  };
}

function listedView({ id, name, revision, summary, createdAt, updatedAt }: store.ListedPlan): ListedPlan {
  return {
    id,
    name,
    revision,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    summary: JSON.parse(summary) as PlanSummary,
  };
}

function planView(stored: store.StoredPlan): Plan {
  const request = storedRequestView(JSON.parse(stored.request) as RequestView);
  return {
    ...listedView(stored),
    ...storedPlanDetail(request, JSON.parse(stored.detail) as PlanDetail),
    request,
  };
}
