/** Days and times as messages write them: `15NOV`, `15NOV1430`, `S1030-N`. */
import type { TimeIndicator } from "../../timeline/air-event.ts";

export type DayAndTime = {
  readonly day: number;
  /** From 0. */
  readonly month: number;
  /** Since midnight; null if only the day is given. */
  readonly minutes: number | null;
  /** From the day change indicator. */
  readonly daysLater: number;
};

export type FlightTime = {
  /** Null without an indicator before the time. */
  readonly indicator: TimeIndicator | null;
  readonly minutes: number;
  readonly daysLater: number;
};

const MONTHS = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

/** P is the previous day; N, S and T are one, two and three days later. */
const DAY_CHANGES: ReadonlyMap<string, number> = new Map([
  ["P", -1],
  ["N", 1],
  ["S", 2],
  ["T", 3],
  ["1", 1],
  ["2", 2],
  ["3", 3],
]);

const INDICATORS: Readonly<Record<string, TimeIndicator>> = { A: "actual", E: "estimated", S: "scheduled" };

/** Whether a day is meant, even one that does not exist. */
export function looksLikeDay(text: string): boolean {
  return /^\d{1,2} ?[A-Z]{3}/.test(text);
}

/** Null: no day, or something else follows. Some airlines write `15 NOV 14:30`. */
export function dayAndTimeIn(written: string): DayAndTime | null {
  const text = /[ :]/.test(written) ? written.replaceAll(/[ :]/g, "") : written;
  const digits = isDigit(text, 1) ? 2 : 1;
  if (!isDigit(text, 0)) return null;
  const month = MONTHS.indexOf(text.slice(digits, digits + 3)) / 3;
  const day = Number(text.slice(0, digits));
  if (text.length < digits + 3 || !Number.isInteger(month) || month < 0 || day < 1 || day > 31) return null;
  const afterMonth = digits + 3;
  const minutes = minutesAt(text, afterMonth);
  const daysLater = dayChangeIn(text.slice(minutes === null ? afterMonth : afterMonth + 4));
  return daysLater === null ? null : { day, month, minutes, daysLater };
}

/** Null: no time of day, or something else follows. */
export function flightTimeIn(text: string): FlightTime | null {
  const indicator = INDICATORS[text.charAt(0)] ?? null;
  const from = indicator === null ? 0 : 1;
  const minutes = minutesAt(text, from);
  const daysLater = minutes === null ? null : dayChangeIn(text.slice(from + 4));
  return minutes === null || daysLater === null ? null : { indicator, minutes, daysLater };
}

/** What follows a time: nothing, `-N`, `N` or `+1`. `-1` is ambiguous, and so null. */
export function dayChangeIn(text: string): number | null {
  if (text === "") return 0;
  const sign = text.charAt(0);
  const indicator = sign === "-" || sign === "+" ? text.slice(1) : text;
  if (sign === "-" && isDigit(indicator, 0)) return null;
  return DAY_CHANGES.get(indicator) ?? null;
}

/** Four digits, from 0000 to 2400; else null. */
export function minutesAt(text: string, index: number): number | null {
  for (let digit = index; digit < index + 4; digit += 1) if (!isDigit(text, digit)) return null;
  const hours = Number(text.slice(index, index + 2));
  const minutes = Number(text.slice(index + 2, index + 4));
  const isTime = (hours < 24 && minutes < 60) || (hours === 24 && minutes === 0);
  return isTime ? hours * 60 + minutes : null;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}
