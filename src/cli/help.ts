/** The texts of `boathook help` and of `--help`. */
import type { Action, ActionGroup, Command, LazyCommand, Option } from "./command.ts";

const OPTION_HELP: Option = { type: "boolean", short: "h", about: "show this help" };

export function helpOfAll(commands: readonly LazyCommand[]): string {
  return [
    "Usage: boathook <command> [options]",
    "",
    "Self-hosted webhook delivery for five freight products.",
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Each says more with --help: boathook accounts --help",
    "",
  ].join("\n");
}

/** `name` as it is typed: `accounts`, `accounts create`. */
export function helpOf(name: string, command: Command): string {
  return command.kind === "group" ? helpOfGroup(name, command) : helpOfAction(name, command);
}

function helpOfGroup(name: string, { about, actions }: ActionGroup): string {
  return [
    `Usage: boathook ${name} <action> [options]`,
    "",
    ...wrap(about),
    "",
    "Actions:",
    ...columns(Object.entries(actions).map(([verb, one]) => [usage(verb, one), one.about])),
    "",
    "Examples:",
    ...Object.values(actions).map((one) => `  ${exampleOf(one)}`),
    "",
  ].join("\n");
}

function exampleOf(command: Command): string {
  return command.kind === "action" ? command.examples[0]! : exampleOf(Object.values(command.actions)[0]!);
}

function helpOfAction(name: string, command: Action): string {
  const options = { ...command.options, help: OPTION_HELP };
  return [
    `Usage: boathook ${usage(name, command)} [options]`,
    "",
    ...wrap(command.about),
    "",
    "Options:",
    ...columns(Object.entries(options).map(([option, one]) => [flag(option, one), one.about])),
    "",
    command.examples.length === 1 ? "Example:" : "Examples:",
    ...command.examples.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function usage(name: string, command: Command): string {
  if (command.kind === "group") return `${name} <action>`;
  const [open, close] = command.argumentsOptional === true ? ["[", "]"] : ["<", ">"];
  return [name, ...command.arguments.map((argument) => `${open}${argument}${close}`)].join(" ");
}

function flag(name: string, { short, value }: Option): string {
  const long = value === undefined ? `--${name}` : `--${name} <${value}>`;
  return short === undefined ? long : `-${short}, ${long}`;
}

const LINE_LENGTH_MAX = 100;

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_LENGTH_MAX) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function columns(rows: readonly (readonly [left: string, right: string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
