/** What a command says of its checks: each as it ends, then how many are right, and where the others fail. */
import type { CommandContext } from "../../cli/context.ts";
import { type Column, display, facts, jsonText, table } from "../../cli/print.ts";
import type { EntryCheck } from "./check.ts";
import type { CheckStep } from "./step.ts";

/** What a command says of a check. */
export type Reported<Outcome, Who extends object> = {
  /** `feeds`: what is checked. */
  readonly many: string;
  readonly nameOf: (who: Who) => string;
  readonly titleOf: (who: Who) => string;
  readonly printed: (outcome: Outcome) => string;
  /** The outcome as JSON; absent: as it is. */
  readonly shown?: (outcome: Outcome) => object;
};

export type CheckReport<Check> = {
  take(check: Check): void;
  /** The exit status is 1 where a step failed. */
  end(): void;
};

export function startReport<Outcome, Who extends object>(
  at: CommandContext,
  isJson: boolean,
  { many, nameOf, titleOf, printed, shown = (outcome) => outcome as object }: Reported<Outcome, Who>,
): CheckReport<EntryCheck<Outcome, Who>> {
  const checks: EntryCheck<Outcome, Who>[] = [];
  return {
    take(check) {
      checks.push(check);
      if (isJson) return;
      const outcome = check.outcome === null ? null : printed(check.outcome);
      at.out(checkText({ ...check, title: titleOf(check), outcome }, checks.length === 1));
    },
    end() {
      const summary = summaryOf(checks, nameOf);
      const asJson = (check: EntryCheck<Outcome>) => ({
        ...check,
        outcome: check.outcome === null ? null : shown(check.outcome),
      });
      if (isJson) at.out(jsonText({ checks: checks.map(asJson), summary }));
      else if (checks.length > 1) at.out(summaryText(many, checks.length, summary));
      if (summary.wrong > 0) at.exitStatus = 1;
    },
  };
}

type Failure = { readonly name: string } & Pick<CheckStep, "step" | "of">;

type Summary = {
  readonly right: number;
  readonly wrong: number;
  /** Nothing to ask: what comes by itself. */
  readonly notAsked: number;
  readonly failures: readonly Failure[];
};

function summaryOf<Who extends object>(
  checks: readonly EntryCheck<unknown, Who>[],
  nameOf: (who: Who) => string,
): Summary {
  const wrong = checks.filter(({ passed }) => !passed).length;
  const notAsked = checks.filter(({ steps }) => steps.every(({ result }) => result === "skipped")).length;
  const failures = checks.flatMap((check) =>
    check.steps
      .filter(({ result }) => result === "failed")
      .map(({ step, of }) => ({ name: nameOf(check), step, of })),
  );
  return { right: checks.length - wrong - notAsked, wrong, notAsked, failures };
}

const FAILURES: readonly Column<Failure>[] = [
  ["WRONG", ({ name }) => name],
  ["STEP", ({ step }) => step],
  ["OF", ({ of }) => of],
];

function summaryText(many: string, count: number, { right, wrong, notAsked, failures }: Summary): string {
  const counts = [`${right} right`, ...(notAsked === 0 ? [] : [`${notAsked} not asked`]), `${wrong} wrong`];
  const line = `\n${count} ${many}: ${counts.join(", ")}`;
  const [only] = failures;
  if (only === undefined) return `${line}.\n`;
  return failures.length === 1
    ? `${line} (${only.name} at ${only.step} of ${only.of}).\n`
    : `${line}.\n${table(failures, FAILURES)}`;
}

/** The steps of a check, as commands print them. */
const STEPS: readonly Column<CheckStep>[] = [
  ["STEP", ({ step }) => step],
  ["OF", ({ of }) => of],
  ["", ({ result }) => result],
  ["MS", ({ tookMs }) => tookMs],
  ["CAME BACK", ({ found }) => found],
];

type PrintedCheck = {
  readonly title: string;
  readonly steps: readonly CheckStep[];
  /** What the answer becomes; null without one. */
  readonly outcome: string | null;
  /** The file that keeps the answer. */
  readonly recorded: string | null;
};

function checkText({ title, steps, outcome, recorded }: PrintedCheck, isFirst: boolean): string {
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

export type Raised = { readonly at: string; readonly type: string; readonly data: unknown };

/** What an answer becomes that raises events: facts, a table of what happened, and the events that polls would raise. */
export function lifeText<Row>(
  known: Parameters<typeof facts>[0],
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  raised: readonly Raised[],
): string {
  return [
    facts(known),
    rows.length === 0 ? "" : `\n${table(rows, columns)}`,
    raised.length === 0
      ? "\nNo event would have been raised.\n"
      : `\nWould have been raised:\n${raised.map((event) => `  ${display(event.at)}  ${raisedText(event)}\n`).join("")}`,
  ].join("");
}

function raisedText({ type, data }: Raised): string {
  const { changed_fields: fields } = Object(data) as { changed_fields?: readonly string[] };
  return fields === undefined ? type : `${type} (${fields.join(", ")})`;
}
