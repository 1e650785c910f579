import type { LoadRequest } from "../request/cargo.ts";
import type { ListedPlan, Plan } from "../plan/plan-schema.ts";
import type { ChangeResult, CreateResult } from "../plan/plans.ts";
import type { Cell } from "../../../store/cell.ts";
import type { PageRequest } from "../../../model/page-request.ts";

/** What the routes do with plans. An id is a UUID in lower case. */
export type LoadPlanning = {
  create(cell: Cell, accountId: string, request: LoadRequest): Promise<CreateResult>;
  change(cell: Cell, accountId: string, id: string, request: LoadRequest): Promise<ChangeResult>;
  /** Null: the account has no such plan. */
  read(cell: Cell, accountId: string, id: string): Promise<Plan | null>;
  list(cell: Cell, accountId: string, page: PageRequest): Promise<readonly ListedPlan[]>;
  /** False: the account has no such plan. */
  remove(cell: Cell, accountId: string, id: string): Promise<boolean>;
};
