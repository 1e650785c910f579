/** From the words of a command line to the action they name, and its exit status. */
import { parseArgs, type ParseArgsConfig } from "node:util";

import type { Surroundings } from "../../runtime/surroundings.ts";
import {
  CommandRefused,
  type Action,
  type ActionGroup,
  type Command,
  type ExitStatus,
  type Options,
  type OptionValues,
} from "../../cli/command.ts";
import { commands, type LazyCommand } from "./commands.ts";
import { didYouMean } from "../../model/did-you-mean.ts";
import { failureText } from "./failure.ts";
import { helpOf, helpOfAll } from "../../cli/help.ts";

const HELP_WORDS = new Set(["--help", "-h"]);

/** Runs one command line; never rejects. What is a person's to mend is told in one sentence, without a trace. */
export async function runCommandLine(words: readonly string[], at: Surroundings): Promise<ExitStatus> {
  try {
    return await run(words, at);
  } catch (error) {
    const { message, status } = failureText(error);
    at.err(`${message}\n`);
    return status;
  }
}

async function run([first, ...rest]: readonly string[], at: Surroundings): Promise<ExitStatus> {
  if (first === undefined || first === "help" || HELP_WORDS.has(first)) return help(rest, at);
  if (first === "--version" || first === "-v") return run(["version", ...rest], at);
  const { name, load } = find(first);
  const { command } = await load();
  return runCommand(name, command, rest, at);
}

async function runCommand(
  name: string,
  command: Command,
  words: readonly string[],
  at: Surroundings,
): Promise<ExitStatus> {
  if (command.kind === "action") return runAction(name, command, words, at);
  const [verb, ...rest] = words;
  if (verb === undefined || HELP_WORDS.has(verb)) {
    at.out(helpOf(name, command));
    return verb === undefined ? 2 : 0;
  }
  return runCommand(`${name} ${verb}`, actionOf(name, command, verb), rest, at);
}

async function help([first, ...verbs]: readonly string[], at: Surroundings): Promise<ExitStatus> {
  if (first === undefined || HELP_WORDS.has(first)) {
    at.out(helpOfAll(commands));
    return 0;
  }
  let name = first;
  let { command }: { command: Command } = await find(first).load();
  for (const verb of verbs) {
    if (command.kind === "action") break;
    command = actionOf(name, command, verb);
    name = `${name} ${verb}`;
  }
  at.out(helpOf(name, command));
  return 0;
}

function find(name: string): LazyCommand {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  throw unknown("command", name, ["help", ...commands.map((command) => command.name)], "boathook help");
}

function actionOf(name: string, { actions }: ActionGroup, verb: string): Command {
  if (Object.hasOwn(actions, verb)) return actions[verb]!;
  throw unknown(`action of ${name}`, verb, Object.keys(actions), `boathook ${name} --help`);
}

async function runAction(
  name: string,
  command: Action,
  words: readonly string[],
  at: Surroundings,
): Promise<ExitStatus> {
  if (words.some((word) => HELP_WORDS.has(word))) {
    at.out(helpOf(name, command));
    return 0;
  }
  const { values, positionals } = parse(name, command.options, words);
  const { length } = command.arguments;
  if (positionals.length < length && command.mayLackArguments !== true) {
    const missing = command.arguments.slice(positionals.length).map((argument) => `<${argument}>`);
    throw new CommandRefused(`boathook ${name} needs ${missing.join(" ")}; see boathook ${name} --help`);
  }
  if (positionals.length > length) {
    throw new CommandRefused(
      `boathook ${name} does not know what to do with "${positionals[length]}"; see boathook ${name} --help`,
    );
  }
  // `parse` has held them against the action's own declarations.
  return command.run({ options: values as OptionValues<Options>, given: positionals }, at);
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
    if (code?.startsWith("ERR_PARSE_ARGS")) throw new CommandRefused(`${message} (boathook ${name} --help)`);
    throw error;
  }
}

function unknown(
  what: string,
  typed: string,
  names: readonly string[],
  more: string,
  before = "",
): CommandRefused {
  const near = didYouMean(typed, names);
  const hint = near === null ? "" : ` Did you mean "${before}${near}"?`;
  return new CommandRefused(`There is no ${what} "${before}${typed}".${hint} See ${more}.`);
}
