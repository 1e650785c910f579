/** Loaded into a test's process by `--import`: notes the name of every statement that it runs, once. */
import { appendFileSync } from "node:fs";

import pg from "pg";

const file = process.env["BOATHOOK_MUTATION_RECORD"];
const seen = new Set<string>();
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;

pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
  const name = (given[0] as { name?: unknown } | null)?.name;
  if (file !== undefined && typeof name === "string" && !seen.has(name)) {
    seen.add(name);
    appendFileSync(file, `${name.split("@")[0]}\n`);
  }
  return query.apply(this, given);
} as typeof pg.Client.prototype.query;
