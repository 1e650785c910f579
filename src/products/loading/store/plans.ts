/** Load plans as they are stored: the request and what came of it, as JSON that nobody here reads. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

/** What a plan is made of; each but the name is JSON. */
export type PlanContent = {
  readonly name: string | null;
  readonly request: string;
  readonly summary: string;
  readonly detail: string;
};

/** A plan as lists show it. */
export type ListedPlan = {
  readonly id: string;
  readonly name: string | null;
  readonly revision: number;
  readonly summary: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type StoredPlan = ListedPlan & PlanContent;

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
  const at = new Date(atMs);
  const rows = await tx.rows(sql.planInsert(cell), [
    id,
    accountId,
    name,
    request,
    summary,
    detail,
    at,
    plansMax,
  ]);
  return rows.length > 0;
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
  const [row] = await tx.rows(sql.planUpdate(cell), [accountId, id, name, request, summary, detail, at]);
  return row ?? null;
}

/** Null: the account has no such plan. */
export async function getPlan(
  connection: Connection,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<StoredPlan | null> {
  const [row] = await connection.rows(sql.planGet(cell), [accountId, id]);
  return row ?? null;
}

/** An account's plans, newest first, from the one after `afterId` on. */
export function listPlans(
  connection: Connection,
  cell: Cell,
  accountId: string,
  { afterId, limit }: { readonly afterId: string | null; readonly limit: number },
): Promise<readonly ListedPlan[]> {
  return connection.rows(sql.planList(cell), [accountId, afterId ?? MAX_ID, limit]);
}

/** False: the account has no such plan. */
export async function deletePlan(
  connection: Connection,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  return (await connection.rows(sql.planDelete(cell), [accountId, id])).length > 0;
}
