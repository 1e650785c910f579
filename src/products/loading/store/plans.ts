/** Load plans as they are stored: the request and what came of it, as JSON opaque to the store. */
import type { PageRequest } from "../../../model/page-request.ts";
import { requireOpen } from "../../../store/accounts/accounts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { planDelete, type planGet, planInsert, planList, planUpdate } from "./plans.sql.ts";

/** A plan as lists show it. */
export type ListedPlan = RowOf<typeof planList>;

export type StoredPlan = RowOf<typeof planGet>;

/** What a plan is made of; each but the name is JSON. */
export type PlanContent = Pick<StoredPlan, "name" | "request" | "summary" | "detail">;

/** Sorts behind every id there is, where a list begins at its newest. */
const MAX_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** False: the account has `plansMax` already, and nothing is stored. */
export async function insertPlan(
  tx: Connection,
  cell: Cell,
  plan: PlanContent & { readonly id: string; readonly accountId: string; readonly atMs: number },
  plansMax: number,
): Promise<boolean> {
  const { id, accountId, name, request, summary, detail, atMs } = plan;
  const inserted = await planInsert(tx, cell, {
    id,
    accountId,
    name,
    request,
    summary,
    detail,
    at: new Date(atMs),
    plansMax,
  });
  if (inserted.length === 0) await requireOpen(tx, cell, accountId);
  return inserted.length > 0;
}

/** Null: the account has no such plan, or it is made from that very request. `revision` is the new one. */
export async function updatePlan(
  tx: Connection,
  cell: Cell,
  accountId: string,
  id: string,
  { name, request, summary, detail }: PlanContent,
  atMs: number,
): Promise<{ readonly revision: number; readonly createdAt: Date } | null> {
  const at = new Date(atMs);
  const updated = await planUpdate(tx, cell, { accountId, id, name, request, summary, detail, at });
  if (updated === null) await requireOpen(tx, cell, accountId);
  return updated;
}

/** An account's plans, newest first, from the one after `afterId` on. */
export function listPlans(db: Connection, cell: Cell, accountId: string, { afterId, limit }: PageRequest) {
  return planList(db, cell, { accountId, afterId: afterId ?? MAX_ID, limit });
}

/** False: the account has no such plan. */
export async function deletePlan(db: Connection, cell: Cell, accountId: string, id: string) {
  const deleted = await planDelete(db, cell, { accountId, id });
  if (deleted.length === 0) await requireOpen(db, cell, accountId);
  return deleted.length > 0;
}
