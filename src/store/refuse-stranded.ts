import type pg from "pg";

import { StartupError } from "../runtime/startup-error.ts";
import { OF_ACCOUNTS } from "./cell.ts";

/** The last version that moves cells between plain servers, and accounts between cells. */
const LAST_WITH_MOVES = "0.1.0";

type Row = Readonly<
  Record<"number" | "kind" | "server" | "moving_to" | "moved_from" | "account_id" | "to_cell", string>
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
  const cells = (await read("cells")).toSorted((one, other) => Number(one.number) - Number(other.number));
  const nameOf = ({ number, kind = OF_ACCOUNTS }: Partial<Row>): string =>
    kind === OF_ACCOUNTS
      ? `${number}`
      : `${kind}_${cells.filter((one) => one.kind === kind).findIndex((one) => one.number === number)}`;
  const isMoving = ({ moving_to: to, moved_from: from }: Partial<Row>): boolean =>
    (to ?? from ?? null) !== null;
  const moving = cells.filter(isMoving);
  const accounts = await read("account_moves");
  const servers = [...new Set(cells.map(({ server }) => server ?? ""))].filter((name) => name !== "");
  const commands = [
    ...accounts.map((row) => `accounts move ${row.account_id} ${row.to_cell}`),
    ...moving.map((row) => `cells move ${nameOf(row)} ${(row.moving_to ?? row.server) || "directory"}`),
    ...cells
      .filter((row) => ((row.moving_to ?? row.server) || "") !== "")
      .map((row) => `cells move ${nameOf(row)} directory`),
  ].map((words) => `boathook ${words}`);
  if (commands.length === 0) return;
  const what = [
    ...(accounts.length + moving.length > 0 ? ["with an open move"] : []),
    ...(servers.length > 0 ? [`whose cells live on several servers (${servers.join(", ")})`] : []),
  ];
  throw new StartupError(
    `The store is one ${what.join(" and ")}, which this version does not serve: cells live on one server, or on the nodes of ` +
      `Citus. Nothing was changed. Install version ${LAST_WITH_MOVES} again and run ${commands.join(", then ")}; ` +
      "then start this version.",
  );
}
