/**
 * Commands on resources, made of the operations of an OpenAPI document that have a view (`x-cli`).
 *
 *     words ─▶ arguments and options ─▶ the operation that takes them ─▶ requests ─▶ rows or an answer ─▶ text or JSON
 */
import type { Option } from "commander";

import { action, CommandError, group, type CommandFactory } from "./command.ts";
import type { Ask, CommandContext } from "./context.ts";
import { fieldOption, nameOf, readerOf } from "./field-option.ts";
import type { Field, Operation, Value, Values, Viewed } from "./operation.ts";
import { JSON_OPTION, LIMIT_MAX, wholeNumber } from "./options.ts";
import { runOperation } from "./run-operation.ts";

type Given = Readonly<Record<string, unknown>>;

/** Another way to the same operations, with options of its own, such as a client's key. */
export type OtherApi = {
  readonly options: () => readonly Option[];
  /** Null: these options do not choose it. */
  readonly ask: (at: CommandContext, given: Given) => Ask | null;
};

/** The actions of a resource by their last words, in the order of the document; empty, the words name an action. */
export function resourceActions(
  operations: readonly Operation[],
  words: string,
  other: OtherApi | null = null,
): ReadonlyMap<string, CommandFactory> {
  const own = operations.filter(
    (one): one is Viewed => one.view !== null && `${one.view.command} `.startsWith(`${words} `),
  );
  const byCommand = Map.groupBy(own.map(withoutFileFields), ({ view }) => view.command);
  return new Map(
    [...byCommand].map(([command, variants]) => [
      command.slice(words.length + 1),
      resourceAction(command, plainestFirst(variants), other),
    ]),
  );
}

/** A file is the body. */
function withoutFileFields(one: Viewed): Viewed {
  return one.view.file === undefined
    ? one
    : { ...one, fields: one.fields.filter(({ place }) => place !== "body") };
}

/** The one that needs least says what the command is. */
function plainestFirst(variants: readonly Viewed[]): [Viewed, ...Viewed[]] {
  const needs = ({ view, fields }: Viewed) =>
    (view.flag === undefined ? 0 : 1) + fields.filter(({ isRequired }) => isRequired).length;
  return variants.toSorted((one, other) => needs(one) - needs(other)) as [Viewed, ...Viewed[]];
}

/** Its actions, and groups of them such as `index list`, then what is done by hand. */
export function resourceGroup(
  name: string,
  about: string,
  actions: ReadonlyMap<string, CommandFactory>,
  byHand: readonly CommandFactory[],
  groups: Readonly<Record<string, string>>,
): CommandFactory {
  const grouped = Map.groupBy(actions, ([words]) => (words.includes(" ") ? words.split(" ")[0]! : ""));
  const members = [...grouped].flatMap(([word, its]) => {
    const factories = its.map(([, factory]) => factory);
    return word === "" ? factories : [group(word, groups[word] ?? word, factories)];
  });
  return group(name, about, [...members, ...byHand]);
}

function resourceAction(
  words: string,
  variants: readonly [Viewed, ...Viewed[]],
  other: OtherApi | null,
): CommandFactory {
  const [first] = variants;
  const { inPlace, optional } = splitFields(variants);
  return (at) => {
    const command = action(words.split(" ").at(-1)!, helpOf(first), examplesOf(words, variants)[0]!);
    for (const { field, isRequired } of inPlace) {
      const name = nameOf(field, ownerOf(field, variants));
      command.argument(isRequired ? `<${name}>` : `[${name}]`, field.about);
    }
    if (first.view.file !== undefined) command.argument("<file>");
    const options = optional.map((field) => [field, fieldOption(field, first.view)] as const);
    for (const [, option] of options) command.addOption(option);
    for (const { view } of variants)
      if (view.flag !== undefined) command.option(`--${view.flag.name}`, view.flag.about);
    if (first.view.confirm !== undefined) command.option("--yes", "do not ask");
    if (first.view.limit !== undefined)
      command.option(
        "--limit <number>",
        `how many at most (default: ${first.view.limit})`,
        wholeNumber(1, LIMIT_MAX),
      );
    for (const option of other?.options() ?? []) command.addOption(option);
    command.option(...JSON_OPTION);
    command.action(async (...typed: unknown[]) => {
      const given = typed.at(-2) as Given;
      const texts = typed.slice(0, -2) as readonly (string | undefined)[];
      const values = valuesOf(inPlace, options, texts, given);
      const operation = choose(variants, values, given);
      const { view } = operation;
      const file = view.file === undefined ? undefined : texts[inPlace.length];
      const ask = other?.ask(at, given) ?? at.ask;
      const limit = (given["limit"] as number | undefined) ?? view.limit ?? Number.POSITIVE_INFINITY;
      const shown = { json: given["json"] === true, yes: given["yes"] === true, limit };
      await runOperation(at, { operation, values, ask, file, ...shown });
    });
    return command;
  };
}

