/**
 * A process that moves a cell between two servers and kills itself behind a step, for the tests that go on with the move.
 * Its first argument is `MovingOptions`.
 */
import { cellsNamed } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { holdCell } from "../../src/store/moves/hold-cell.ts";
import { moveCell, type MoveStep } from "../../src/store/moves/move-cell.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { silentLog } from "../support/log.ts";

export type MovingOptions = {
  readonly directory: DatabaseAddress;
  readonly servers: Readonly<Record<string, DatabaseAddress>>;
  readonly cell: number;
  readonly to: string;
  /** The step, and which of its kind, counted from 1. */
  readonly killAt: readonly [MoveStep["step"], number];
};

const { directory, servers, cell, to, killAt } = JSON.parse(process.argv[2]!) as MovingOptions;
const database = openDatabaseOn(
  fixedHomes(() => directory),
  {
    sessionName: "boathook moving",
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
  },
);
let left = killAt[1];
await holdCell(database, cellsNamed("boathook", cell + 1)[cell]!, (held) =>
  moveCell(
    {
      ...held,
      addressOf: (name) => (name === "" ? directory : servers[name]!),
      makeSchema: async (address, made) => void (await migrateCells(address, [made], silentLog)),
      onStep({ step }) {
        if (step === killAt[0] && --left === 0) process.kill(process.pid, "SIGKILL");
      },
      signal: new AbortController().signal,
    },
    to,
  ),
);
