/** Asks an operation and prints what it answers. */
import type { CommandView } from "../model/command-view.ts";
import { answerText, rowsText } from "./answer-text.ts";
import { CommandError } from "./command.ts";
import type { ApiAnswer, Ask, CommandContext } from "./context.ts";
import { fieldOption } from "./field-option.ts";
import { readNamedFile } from "./files.ts";
import { bodyOf, urlOf, type Values, type Viewed } from "./operation.ts";
import { LIMIT_MAX } from "./options.ts";
import { jsonText, type CellValue } from "./print.ts";
import { fill, valueAt } from "./template.ts";

export type OperationRun = {
  readonly operation: Viewed;
  readonly values: Values;
  readonly ask: Ask;
  readonly file: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly limit: number;
};

/** Problems of one file that are shown in one go. */
const PROBLEMS_SHOWN_MAX = 100;
/** What routes give at once. */
const PAGE_MAX = 100;

export async function runOperation(at: CommandContext, run: OperationRun): Promise<void> {
  const { view } = run.operation;
  if (view.confirm !== undefined && !run.yes) await confirm(at, run, view.confirm);
  if (view.rows !== undefined) return printList(at, run, view.rows);
  const { value, status, isRefused } = await answerOf(run);
  const said = { ...Object.fromEntries(run.values), http_status: status, ...(value as object) };
  const problems = view.problems === undefined ? [] : problemsOf(value, view.problems);
  if (run.json) at.out(jsonText(value));
  else if (!isRefused)
    at.out(view.text === undefined ? answerText(value, view) : `${sentence(view.text, said) ?? ""}\n`);
  note(at, run, said);
  if (!run.json && view.problems !== undefined && problems.length > 0) {
    const title = isRefused
      ? messageOf(value, run, "beginning")
      : `${sentence(view.problems.title ?? "", value)}:`;
    at.err(`${title}\n${problemLines(problems)}\n`);
  }
  if (isRefused || (view.fails !== undefined && fill(view.fails, said) !== null)) at.exitStatus = 1;
}

/** Where a column would have a path, a sentence without a hole is itself. */
function sentence(template: string, value: unknown): CellValue {
  return template.includes("{") ? fill(template, value) : template;
}

function problemsOf(answer: unknown, { of, line }: NonNullable<CommandView["problems"]>): readonly string[] {
  return [valueAt(answer, of) ?? []].flat().map((problem) => String(fill(line, problem) ?? ""));
}

/** One problem a line. */
function problemLines(problems: readonly string[]): string {
  const more = problems.length - PROBLEMS_SHOWN_MAX;
  const rest = more > 0 ? [`and ${more} more: --json lists all`] : [];
  return [...problems.slice(0, PROBLEMS_SHOWN_MAX), ...rest].map((line) => `  ${line}`).join("\n");
}

async function confirm(
  at: CommandContext,
  run: OperationRun,
  { name, about }: NonNullable<CommandView["confirm"]>,
): Promise<void> {
  const shown = await run.ask({ method: "GET", url: urlOf(run.operation, run.values) });
  if (!isDone(shown)) throw refusalOf(shown, run);
  at.err(`${fill(about, shown.value)} Type its name to go on: `);
  const typed = (await at.readLine()).trim();
  if (typed !== String(fill(name, shown.value)).trim()) throw new CommandError("Nothing was done.", 1);
}

type Answered = { readonly value: unknown; readonly status: number; readonly isRefused: boolean };

async function answerOf(run: OperationRun): Promise<Answered> {
  const { operation, values, ask, file } = run;
  const { method, view, fields } = operation;
  const body = bodyOf(operation, values);
  if (method === "PATCH" && Object.keys(body ?? {}).length === 0) {
    const options = fields.filter(({ place }) => place === "body").map((one) => fieldOption(one, view).long);
    throw new CommandError(`Nothing to change: give ${options.join(", ").replace(/, ([^,]*)$/, " or $1")}.`);
  }
  const sent = { method, url: urlOf(operation, values), ...(await contentOf(view, file, body)) };
  for (;;) {
    const answer = await ask(sent, view.mayCreate === true ? { mayCreate: "embedded" } : {});
    // What could be read of a file that is refused as a whole is an answer as well.
    const isRefused = !isDone(answer);
    const hasProblems = view.problems !== undefined && problemsOf(answer.value, view.problems).length > 0;
    if (isRefused && !hasProblems) throw refusalOf(answer, run);
    // It goes on: asked again, it says how it ended.
    if (method !== "DELETE" || answer.status !== 202) return { ...answer, isRefused };
  }
}

