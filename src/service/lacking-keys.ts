/** Watches for endpoints whose secret this node cannot open: another node has a master key that this one lacks. */
import { Gauge, type Registry } from "prom-client";

import { countUnopened } from "../engine/reseal.ts";
import type { MasterKeys } from "../engine/secret.ts";
import { createInterval, type Interval, type IntervalPorts } from "../runtime/interval.ts";
import { MINUTE_MS } from "../runtime/durations.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

/** Counting reads every endpoint of every cell: 0.3 s of PostgreSQL a million. */
const COUNT_EVERY_MS = 5 * MINUTE_MS;

export type KeyWatch = Interval & {
  /** What is wrong, by the name of the check; empty: nothing. */
  trouble(): Readonly<Record<string, string>>;
};

export function watchKeys(
  registry: Registry,
  {
    database,
    cells,
    masterKeys,
    ...ports
  }: IntervalPorts & {
    readonly database: Database;
    readonly cells: readonly Cell[];
    readonly masterKeys: MasterKeys;
  },
): KeyWatch {
  let lacking = 0;
  new Gauge({
    name: "boathook_unopened_endpoints",
    help: "Endpoints whose signing secret no master key of this node opens: it sends them nothing.",
    aggregator: "max",
    registers: [registry],
    collect() {
      this.set(lacking);
    },
  });
  const interval = createInterval(
    ports,
    { name: "keys", everyMs: COUNT_EVERY_MS },
    async () => {
      const { unopened } = await countUnopened(database, cells, masterKeys);
      lacking = unopened;
    },
    // The last count stays; the database's own check says that it is away.
    () => undefined,
  );
  return {
    ...interval,
    trouble: (): Readonly<Record<string, string>> =>
      lacking === 0
        ? {}
        : {
            "master keys": `this node lacks the master key of ${lacking} endpoints, and sends them nothing: set BOATHOOK_MASTER_KEY_PREVIOUS`,
          },
  };
}
