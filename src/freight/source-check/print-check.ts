/** The steps of a check, as commands print them. */
import { table, type Column } from "../../cli/print.ts";
import type { CheckStep } from "./step.ts";

const STEPS: readonly Column<CheckStep>[] = [
  ["STEP", ({ step }) => step],
  ["OF", ({ of }) => of],
  ["", ({ result }) => result],
  ["MS", ({ tookMs }) => tookMs],
  ["CAME BACK", ({ found }) => found],
];

export type PrintedCheck = {
  readonly title: string;
  readonly steps: readonly CheckStep[];
  /** What the answer becomes; null without one. */
  readonly outcome: string | null;
  /** The file that keeps the answer. */
  readonly recorded: string | null;
};

export function checkText({ title, steps, outcome, recorded }: PrintedCheck, isFirst: boolean): string {
  const advice = steps.flatMap(({ step, of, advice: text }) =>
    text === null ? [] : [`${step} ${of}: ${text}\n`],
  );
  return [
    `${isFirst ? "" : "\n"}${title}\n`,
    table(steps, STEPS),
    askedText(steps.flatMap(({ asked }) => asked)),
    advice.length === 0 ? "" : `\nTo do:\n${advice.map((line) => `  ${line}`).join("")}`,
    outcome === null ? "" : `\n${outcome}`,
    recorded === null ? "" : `\nKept in ${recorded}\n`,
  ]
    .join("")
    .replaceAll(UNSEEN, "\ufffd");
}

/** What an answer may hold to write over a line, or to turn its direction. */
const UNSEEN = /[^\P{Cc}\n]|\p{Cf}/gu;

/** Requests that are printed: an answer may have hundreds of pages. */
const ASKED_MAX = 5;

function askedText(asked: readonly string[]): string {
  if (asked.length === 0) return "";
  const rest = asked.length - ASKED_MAX;
  const lines = [...asked.slice(0, ASKED_MAX), ...(rest > 0 ? [`and ${rest} more: --json has all`] : [])];
  return `\nAsked:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
