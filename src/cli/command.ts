import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { Command as CommanderCommand } from "commander";

import type { CommandContext, ExitStatus } from "./context.ts";

export type CommandFactory = (context: CommandContext) => CommandUnknownOpts;

/** Its module loads when you call it. */
export type LazyCommand = {
  readonly name: string;
  /** One line of `boathook help`. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: CommandFactory }>;
};

/** Of the operations of the operator's API whose words begin with its name, and of what is done by hand. */
export type ResourceCommand = Pick<LazyCommand, "name" | "summary"> & {
  /** What the resource is. */
  readonly about?: string;
  /** What the groups of its actions are, by their word: `index` of `rates index list`. */
  readonly groups?: Readonly<Record<string, string>>;
  readonly byHand?: () => Promise<readonly CommandFactory[]>;
};

const examplesOf = new WeakMap<object, readonly string[]>();

/** Something that runs. Its `examples` are lines as they would be typed. */
export function action(name: string, about: string, ...examples: readonly [string, ...string[]]): Command {
  const heading = examples.length === 1 ? "Example:" : "Examples:";
  const command = new CommanderCommand(name).description(about);
  command.addHelpText("after", ["", heading, ...examples.map((line) => `  ${line}`)].join("\n"));
  examplesOf.set(command, examples);
  // The same object at run time: these types also infer the options and arguments that it declares.
  return command as unknown as Command;
}

/** A command with actions of its own, `accounts list`, or with groups of them, `rates index list`. */
export function group(name: string, about: string, members: readonly CommandFactory[]): CommandFactory {
  return (context) => {
    const built = members.map((member) => member(context));
    const [first = "", ...others] = built.flatMap((one) => examplesOf.get(one)?.slice(0, 1) ?? []);
    const command: CommandUnknownOpts = action(name, about, first, ...others);
    command.usage("<action> [options]").commandsGroup("Actions:").helpCommand(false);
    for (const one of built) command.addCommand(one);
    return command;
  };
}

/** The command cannot do what you ask for. It prints the message alone. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly status: ExitStatus;

  constructor(message: string, status: ExitStatus = 2) {
    super(message);
    this.status = status;
  }
}
