/**
 * Which cells this process can serve. Cells of one server share a check of it; servers are checked side by side, and
 * one that does not answer in time is ill.
 */
import { Gauge, type Registry } from "prom-client";

import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { DirectoryFeed } from "../store/accounts/directory-feed.ts";
import { nameOfCell, type Cell } from "../store/cell.ts";
import type { Connection, Database } from "../store/database.ts";
import { isWritable } from "../store/writable.ts";
import { withTimeout, type Check } from "./readiness.ts";

export type CellHealth = {
  /** By name, those of accounts and of products. */
  known(): readonly string[];
  /** Why cells cannot be served, by name. */
  ill(): Promise<ReadonlyMap<string, string>>;
  /** Why none of the accounts' can be served, or null. Without those of products, deliveries go on. */
  noneWell: Check;
};

export type CellHealthPorts = {
  readonly database: Pick<Database, "rows" | "homeOf">;
  /** Grows while the process runs. */
  readonly cells: readonly Cell[];
  readonly productCells: readonly Cell[];
  readonly clock: Clock;
  /** What the engine says of its cells. */
  readonly illInEngine: () => ReadonlyMap<Cell, string>;
  /** Why the database lately refused a cell's statements, or null. */
  readonly refusal: (cell: Cell) => string | null;
};

export function createCellHealth(ports: CellHealthPorts): CellHealth {
  const { database, cells, clock, illInEngine, refusal } = ports;
  const all = () => [...cells, ...ports.productCells];
  const checks = new Map<object, { readonly cell: Cell; readonly check: Check }>();

  function checkOf(cell: Cell): Check {
    const home = database.homeOf(cell);
    const known = checks.get(home);
    // The cell that is asked for may have moved since.
    if (known !== undefined && database.homeOf(known.cell) === home) return known.check;
    const check = withTimeout("database", databaseCheck(database, cell), clock);
    checks.set(home, { cell, check });
    return check;
  }

  async function ill(): Promise<ReadonlyMap<string, string>> {
    const ofEngine = illInEngine();
    const reasons = await Promise.all(
      all().map(async (cell) => {
        const reason = (await checkOf(cell)()) ?? refusal(cell) ?? ofEngine.get(cell) ?? null;
        return [nameOfCell(cell), reason] as const;
      }),
    );
    return new Map(reasons.filter((one): one is readonly [string, string] => one[1] !== null));
  }

  let asking: Promise<ReadonlyMap<string, string>> | null = null;
  // Probes share a running check.
  const shared = () =>
    (asking ??= ill().finally(() => {
      asking = null;
    }));
  return {
    known: () => all().map(nameOfCell),
    ill: shared,
    async noneWell() {
      const found = await shared();
      const reasons = cells.map((cell) => found.get(nameOfCell(cell)) ?? null);
      return reasons.includes(null) ? null : [...new Set(reasons)].join("; ");
    },
  };
}

/** Checks that the database answers, and takes writes. */
export function databaseCheck(database: Connection, cell: Cell): Check {
  return async () => {
    try {
      return (await isWritable(database, cell)) ? null : "the database is read-only";
    } catch (error) {
      if (error instanceof StoreUnavailable) return error.message;
      return `the database refuses the check: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

export function exposeCellHealth(
  registry: Registry,
  health: CellHealth,
  feed: Pick<DirectoryFeed, "isSilent">,
): void {
  new Gauge({
    name: "boathook_cell_up",
    help: "Whether this process can serve the cell: 1, or 0.",
    labelNames: ["cell"],
    aggregator: "min",
    registers: [registry],
    async collect() {
      const ill = await health.ill();
      for (const name of health.known()) this.set({ cell: name }, ill.has(name) ? 0 : 1);
    },
  });
  new Gauge({
    name: "boathook_directory_up",
    help: "Whether the directory answers this process: 1, or 0.",
    aggregator: "min",
    registers: [registry],
    collect() {
      this.set(feed.isSilent() ? 0 : 1);
    },
  });
}
