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
import { MoveRefused, type MoveStep } from "../../store/moves/move-cell.ts";
import { moveStore } from "../../store/moves/move-store.ts";
import { interruptionOf, saidOf } from "./cell-moves.ts";
import { openCommandServer } from "./open-store.ts";
import { readSettings } from "./settings.ts";

export const command: CommandFactory = (at) =>
  action(
    "move-store",
    "Move the directory, and the cells beside it, to a server of BOATHOOK_SERVERS, such as from the embedded " +
      "PostgreSQL to your own. Stop the service first. You may interrupt it and repeat it. The old server keeps its copy, " +
      "on which nothing starts any more.",
    "BOATHOOK_SERVERS=own=postgres://boathook:…@db/boathook boathook move-store own",
    "boathook move-store own --undo",
  )
    .argument("<server>", "a name of BOATHOOK_SERVERS, whose database has no store yet")
    .option("--undo", "undo a move that did not end")
    .option(...JSON_OPTION)
    .action(async (server, { undo = false, json }) => {
      const settings = readSettings(at);
      const url = settings.servers?.get(server);
      if (url === undefined) throw new CommandError(`BOATHOOK_SERVERS does not name ${server}.`);
      const { address, clock, log, close } = await openCommandServer(at);
      const signal = interruptionOf(at);
      const to = { url };
      const makeSchema = async (kind: "directory" | "cell", made: Cell) =>
        void (kind === "cell"
          ? await migrateCells(to, [made], log, products)
          : await migrateDirectory(to, made.schema, log, products));
      const onStep = (step: MoveStep) => saidOf(step, (text) => at.err(`store: ${text}\n`));
      try {
        const done = await moveStore({ from: address, to, server, makeSchema, onStep, clock, signal }, undo);
        printAnswer(at, { done }, undo ? "The store lives where it did." : nextSteps(server, settings), json);
      } catch (cause) {
        throw asCommandError(cause, signal);
      } finally {
        await close();
      }
    });

function nextSteps(server: string, { databaseUrl, dataFolder }: Settings): string {
  const key = `, BOATHOOK_MASTER_KEY to what ${join(dataFolder, "master.key")} holds`;
  return (
    `The store lives on ${server}. Set BOATHOOK_DATABASE_URL to its URL${databaseUrl === null ? key : ""}, ` +
    `remove ${server} from BOATHOOK_SERVERS, and start the service.`
  );
}

function asCommandError(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof MoveRefused || cause instanceof SchemasDiffer) {
    return new CommandError(`The store has not moved: ${cause.message}.`, 1);
  }
  const isInterrupted = signal.aborted && !(cause instanceof StoreUnavailable);
  return isInterrupted ? new CommandError("Interrupted: the store lives where it did.", 1) : cause;
}
