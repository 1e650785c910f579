/**
 * A cell of Citus on the worker that holds it. Citus plans each statement at each execution, which costs several times
 * what a plain PostgreSQL costs, and it refuses some. So statements name the tables in which Citus keeps the cell's
 * rows, its shards, and PostgreSQL plans them as any other. A trigger on the shards holds off moves of the cell
 * (migrations/cell/020_distributed.sql, docs/decisions/store-cells-on-citus.md).
 */
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { sqlTokens, type SqlToken } from "../sql-tokens.ts";
import * as sql from "./statements.ts";

/** The shard of each of the cell's tables. It keeps its name when the cell moves. */
export type Shards = ReadonlyMap<string, string>;

/**
 * Guards the cell's shards on this server, which must come before any statement on them, and after each move; tells their
 * names. Empty: the cell is not distributed, or not here.
 */
export async function guardShards(db: Connection, cell: Cell): Promise<Shards> {
  return new Map((await db.rows(sql.shardGuard(cell), [])).map(({ name, shard }) => [name, shard]));
}

/** What may follow a table that has no alias. */
const CLAUSES = new Set(
  "cross default for full group inner join left limit natural offset on order overriding returning right select set union using values where".split(
    " ",
  ),
);

/** The text of a statement with shards for the tables `cell.name`, which keep their names as aliases. */
export function onShards(text: string, shards: Shards): string {
  const tokens = [...sqlTokens(text)];
  return tokens
    .map((token, index) => {
      const [outer, qualifier, dot] = [1, 2, 3].map((back) => tokens[index - 4 + back]?.text);
      const isOfCell = dot === "." && qualifier === "cell" && outer !== ".";
      const shard = isOfCell ? shards.get(token.text) : undefined;
      if (shard === undefined) return token.text;
      return hasAlias(tokens.slice(index + 1)) ? shard : `${shard} as ${token.text}`;
    })
    .join("");
}

function hasAlias(following: readonly SqlToken[]): boolean {
  const next = following.find(({ kind }) => kind !== "space" && kind !== "comment");
  return next?.kind === "word" && !CLAUSES.has(next.text);
}
