import { rowsText } from "../../cli/answer-text.ts";
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText, printRows, type Column } from "../../cli/print.ts";
import { openOnceUsed } from "../../operator/cell-use.ts";
import { CELL_COLUMNS, showCells } from "../../operator/cells.ts";
import { products } from "../../products/index.ts";
import { ACCOUNT_CELLS_MAX, cellsNamed, OF_ACCOUNTS, SCHEMA_PREFIX } from "../../store/cell.ts";
import { insertCell } from "../../store/homes/cells.ts";
import { cellList } from "../../store/homes/cells.sql.ts";
import { migrateCells } from "../../store/migrate.ts";
import { holdCell } from "../../store/moves/hold-cell.ts";
import { interruptionOf, moveAll, planAll, type CellMove } from "./cell-moves.ts";

/** The key of the lock of commands that add a cell; no cell has this number. */
const NEXT_CELL = -1;

const NAME = ["<cell>", "the cell's number, or its name as boathook cells list shows it"] as const;

const PLAN_COLUMNS: readonly Column<CellMove>[] = [
  ["CELL", ({ cell }) => cell],
  ["FROM", ({ from }) => from],
  ["TO", ({ to }) => to],
];

async function print(at: CommandContext, opened: OpenedStore, json: boolean | undefined): Promise<void> {
  const shown = await showCells(opened);
  at.out(json === true ? jsonText(shown) : rowsText(shown, { columns: CELL_COLUMNS }));
}

const add: CommandFactory = (at) =>
  action(
    "add",
    "Make one more cell of accounts; Citus chooses its node. Running nodes take it up within seconds; once all use it, it is open to new accounts. If one " +
      "does not, the cell stays closed until boathook cells open, and the status is 1.",
    "boathook cells add",
    "boathook cells add --closed",
  )
    .option("--closed", "gets no accounts until boathook cells open")
    .option(...JSON_OPTION)
    .action(async ({ closed = false, json }) => {
      const opened = await at.open();
      const { database, cells } = opened;
      const held = { ...cells[0], number: NEXT_CELL };
      const number = await holdCell(database, held, () => addCell(opened));
      if (number === null) throw new CommandError("Another command is adding a cell.", 1);
      await opened.refreshHomes();
      const cell = cells[number];
      if (cell === undefined) throw new Error(`cell ${number} is listed, and not known here`);
      const problem = closed ? null : await openOnceUsed(opened, cell);
      await print(at, opened, json);
      if (problem === null) return;
      at.err(`The cell stays closed until boathook cells open ${number}: ${problem}.\n`);
      at.exitStatus = 1;
    });

/** Lists it last: what is listed is used. Closed, for its nodes to come first. */
async function addCell({ database, cells, clock, log }: OpenedStore): Promise<number> {
  const listed = (await cellList(database, cells[0])).filter(({ kind }) => kind === OF_ACCOUNTS);
  const number = listed.length;
  if (number >= ACCOUNT_CELLS_MAX)
    throw new CommandError(`There are ${ACCOUNT_CELLS_MAX} cells, the most.`, 1);
  const cell = cellsNamed(SCHEMA_PREFIX, number + 1)[number]!;
  const directory = database.homeOf({ ...cells[0], schema: cells[0].directory });
  await migrateCells(directory, [cell], log, products);
  await insertCell(database, cells[0], { number, open: false }, new Date(clock.nowMs()));
  return number;
}

const move: CommandFactory = (at) =>
  action(
    "move",
    "Have Citus move a cell to another of its nodes while the service runs. Writers wait for less than a second at the " +
      "end. You may interrupt it and repeat it.",
    "boathook cells move 1 worker-2.example:5432",
    "boathook cells move schedules_0 worker-2.example:5432",
  )
    .argument(...NAME)
    .argument("<node>", "host:port of a node of Citus")
    .option(...JSON_OPTION)
    .action(async (cell, node, { json }) => {
      const opened = await at.open();
      await moveAll(at, opened, [{ cell, from: "", to: node }], interruptionOf(at));
      await print(at, opened, json);
    });

const drain: CommandFactory = (at) =>
  action(
    "drain",
    "Have Citus move all cells of a node to the others, one after the other.",
    "boathook cells drain worker-2.example:5432 --dry-run",
    "boathook cells drain worker-2.example:5432",
  )
    .argument("<node>", "host:port, as boathook cells list shows it")
    .option("--dry-run", "print the moves only")
    .option(...JSON_OPTION)
    .action((server, { dryRun = false, json }) => carryOut(at, dryRun, json, server));

const rebalance: CommandFactory = (at) =>
  action(
    "rebalance",
    "Have Citus move cells until none of its nodes has two more than another, one after the other.",
    "boathook cells rebalance --dry-run",
    "boathook cells rebalance",
  )
    .option("--dry-run", "print the moves only")
    .option(...JSON_OPTION)
    .action(({ dryRun = false, json }) => carryOut(at, dryRun, json));

async function carryOut(
  at: CommandContext,
  dryRun: boolean,
  json: boolean | undefined,
  drained?: string,
): Promise<void> {
  const opened = await at.open();
  const plan = await planAll(opened, drained);
  if (dryRun) return printRows(at, plan, PLAN_COLUMNS, json);
  await moveAll(at, opened, plan, interruptionOf(at));
  await print(at, opened, json);
}

/** They need the database: to make a cell's schema, and to have Citus copy it for minutes. */
export const byHand = [add, move, drain, rebalance];
