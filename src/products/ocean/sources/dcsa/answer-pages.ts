/**
 * The pages of a carrier's whole answer. Where it is cut, it is asked for again in parts, as the carrier's entry says:
 *
 *     whole answer ─▶ cut? ─▶ each value of a parameter ─▶ cut? ─▶ halves of its time, and halves of these
 *                      └─ no: complete                      └─ no: complete
 *
 * A part that stays cut, fails or is one too many leaves the answer incomplete: then what is missing was not retracted.
 */
import type { Clock } from "../../../../runtime/clock.ts";
import { DAY_MS } from "../../../../runtime/durations.ts";
import { fetchPages, type Pages } from "../../../../freight/dcsa/pages.ts";
import type { Spelling } from "../../../../freight/dcsa/spelling.ts";
import type { NoAnswer } from "../../../../freight/upstream/no-answer.ts";
import type { UpstreamGet } from "../../../../freight/upstream/upstream.ts";
import type { Carrier } from "../carriers.ts";
import type { Split } from "../question-schema.ts";
import { createPaging } from "./paging.ts";
import type { Question, Way } from "./question.ts";

export type AnswerPages = Pages & { readonly isCut: boolean };

type Part = AnswerPages & { readonly events: number };

/** Of the whole answer, its parts included; the deadline by the monotonic clock. */
type Bounds = { readonly deadlineMs: number; readonly bytesBefore: number };

export type AnswerPorts = {
  readonly get: UpstreamGet;
  readonly clock: Clock;
  readonly carrier: Carrier;
  readonly spelling: Spelling;
};

const TIMEOUT_MS = 15_000;
/** Requests for the parts of one answer, without their further pages. */
const PARTS_MAX = 24;

/** The pages of all its questions together: for a booking, those of its containers one by one. */
export async function fetchWay(
  ports: AnswerPorts,
  { questions, isPart }: Way,
): Promise<AnswerPages | NoAnswer> {
  const deadlineMs = ports.clock.monotonicMs() + (ports.carrier.timeoutMs ?? TIMEOUT_MS);
  const answers: AnswerPages[] = [];
  let bytesBefore = 0;
  for (const question of questions) {
    const answer = await fetchAnswerPages(ports, question, { deadlineMs, bytesBefore });
    if (answer.kind === "not_found") continue;
    // Half an answer is none: what it lacks would count as taken back.
    if (answer.kind !== "pages") return answer;
    bytesBefore += bytesOf(answer);
    answers.push(answer);
  }
  const [first] = answers;
  if (first === undefined) return { kind: "not_found" };
  const bodies = answers.flatMap((answer) => answer.bodies);
  return { ...first, bodies, isCut: isPart || answers.some(({ isCut }) => isCut) };
}

async function fetchAnswerPages(
  ports: AnswerPorts,
  question: Question,
  bounds: Bounds,
): Promise<AnswerPages | NoAnswer> {
  const { clock, carrier } = ports;
  const { deadlineMs } = bounds;
  const whole = await fetchPart(ports, question, {}, bounds);
  const split = carrier.question?.split;
  if (whole.kind !== "pages" || !whole.isCut || split === undefined) return whole;
  const bodies: string[] = [];
  let events = 0;
  let bytesBefore = bounds.bytesBefore + bytesOf(whole);
  const waiting = partsOf(split, clock.nowMs());
  for (let asked = 0; waiting.length > 0; asked += 1) {
    const part = waiting.shift()!;
    if (asked === PARTS_MAX) return incomplete(whole, bodies);
    const answer = await fetchLaterPart(ports, question, part.parameters, { deadlineMs, bytesBefore });
    if (answer.kind === "empty") continue;
    if (answer.kind !== "pages") return incomplete(whole, bodies);
    bytesBefore += bytesOf(answer);
    const halves = answer.isCut ? halvesOf(part, split) : [];
    if (answer.isCut && halves.length === 0) return incomplete(whole, [...bodies, ...answer.bodies]);
    if (halves.length > 0) waiting.unshift(...halves);
    else {
      bodies.push(...answer.bodies);
      events += answer.events;
    }
  }
  // The carrier has read the question in another way.
  if (events < whole.events) return incomplete(whole, bodies);
  return { ...whole, bodies, isCut: false };
}

function bytesOf({ bodies }: Pages): number {
  return bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
}

/** Repeated events count once. */
function incomplete(whole: AnswerPages, bodies: readonly string[]): AnswerPages {
  return { ...whole, bodies: [...whole.bodies, ...bodies] };
}

async function fetchPart(
  { get, clock, carrier, spelling }: AnswerPorts,
  { url, headers }: Question,
  parameters: Readonly<Record<string, string>>,
  { deadlineMs, bytesBefore }: Bounds,
): Promise<Part | NoAnswer> {
  const first = new URL(url.href);
  for (const [name, value] of Object.entries(parameters)) first.searchParams.set(name, value);
  const paging = createPaging(carrier, first, spelling, clock);
  const timeoutMs = deadlineMs - clock.monotonicMs();
  const pages = await fetchPages(
    get,
    {
      ...{ first, headers, timeoutMs, bytesBefore },
      ...{ nextPage: paging.nextPage, isCounted: paging.isCounted },
    },
    clock,
  );
  return pages.kind === "pages" ? { ...pages, isCut: paging.isCut(), events: paging.events() } : pages;
}

/** Some carriers answer with 404 for a part without events. A part that the carrier does not understand is not empty. */
async function fetchLaterPart(
  ports: AnswerPorts,
  question: Question,
  parameters: Readonly<Record<string, string>>,
  bounds: Bounds,
): Promise<Part | NoAnswer | { readonly kind: "empty" }> {
  let isMissing = false;
  const get: UpstreamGet = async (url, options) => {
    const answer = await ports.get(url, options);
    isMissing = answer.kind === "answered" && answer.status === 404;
    return answer;
  };
  const part = await fetchPart({ ...ports, get }, question, parameters, bounds);
  return part.kind === "not_found" && isMissing ? { kind: "empty" } : part;
}

/** The range is milliseconds since the epoch; its parameters leave the first and the last range open. */
type PartQuestion = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly range: { readonly fromMs: number; readonly toMs: number };
};

const DAYS_DEFAULT = 180;

/** Events may be stated of either side of now. */
function partsOf(split: Split, nowMs: number): PartQuestion[] {
  const { parameter, values, ranges } = split;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const aroundMs = (ranges?.days ?? DAYS_DEFAULT) * DAY_MS;
  const range = { fromMs: today - aroundMs, toMs: today + aroundMs };
  if (parameter === undefined || values === undefined) return halvesOf({ parameters: {}, range }, split);
  return values.map((value) => ({ parameters: { [parameter]: value }, range }));
}

/** None: it cannot be halved. */
function halvesOf({ parameters, range }: PartQuestion, { ranges }: Split): PartQuestion[] {
  const days = Math.round((range.toMs - range.fromMs) / DAY_MS);
  if (ranges === undefined || days < 2) return [];
  const middleMs = range.fromMs + Math.floor(days / 2) * DAY_MS;
  const { from, to, format = "date-time" } = ranges;
  const written = new Date(middleMs).toISOString();
  const at = format === "date" ? written.slice(0, "YYYY-MM-DD".length) : written;
  return [
    { parameters: { ...parameters, [to]: at }, range: { ...range, toMs: middleMs } },
    { parameters: { ...parameters, [from]: at }, range: { ...range, fromMs: middleMs } },
  ];
}
