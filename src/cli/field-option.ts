/** How a field of an operation is called and read on the command line. */
import { InvalidArgumentError, Option } from "commander";

import type { CommandView } from "../model/command-view.ts";
import type { Field, Operation, Schema, Value } from "./operation.ts";
import { nameList, oneOf, uuid, wholeNumber } from "./options.ts";

/** A unit, or that an id is meant: the placeholder of the value says it. */
const SUFFIX = /_(?:id|seconds)$/;

export function nameOf({ name }: Field, { path, view }: Pick<Operation, "path" | "view">): string {
  const own = view?.names?.[name];
  if (own !== undefined) return own;
  if (name === "id") return `${singular(/\/([\w-]+)\/\{id\}/.exec(path)?.[1] ?? "")}-id`;
  return name.replaceAll("_", "-");
}

function singular(plural: string): string {
  return plural.endsWith("ies") ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, "");
}

/** The same field as an option; a flag where it can only be true. */
export function fieldOption(field: Field, view: CommandView): Option {
  const { name, schema, isRequired, place } = field;
  const words = view.names?.[name] ?? name.replace(SUFFIX, "").replaceAll("_", "-");
  const isFlag = place === "query" && (schema.type === "boolean" || schema.enum?.join() === "true,false");
  const option = new Option(`--${words}${isFlag ? "" : ` <${valueOf(field, words)}>`}`, aboutOf(field));
  return isFlag ? option : option.makeOptionMandatory(isRequired).argParser(readerOf(field));
}

function aboutOf({ about, schema }: Field): string {
  const values = schema.enum ?? schema.items?.enum;
  const choices =
    values === undefined || schema.enum?.join() === "true,false" ? "" : `one of ${values.join(", ")}`;
  const commas = schema.type === "array" ? "with commas between" : "";
  return [about, choices, commas].filter((text) => text !== "").join("; ");
}

/** What stands for the value in the help. */
function valueOf({ name, schema }: Field, words: string): string {
  if (name.endsWith("_id")) return "id";
  if (name.endsWith("_seconds")) return "seconds";
  if (schema.type === "boolean") return "on|off";
  if (schema.type === "array") return "list";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.enum !== undefined) return words;
  return schema.format === "date-time" ? "day|time" : "text";
}

/** Throws `InvalidArgumentError` for what the document does not allow. */
export function readerOf({ name, schema, place }: Field): (text: string) => Value {
  if (place === "query" && name.endsWith("_id")) return uuid;
  return readerOfSchema(schema);
}

function readerOfSchema(schema: Schema): (text: string) => Value {
  const { type, minimum = 0, maximum = 999_999_999 } = schema;
  if (schema.enum !== undefined) return oneOf(schema.enum.map(String));
  if (type === "integer") return wholeNumber(minimum, maximum);
  if (type === "boolean") return (text) => oneOf(["on", "off"])(text) === "on";
  if (type === "array") return nameList;
  // A day alone is its first moment.
  if (schema.format === "date-time") return (text) => text.replace(/^\d{4}-\d\d-\d\d$/, "$&T00:00:00Z");
  if (type === "string" || type === undefined) return (text) => text;
  return (text) => {
    if (text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
    throw new InvalidArgumentError("It must be a number.");
  };
}
