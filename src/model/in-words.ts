/** How events are given in one line, for people: of their data, which an operator may have raised with fields missing. */
import type { JsonObject } from "./json.ts";

/** Null: nothing in the data says more than the event's type. Never throws, whatever the data. */
export type InWords = (data: JsonObject) => string | null;

const TEXT_LENGTH_MAX = 80;

/** A text of the data in one line; null: it is none. */
export function text(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return cut(value.replaceAll(/[\s\p{C}]+/gu, " ").trim(), TEXT_LENGTH_MAX) || null;
}

/** The words of a code: `in transit`. */
export function words(value: unknown): string | null {
  return text(value)?.replaceAll("_", " ") ?? null;
}

/** With one decimal at most. */
export function figure(value: unknown): string | null {
  return typeof value === "number" && Number.isFinite(value)
    ? String(Math.round(value * 10) / 10)
    : text(value);
}

/** `1 piece`, `2 pieces`; null: it is no number. */
export function counted(value: unknown, one: string, many = `${one}s`): string | null {
  return typeof value === "number" ? around("", figure(value), ` ${value === 1 ? one : many}`) : null;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `4 Dec`; null: it is no date. */
export function day(value: unknown): string | null {
  const at = typeof value === "string" ? new Date(value) : new Date(Number.NaN);
  return Number.isNaN(at.getTime()) ? null : `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]!}`;
}

/** `4 Dec 06:00`, in UTC. */
export function moment(value: unknown): string | null {
  const date = day(value);
  return date === null ? null : `${date} ${new Date(value as string).toISOString().slice(11, 16)}`;
}

/** `1 Dec → 3 Dec`, or the one that there is. */
export function turn(from: string | null, to: string | null): string | null {
  return joined([from, to], " → ");
}

/** `+2 days`, `-30 h`. */
export function shift(hours: unknown): string | null {
  if (typeof hours !== "number" || !Number.isFinite(hours)) return null;
  const sign = hours < 0 ? "-" : "+";
  const size = Math.abs(hours);
  return size < 48 ? `${sign}${figure(size)!} h` : `${sign}${figure(size / 24)!} days`;
}

/** The parts that there are; null: none. */
export function joined(parts: readonly (string | null)[], by = ", "): string | null {
  return parts.filter((part) => part !== null && part !== "").join(by) || null;
}

/** The part with what stands around it, where there is one. */
export function around(before: string, part: string | null, after = ""): string | null {
  return part === null ? null : `${before}${part}${after}`;
}

/** At most so many characters. */
export function cut(line: string, lengthMax: number): string {
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line;
}