type Place = { readonly field: Field; readonly isRequired: boolean };

/** Arguments: what is in a path, then what a view names. What they may leave out is an option as well. */
function splitFields(variants: readonly [Viewed, ...Viewed[]]) {
  const all = variants.flatMap(({ fields }) => fields);
  const unique = [...new Map(all.toReversed().map((field) => [field.name, field])).values()].toReversed();
  const named = variants[0].view.arguments ?? [];
  const inPlace: Place[] = [];
  const isTaken = (field: Field, { fields }: Viewed) => fields.some(({ name }) => name === field.name);
  for (const field of unique.filter(({ place }) => place === "path"))
    inPlace.push({ field, isRequired: variants.every((one) => isTaken(field, one)) });
  for (const name of named) {
    const field = unique.find((one) => one.name === name);
    if (field !== undefined) inPlace.push({ field, isRequired: field.isRequired });
  }
  const required = new Set(inPlace.flatMap(({ field, isRequired }) => (isRequired ? [field.name] : [])));
  const isOption = ({ name, place }: Field) =>
    place !== "path" && !required.has(name) && name !== "cursor" && name !== "limit";
  return { inPlace, optional: unique.filter(isOption) };
}

function ownerOf(field: Field, variants: readonly [Viewed, ...Viewed[]]): Viewed {
  return variants.find(({ fields }) => fields.includes(field)) ?? variants[0];
}

function valuesOf(
  inPlace: readonly Place[],
  options: readonly (readonly [Field, Option])[],
  texts: readonly (string | undefined)[],
  given: Given,
): Values {
  const values = new Map<string, Value>();
  for (const [index, { field }] of inPlace.entries()) {
    const text = texts[index];
    if (text !== undefined) values.set(field.name, field.place === "path" ? text : readerOf(field)(text));
  }
  for (const [{ name, schema }, option] of options) {
    const value = given[option.attributeName()] as Value | undefined;
    if (value === undefined) continue;
    if (values.has(name)) throw new CommandError(`Give ${option.long} once, in its place or as the option.`);
    values.set(name, value === true && schema.enum !== undefined ? "true" : value);
  }
  return values;
}

/** Of operations with the same words: the one whose flag is given, or that takes most of what is given. */
function choose(variants: readonly [Viewed, ...Viewed[]], values: Values, given: Given): Viewed {
  const flagged = variants.find(({ view }) => view.flag !== undefined && given[view.flag.name] === true);
  const lacks = ({ fields }: Viewed) => fields.some((one) => one.isRequired && !values.has(one.name));
  const plain = variants.filter((one) => one.view.flag === undefined && !lacks(one));
  const pathLength = ({ fields }: Viewed) => fields.filter(({ place }) => place === "path").length;
  const chosen = flagged ?? plain.toSorted((a, b) => pathLength(b) - pathLength(a))[0] ?? variants[0];
  const names = new Set(chosen.fields.map(({ name }) => name));
  const other = [...values.keys()].find((name) => !names.has(name));
  if (other === undefined) return chosen;
  const alone = chosen.view.flag === undefined ? "" : ` with --${chosen.view.flag.name}`;
  throw new CommandError(`Leave ${other.replaceAll("_", "-")} out${alone}.`);
}

function helpOf({ summary, description, view }: Viewed): string {
  return [`${summary}.`, view.about ?? description].filter((text) => text.length > 1).join(" ");
}

function examplesOf(words: string, variants: readonly Viewed[]): readonly string[] {
  return variants.map((one) => {
    const { view } = one;
    if (view.example !== undefined) return `boathook ${words} ${view.example}`;
    const needed = one.fields.filter(({ isRequired }) => isRequired);
    const parts = needed.map((field) => {
      const { example } = field;
      const text = quoted(typeof example === "string" ? example : `<${nameOf(field, one)}>`);
      const isArgument = field.place === "path" || view.arguments?.includes(field.name);
      return isArgument ? text : `${fieldOption(field, view).long} ${text}`;
    });
    return ["boathook", words, ...parts].join(" ");
  });
}

function quoted(text: string): string {
  return /^[\w.:/,-]*$/.test(text) ? text : `'${text}'`;
}
