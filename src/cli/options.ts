/** Options that several commands share, and how their texts are read. */
import { InvalidArgumentError } from "commander";

import { readUuid } from "../model/uuid.ts";

/** For `.option(...JSON_OPTION)`. */
export const JSON_OPTION = ["--json", "print JSON"] as const;

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export function positiveNumber(text: string): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError("It must be a number above 0.");
}

export function oneOf<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.`);
  };
}

/** Names with commas between them. */
export function nameList(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function uuid(text: string): string {
  const id = readUuid(text);
  if (id !== null) return id;
  throw new InvalidArgumentError("It must be an id, a UUID.");
}

export const LIMIT_MAX = 10_000;
