import type pg from "pg";

import { StartupError } from "../runtime/startup-error.ts";

/** The last version that moves cells between plain servers, and accounts between cells. */
const LAST_WITH_MOVES = "0.1.0";

type Row = Readonly<
  Record<"number" | "server" | "moving_to" | "moved_from" | "account_id" | "to_cell", string>
>;

/**
 * Throws `StartupError` at a store of an older version whose cells live on several plain servers, or with an open move:
 * that version ends what this one does not know any more. `schema` is the directory's.
 */
export async function refuseStranded(client: pg.Client, schema: string): Promise<void> {
  // Older versions still lack the columns, or the tables.
  const read = async (table: string): Promise<readonly Partial<Row>[]> => {
    const name = `"${schema}"."${table}"`;
    const { rows: there } = await client.query("select 1 where to_regclass($1) is not null", [name]);
    if (there.length === 0) return [];
    const { rows } = await client.query<{ row: Partial<Row> }>(`select to_jsonb(t) as row from ${name} as t`);
    return rows.map(({ row }) => row);
  };
  const cells = await read("cells");
  const moves = [
    ...(await read("account_moves")).map((row) => `boathook accounts move ${row.account_id} ${row.to_cell}`),
    ...cells
      .filter(({ moving_to: to, moved_from: from }) => (to ?? from ?? null) !== null)
      .map((row) => `boathook cells move ${row.number} ${row.moving_to || row.server || "directory"}`),
  ];
  const servers = [...new Set(cells.map(({ server }) => server ?? ""))].filter((name) => name !== "");
  const drains = servers.map((name) => `boathook cells drain ${name}`);
  if (moves.length === 0 && drains.length === 0) return;
  const what = [
    ...(moves.length > 0 ? ["with an open move"] : []),
    ...(servers.length > 0 ? [`whose cells live on several servers (${servers.join(", ")})`] : []),
  ];
  throw new StartupError(
    `The store is one ${what.join(" and ")}, which this version does not serve: cells live on one server, or on the nodes of ` +
      `Citus. Nothing was changed. Install version ${LAST_WITH_MOVES} again and run ${[...moves, ...drains].join(", then ")}; ` +
      "then start this version.",
  );
}
