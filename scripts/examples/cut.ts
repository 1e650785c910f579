/** Cuts an answer to what shows its shape. */
import type { Route } from "./api.ts";

const TEXT_LINES_MAX = 6;
const WORDS_MAX = 5;

/** Of these fields, what says nothing of a machine. */
const FIELDS: Readonly<Record<string, string>> = {
  host: "host-1",
  build: "0.2.0 (0f1e2d3c)",
  commit: "0f1e2d3c",
  process: "boathook 11999 1795384132664",
  next_cursor: "AaIFO98pdjuOwHTmeT52lQ",
};

/** One element of each list, the one that shows the most; of a JSON Schema its head, of a text its first lines. */
export function cut({ operationId }: Route, text: string): unknown {
  const answer = parsed(text);
  if (typeof answer === "string") return cutText(answer);
  if (operationId !== "readDeliverySchema") return cutLists(answer);
  const { $schema, title } = answer as { readonly $schema: unknown; readonly title: unknown };
  return { $schema, title };
}

function cutText(text: string): string {
  const lines = text.trimEnd().split("\n").slice(0, TEXT_LINES_MAX);
  return `${lines.map((line) => line.replace(/^data: (.*)$/, (_, json: string) => `data: ${JSON.stringify(cutLists(JSON.parse(json)))}`)).join("\n")}\n`;
}

function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shown = value.map(cutLists);
    if (shown.every((one) => typeof one !== "object")) return shown.slice(0, WORDS_MAX);
    return shown.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, 1);
  }
  if (typeof value !== "object" || value === null) return value;
  const isEventType = "subscribable" in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (isEventType && name === "schema") return [name, { type: "object" }];
      // As it was sent.
      if (name === "request") return [name, member];
      return [name, typeof member === "string" && name in FIELDS ? FIELDS[name] : cutLists(member)];
    }),
  );
}

export function lengthOf(value: unknown): number {
  return value === undefined ? -1 : JSON.stringify(value).length;
}

/** A text where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
