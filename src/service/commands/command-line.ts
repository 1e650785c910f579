/** From the words of a command line to the action they name, and its exit status. */
import { parseArgs, type ParseArgsConfig } from "node:util";

import type { ProcessContext } from "../../runtime/process-context.ts";
import {
  CommandError,
  type Action,
  type ActionGroup,
  type Command,
  type ExitStatus,
  type LazyCommand,
  type Options,
  type OptionValues,
} from "../../cli/command.ts";
import { commands } from "./commands.ts";
import { didYouMean } from "../../runtime/did-you-mean.ts";
import { failureOf } from "./failure.ts";
import { helpOf, helpOfAll } from "../../cli/help.ts";

const HELP_FLAGS = new Set(["--help", "-h"]);

/** Runs one command line; never rejects. What is a person's to mend is told in one sentence, without a trace. */
export async function runCommandLine(words: readonly string[], at: ProcessContext): Promise<ExitStatus> {
  try {
    return await run(words, at);
  } catch (error) {
    const { message, status } = failureOf(error);
    at.err(`${message}\n`);
    return status;
  }
}

async function run([first, ...rest]: readonly string[], at: ProcessContext): Promise<ExitStatus> {
  if (first === undefined || first === "help" || HELP_FLAGS.has(first)) return help(rest, at);
  if (first === "--version" || first === "-v") return run(["version", ...rest], at);
  const { name, load } = findCommand(first);
  const { command } = await load();
  return runCommand(name, command, rest, at);
}

async function runCommand(
  name: string,
  command: Command,
  words: readonly string[],
  at: ProcessContext,
): Promise<ExitStatus> {
  if (command.kind === "action") return runAction(name, command, words, at);
  const [verb, ...rest] = words;
  if (verb === undefined || HELP_FLAGS.has(verb)) {
    at.out(helpOf(name, command));
    return verb === undefined ? 2 : 0;
  }
  return runCommand(`${name} ${verb}`, findAction(name, command, verb), rest, at);
}

async function help([first, ...verbs]: readonly string[], at: ProcessContext): Promise<ExitStatus> {
  if (first === undefined || HELP_FLAGS.has(first)) {
    at.out(helpOfAll(commands));
    return 0;
  }
  let name = first;
  let { command }: { command: Command } = await findCommand(first).load();
  for (const verb of verbs) {
    if (command.kind === "action") break;
    command = findAction(name, command, verb);
    name = `${name} ${verb}`;
  }
  at.out(helpOf(name, command));
  return 0;
}

function findCommand(name: string): LazyCommand {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  throw unknown("command", name, ["help", ...commands.map((command) => command.name)], "boathook help");
}

function findAction(name: string, { actions }: ActionGroup, verb: string): Command {
  if (Object.hasOwn(actions, verb)) return actions[verb]!;
  throw unknown(`action of ${name}`, verb, Object.keys(actions), `boathook ${name} --help`);
}

async function runAction(
  name: string,
  command: Action,
  words: readonly string[],
  at: ProcessContext,
): Promise<ExitStatus> {
  if (words.some((word) => HELP_FLAGS.has(word))) {
    at.out(helpOf(name, command));
    return 0;
  }
  const { values, positionals } = parse(name, command.options, words);
  const { length } = command.arguments;
  if (positionals.length < length && command.argumentsOptional !== true) {
    const missing = command.arguments.slice(positionals.length).map((argument) => `<${argument}>`);
    throw new CommandError(`boathook ${name} needs ${missing.join(" ")}; see boathook ${name} --help`);
  }
  if (positionals.length > length) {
    throw new CommandError(
      `boathook ${name} does not know what to do with "${positionals[length]}"; see boathook ${name} --help`,
    );
  }
  // `parse` has held them against the action's own declarations.
  return command.run({ options: values as OptionValues<Options>, positionals: positionals }, at);
}

function parse(name: string, options: Options, words: readonly string[]) {
  const config: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries(options).map(([option, { type, multiple = false, short }]) => [
      option,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
    if (option !== undefined)
      throw unknown("option", option, Object.keys(options), `boathook ${name} --help`, "--");
    if (code?.startsWith("ERR_PARSE_ARGS")) throw new CommandError(`${message} (boathook ${name} --help)`);
    throw error;
  }
}

function unknown(
  what: string,
  typed: string,
  names: readonly string[],
  more: string,
  before = "",
): CommandError {
  const near = didYouMean(typed, names);
  const hint = near === null ? "" : ` Did you mean "${before}${near}"?`;
  return new CommandError(`There is no ${what} "${before}${typed}".${hint} See ${more}.`);
}
