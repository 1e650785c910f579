import { join } from "node:path";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { products } from "../../products/index.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { Cell } from "../../store/cell.ts";
import { migrateCells, migrateDirectory } from "../../store/migrate.ts";
import { SchemasDiffer } from "../../store/moves/copy-schema.ts";
import { MoveRefused, moveStore, type MoveStep } from "../../store/moves/move-store.ts";
import { interruptionOf } from "./cell-moves.ts";
import { openCommandServer } from "./open-store.ts";
import { readSettings } from "./settings.ts";

export const command: CommandFactory = (at) =>
  action(
    "move-store",
    "Move the store to the database of BOATHOOK_NEW_DATABASE_URL, which has none yet, such as from the embedded " +
      "PostgreSQL to your own. Stop the service first. You may interrupt it and repeat it. The old server keeps its copy, " +
      "on which nothing starts any more.",
    "BOATHOOK_NEW_DATABASE_URL=postgres://boathook:…@db/boathook boathook move-store",
    "boathook move-store --undo",
  )
    .option("--undo", "undo a move that did not end")
    .option(...JSON_OPTION)
    .action(async ({ undo = false, json }) => {
      const settings = readSettings(at);
      const url = settings.newDatabaseUrl;
      if (url === null)
        throw new CommandError("BOATHOOK_NEW_DATABASE_URL says where the store goes: set it.");
      const { address, clock, log, close } = await openCommandServer(at);
      const signal = interruptionOf(at);
      const to = { url };
      const makeSchema = async (kind: "directory" | "cell", made: Cell) =>
        void (kind === "cell"
          ? await migrateCells(to, [made], log, products)
          : await migrateDirectory(to, made.schema, log, products));
      const onStep = (step: MoveStep) => saidOf(step, (text) => at.err(`store: ${text}\n`));
      try {
        const done = await moveStore({ from: address, to, makeSchema, onStep, clock, signal }, undo);
        printAnswer(at, { done }, undo ? "The store lives where it did." : nextSteps(settings), json);
      } catch (cause) {
        throw asCommandError(cause, signal);
      } finally {
        await close();
      }
    });

function nextSteps({ databaseUrl, dataFolder }: Settings): string {
  const key = `, BOATHOOK_MASTER_KEY to what ${join(dataFolder, "master.key")} holds`;
  return (
    `The store lives there now. Set BOATHOOK_DATABASE_URL to that URL${databaseUrl === null ? key : ""}, ` +
    "unset BOATHOOK_NEW_DATABASE_URL, and start the service."
  );
}

function asCommandError(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof MoveRefused || cause instanceof SchemasDiffer) {
    return new CommandError(`The store has not moved: ${cause.message}.`, 1);
  }
  const isInterrupted = signal.aborted && !(cause instanceof StoreUnavailable);
  return isInterrupted ? new CommandError("Interrupted: the store lives where it did.", 1) : cause;
}

const STEPS = {
  prepared: "its tables are made on the new server",
  fenced: "nothing starts on the old one",
  placed: "all rows are on the new server",
  undone: "it lives where it did",
} as const;

function saidOf(step: MoveStep, say: (text: string) => void): void {
  if (step.step !== "copied") say(STEPS[step.step]);
  else if (step.rows > 0) say(`copied ${step.table}: ${step.rows} rows`);
}
