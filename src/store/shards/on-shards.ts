import { sqlTokens, type SqlToken } from "../sql-tokens.ts";

/** The names under which a schema's tables are on their server. */
export type Shards = ReadonlyMap<string, string>;

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