async function contentOf(view: CommandView, file: string | undefined, body: object | undefined) {
  if (file === undefined) return body === undefined ? {} : { body };
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const type = view.file?.[ending];
  const endings = Object.keys(view.file ?? {}).map((one) => `.${one}`);
  if (type === undefined)
    throw new CommandError(
      `${file} must be a file named ${endings.join(", ").replace(/, ([^,]*)$/, " or $1")}`,
    );
  return { content: { type, bytes: await readNamedFile(file) } };
}

async function printList(at: CommandContext, run: OperationRun, name: string): Promise<void> {
  const { operation, values, json, limit } = run;
  const { view, fields } = operation;
  const most = fields.find((one) => one.name === "limit")?.schema.maximum ?? PAGE_MAX;
  const rows: unknown[] = [];
  const unavailable = new Set<unknown>();
  let cursor: string | undefined;
  let last: unknown;
  do {
    const isPaged = fields.some((one) => one.name === "limit");
    const page = new Map(values);
    if (isPaged) page.set("limit", Math.min(limit - rows.length, most));
    if (cursor !== undefined) page.set("cursor", cursor);
    const { value: answer } = await answerOf({ ...run, values: page });
    rows.push(...([valueAt(answer, name) ?? []].flat() as unknown[]));
    for (const cell of [valueAt(answer, "unavailable_cells") ?? []].flat()) unavailable.add(cell);
    cursor = valueAt(answer, "next_cursor") as string | undefined;
    last = answer;
  } while (cursor !== undefined && rows.length < limit);
  const hidden = [...values.keys()].filter((one) => one.endsWith("_id"));
  if (rows.length === 0) await requireNamed(run);
  at.out(json ? jsonText(rows) : rowsText(rows, view, hidden));
  note(at, run, last);
  if (cursor !== undefined) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
  if (unavailable.size === 0) return;
  at.err(`Some are missing here: these cells do not answer: ${[...unavailable].join(", ")}.\n`);
  at.exitStatus = 1;
}

function note(at: CommandContext, { json, operation: { view } }: OperationRun, said: unknown): void {
  const text = json || view.note === undefined ? null : sentence(view.note, said);
  if (text !== null) at.err(`${text}\n`);
}

/** A search answers nothing for an account that is not there; who mistyped it should hear it. */
async function requireNamed(run: OperationRun): Promise<void> {
  for (const [name, id] of run.values) {
    if (!name.endsWith("_id") || typeof id !== "string") continue;
    const url = `/v1/${name.replace(/_id$/, "s")}/${encodeURIComponent(id)}`;
    const answer = await run.ask({ method: "GET", url });
    if (!isDone(answer)) throw refusalOf(answer, run);
  }
}

function isDone({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

function refusalOf(answer: ApiAnswer, run: OperationRun): CommandError {
  const { view, fields } = run.operation;
  const message = messageOf(answer.value, run) || `The service answered ${answer.status}`;
  const [, name, rest = ""] = /^query\.(\w+)(.*)$/is.exec(message.replace(`${run.file}: `, "")) ?? [];
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) return new CommandError(`${fieldOption(field, view).long}${rest}.`);
  return new CommandError(`${message}.`, 1);
}

/** The operation's message, for somebody who has sent a file, or neither a body nor a query. */
function messageOf(value: unknown, { file }: OperationRun, part: "whole" | "beginning" = "whole"): string {
  const whole = String(fill("error.message", value) ?? "").replace(/^body\./, "");
  // Before the file's name is in it, which may hold a colon of its own.
  const message = part === "whole" ? whole : `${whole.split(":", 1)[0]}:`;
  if (file !== undefined && !message.startsWith("nothing was ")) return `${file}: ${message}`;
  const text = file === undefined ? message : message.replace(":", ` from ${file}:`);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
