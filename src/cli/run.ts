/** From the words of a command line to the command that they name. */
import { Command, CommanderError, Help, type Option } from "commander";

import type { LazyCommand } from "./command.ts";
import type { CommandContext, ExitStatus } from "./context.ts";

const USUAL_COLUMNS = 80;

/** Loads the module of the named command only, and runs it. Reports wrong usage on stderr, with status 2. */
export async function runCommand(
  words: readonly string[],
  commands: readonly LazyCommand[],
  context: CommandContext,
): Promise<ExitStatus> {
  const typed = normalise(words);
  const usageErrors: string[] = [];
  const program = await buildProgram(typed[0], commands, context, usageErrors);
  try {
    await program.parseAsync([...upToUnknown(program, typed)], { from: "user" });
    return context.exitStatus;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A group without an action prints its help, and still has status 2.
    const write = error.code === "commander.help" ? context.out : context.err;
    write(usageErrors.join(""));
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** `help accounts list` becomes `accounts list --help`, `-v` becomes `version`, no words become `--help`. */
function normalise(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return ["--help"];
  if (first === "help") return [...rest, "--help"];
  return first === "--version" || first === "-v" ? ["version", ...rest] : words;
}

async function buildProgram(
  called: string | undefined,
  commands: readonly LazyCommand[],
  context: CommandContext,
  usageErrors: string[],
): Promise<Command> {
  const columns = () => context.terminal?.columns() ?? USUAL_COLUMNS;
  const program = new Command("boathook")
    .description("Self-hosted webhook delivery for freight products.")
    .usage("<command> [options]")
    .helpOption("-h, --help", "show this help")
    // Taken out before (service/commands/env-file.ts).
    .option("--env-file <file>", "take settings from a file; those of the environment win")
    .helpCommand("help [command...]", "explain a command, or one of its actions")
    .addHelpText("after", "\nEach command says more: boathook accounts --help, boathook help accounts list")
    .configureHelp({ subcommandTerm: usageOf, optionDescription: aboutOf })
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: (text) => void usageErrors.push(text),
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, letter: string) => letter.toUpperCase())),
    });
  for (const { name, summary, load } of commands) {
    // Help lists the others without their modules.
    const command = name === called ? (await load()).command(context) : new Command(name);
    program.addCommand((command as Command).summary(summary));
  }
  for (const command of program.commands) inherit(command, program, `boathook ${command.name()}`);
  return program.showHelpAfterError("See boathook help.");
}

function inherit(command: Command, parent: Command, path: string): void {
  command.copyInheritedSettings(parent).showHelpAfterError(`See ${path} --help.`);
  for (const one of command.commands) inherit(one, command, `${path} ${one.name()}`);
}

function aboutOf(option: Option): string {
  return `${Help.prototype.optionDescription(option)}${option.mandatory ? " (required)" : ""}`;
}

/** `list`, `show <account-id>`, `index <action>` */
function usageOf(command: Command): string {
  const names = command.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  return [command.name(), ...names, ...(command.commands.length > 0 ? ["<action>"] : [])].join(" ");
}

/** The words up to the first that names no command: commander would answer `accounts lst --help` with help on accounts. */
function upToUnknown(program: Command, words: readonly string[]): readonly string[] {
  let command: Command = program;
  for (const [index, word] of words.entries()) {
    if (word.startsWith("-") || command.commands.length === 0) return words;
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return words.slice(0, index + 1);
    command = next;
  }
  return words;
}
