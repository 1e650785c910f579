/** Options that several commands share, and what their texts must be. */
import { readUuid } from "../model/uuid.ts";
import { CommandError } from "./command.ts";

export const JSON_OPTION = { type: "boolean", about: "print JSON" } as const;

export function parseWholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CommandError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

export function parsePositiveNumber(name: string, text: string): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new CommandError(`--${name} must be a number above 0, not "${text}"`);
}

/** Names with commas between them. */
export function parseNames(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** `what` the id is of: "an account". */
export function parseId(what: string, text: string): string {
  const id = readUuid(text);
  if (id !== null) return id;
  throw new CommandError(`"${text}" is not the id of ${what}: it should be a UUID`);
}
