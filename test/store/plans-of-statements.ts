/** How PostgreSQL carries a statement out, as it plans it in our sessions. */
import pg from "pg";

import { connectionConfig, type DatabaseAddress } from "../../src/store/database.ts";

export type PlanNode = {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
};

export type Given = readonly (string | number | Date | null)[];

/** With the planner settings of all our sessions (store/database.ts). */
export async function openPlanner(address: DatabaseAddress) {
  const options = "-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off";
  const client = new pg.Client({ ...connectionConfig(address), options });
  await client.connect();
  return {
    /** All nodes of its plan once it has run; `types` are those of its parameters. */
    async planOf(text: string, types: string, given: Given): Promise<readonly PlanNode[]> {
      await client.query(`prepare asked (${types}) as ${text}`);
      const literals = given.map((value) =>
        value === null
          ? "null"
          : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
      );
      const { rows } = await client.query(
        `explain (analyze, format json) execute asked (${literals.join(", ")})`,
      );
      await client.query("deallocate asked");
      return nodesOf(rows[0]["QUERY PLAN"][0].Plan as PlanNode);
    },
    close: () => client.end(),
  };
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
