/**
 * Values of an answer as text. A template holds holes between braces; without one it is a hole itself.
 *
 *     {a.b}          the field, of a list each item's once, with commas
 *     {a|b|'none'}   the first that is not empty
 *     {a?yes|no}     one or the other template, by whether there is anything; {a=b?yes|no}, by whether it is b
 *     {a[{b} x {c}]} the template for each item, with commas between; {a[…];} with semicolons
 *     {a:2}          the number with two decimals
 */
import { display, type CellValue } from "./print.ts";

const CONDITION = /^([\w.|]+)(?:=(\w+))?\?(.*)$/s;
const EACH = /^([\w.]+)\[(.*)\](;?)$/s;
const DECIMALS = /^([\w.]+):(\d)$/;

/** Null: none of its holes has a value. */
export function fill(template: string, value: unknown): CellValue {
  if (!template.includes("{")) return holeOf(template, value);
  let text = "";
  let isEmpty = true;
  for (const part of partsOf(template)) {
    const filled = part.isHole ? holeOf(part.text, value) : part.text;
    if (part.isHole && filled !== null) isEmpty = false;
    if (part.isHole && filled !== null && template.length === part.text.length + 2) return filled;
    text += filled ?? (CONDITION.test(part.text) ? "" : "-");
  }
  return isEmpty ? null : text;
}

function* partsOf(template: string): Generator<{ readonly text: string; readonly isHole: boolean }> {
  let from = 0;
  let depth = 0;
  for (let at = 0; at < template.length; at += 1) {
    const isStart = template[at] === "{" && (depth += 1) === 1;
    const isEnd = template[at] === "}" && (depth -= 1) === 0;
    if (!isStart && !isEnd) continue;
    if (at > from) yield { text: template.slice(from, at), isHole: isEnd };
    from = at + 1;
  }
  if (from < template.length) yield { text: template.slice(from), isHole: false };
}

function holeOf(hole: string, value: unknown): CellValue {
  const [, condition, wanted, choices = ""] = CONDITION.exec(hole) ?? [];
  if (condition !== undefined) {
    const found = firstOf(condition, value);
    const chosen = chosenOf(
      choices,
      wanted === undefined ? isTrue(found) : textOf(found)?.toString() === wanted,
    );
    return chosen.includes("{") ? fill(chosen, value) : chosen || null;
  }
  const [, amount, decimals] = DECIMALS.exec(hole) ?? [];
  if (amount !== undefined) return Number(valueAt(value, amount)).toFixed(Number(decimals));
  const [, list, each = "", separator] = EACH.exec(hole) ?? [];
  if (list === undefined) return textOf(firstOf(hole, value));
  const items = [valueAt(value, list)].flat().filter((item) => item !== null && item !== undefined);
  const texts = items.map((item) => fill(each, item));
  return separator === ";" ? texts.join(";") || null : textOf(texts);
}

/** Of `yes|no`, where a bar within braces belongs to a hole. */
function chosenOf(choices: string, isYes: boolean): string {
  let depth = 0;
  const bar = choices.split("").findIndex((letter) => {
    depth += letter === "{" ? 1 : letter === "}" ? -1 : 0;
    return letter === "|" && depth === 0;
  });
  if (bar === -1) return isYes ? choices : "";
  return isYes ? choices.slice(0, bar) : choices.slice(bar + 1);
}

function firstOf(alternatives: string, value: unknown): unknown {
  for (const path of alternatives.split("|")) {
    const found = path.startsWith("'") ? path.slice(1, -1) : valueAt(value, path);
    if (textOf(found) !== null) return found;
  }
  return null;
}

export function valueAt(value: unknown, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  if (Array.isArray(value)) return value.flatMap((item) => valueAt(item, path) ?? []);
  const member = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return rest.length === 0 || member === undefined || member === null
    ? member
    : valueAt(member, rest.join("."));
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isTrue) : Boolean(value);
}

function textOf(value: unknown): CellValue {
  if (Array.isArray(value)) return [...new Set(value.map((item) => textOf(item) ?? "-"))].join(", ") || null;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value === "" ? null : display(value);
  return value === null || value === undefined ? null : display(JSON.stringify(value));
}
