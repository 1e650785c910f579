import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, wholeNumber } from "../../cli/options.ts";
import { printRows, type Column } from "../../cli/print.ts";
import { products } from "../../products/index.ts";
import { ACCOUNT_CELLS_MAX, cellsNamed, OF_ACCOUNTS, SCHEMA_PREFIX } from "../../store/cell.ts";
import { insertCell, joinCells, openCell } from "../../store/homes/cells.ts";
import { cellList } from "../../store/homes/cells.sql.ts";
import { migrateCells } from "../../store/migrate.ts";
import { holdCell } from "../../store/moves/hold-cell.ts";
import { notInUse, requireInUse, waitUntilUsed } from "./cell-use.ts";
import { interruptionOf, moveAll, planAll, showCells, type CellMove, type ShownCell } from "./cell-moves.ts";

/** The key of the lock of commands that add a cell; no cell has this number. */
const NEXT_CELL = -1;

const NUMBER = ["<number>", "the cell's number", wholeNumber(0, ACCOUNT_CELLS_MAX - 1)] as const;
const NAME = ["<cell>", "the cell's number, or its name as boathook cells list shows it"] as const;

const COLUMNS: readonly Column<ShownCell>[] = [
  ["CELL", ({ name }) => name],
  ["SERVER", ({ server }) => server],
  ["NEW ACCOUNTS", ({ number, open }) => (isOfAccounts(number) ? (open ? "open" : "closed") : null)],
  ["ACCOUNTS", ({ number, accounts }) => (isOfAccounts(number) ? accounts : null)],
  ["MOVE", ({ move }) => move, "unless empty"],
];

function isOfAccounts(number: number): boolean {
  return number < ACCOUNT_CELLS_MAX;
}

const PLAN_COLUMNS: readonly Column<CellMove>[] = [
  ["CELL", ({ cell }) => cell],
  ["FROM", ({ from }) => from],
  ["TO", ({ to }) => to],
];

async function print(at: CommandContext, opened: OpenedStore, json: boolean | undefined): Promise<void> {
  const shown = await showCells(opened);
  const rows = shown.map(({ kind: _, ...row }): ShownCell => row);
  printRows(at, rows, COLUMNS, json);
}

const list: CommandFactory = (at) =>
  action("list", "List all cells: where each lives and what lives in it.", "boathook cells list")
    .option(...JSON_OPTION)
    .action(async ({ json }) => print(at, await at.open(), json));

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
      const without = closed ? [] : await waitUntilUsed(at, opened, cell);
      if (!closed && without.length === 0) await openAndJoin(opened, number);
      await print(at, opened, json);
      if (without.length === 0) return;
      at.err(`${notInUse(cell, without)} The cell stays closed until boathook cells open ${number}.\n`);
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

async function openAndJoin({ database, cells, clock }: OpenedStore, number: number): Promise<void> {
  await openCell(database, cells[0], number, true);
  await joinCells(database, cells[0], new Date(clock.nowMs()));
}

function opening(name: "open" | "close", about: string): CommandFactory {
  return (at) =>
    action(name, about, `boathook cells ${name} 1`)
      .argument(...NUMBER)
      .option(...JSON_OPTION)
      .action(async (number, { json }) => {
        const opened = await at.open();
        const cell = opened.cells[number];
        if (cell === undefined) throw new CommandError(`There is no cell ${number}.`);
        if (name === "open") {
          await requireInUse(at, opened, cell);
          await openAndJoin(opened, number);
        } else await openCell(opened.database, cell, number, false);
        await print(at, opened, json);
      });
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

export const command = group(
  "cells",
  "Cells hold the accounts and all that is theirs, or the record of a product, each on one server.",
  [
    list,
    add,
    opening(
      "open",
      "Let new accounts come to a cell, once every running node uses it; waits some seconds for it, and names the processes that do not.",
    ),
    opening("close", "Let no more new accounts come to a cell."),
    move,
    drain,
    rebalance,
  ],
);
