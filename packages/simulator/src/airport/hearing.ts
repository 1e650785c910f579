/** What a service has received about a waybill, by the answers that it got and the messages that were pushed. */
import { answeredAt, isDatedAhead, pushedMessagesBetween, type Life } from "./life.ts";
import type { Report } from "./reporting.ts";

/**
 * `saidMs`: when it was said first; `again`: when it was sent again. `corrected`: what was said of it before, with other
 * times.
 */
export type Heard = {
  readonly report: Report;
  readonly saidMs: number;
  readonly again: readonly number[];
  readonly corrected: readonly Report[];
};

/** By the key of what happened: what was said of it last. */
type HeardByKey = ReadonlyMap<number, Heard>;

export type Hearing = {
  readonly pushed: HeardByKey;
  readonly answered: HeardByKey;
  readonly lastAnswer: readonly Report[];
  /** What one message or one answer said together with what happened just before it. */
  readonly heardTogether: ReadonlySet<number>;
};

export const NOTHING_HEARD: Hearing = {
  pushed: new Map(),
  answered: new Map(),
  lastAnswer: [],
  heardTogether: new Set(),
};

/** @param afterMs - when it was read before. */
export function hear(life: Life, before: Hearing, afterMs: number, atMs: number): Hearing {
  const messages = pushedMessagesBetween(life, afterMs, atMs);
  const pushed = new Map(before.pushed);
  for (const report of messages.flat()) note(pushed, report, report.reportedMs, true);
  const answer = answeredAt(life, atMs) ?? [];
  const answered = new Map(before.answered);
  if (answer.length > 0) withdraw(answered, before.lastAnswer, answer);
  // An event of ONE Record carries the time at which it was recorded, so that the first answer tells the order.
  const isRecorded = life.waybill.airline.protocol === "one-record" && before.lastAnswer.length === 0;
  const isSentAgain = life.waybill.airline.answers === "latest";
  for (const report of answer) {
    note(answered, report, isRecorded ? report.reportedMs : atMs, isSentAgain);
  }
  const together = [...messages, answer].flatMap((said) => {
    const keys = new Set(said.map(({ key }) => key));
    return [...keys].filter((key) => keys.has(key - 1));
  });
  return {
    pushed,
    answered,
    lastAnswer: answer.length > 0 ? answer : before.lastAnswer,
    heardTogether: new Set([...before.heardTogether, ...together]),
  };
}

/** What is said again was said the first time, though it may be sent again. */
function note(known: Map<number, Heard>, report: Report, saidMs: number, isSentAgain: boolean): void {
  const last = known.get(report.key);
  if (last !== undefined && isSameReport(last.report, report)) {
    const isLater = report.reportedMs > Math.max(last.saidMs, ...last.again);
    if (isSentAgain && isLater) known.set(report.key, { ...last, again: [...last.again, report.reportedMs] });
    return;
  }
  const corrected = last === undefined ? [] : [...last.corrected, last.report];
  known.set(report.key, { report, saidMs, again: [], corrected });
}

function isSameReport(a: Report, b: Report): boolean {
  return a.key === b.key && a.milestone.atMs === b.milestone.atMs && a.isGarbled === b.isGarbled;
}

/** An answer that repeats some of the one before it withdraws the rest, but not what is dated before all of it. */
function withdraw(known: Map<number, Heard>, before: readonly Report[], answer: readonly Report[]): void {
  const isSaid = (report: Report): boolean => answer.some((said) => isSameReport(said, report));
  if (!before.some(isSaid)) return;
  const timed = answer.filter(({ milestone }) => milestone.code !== "TRM");
  const fromMs = Math.min(...timed.map(({ milestone }) => milestone.atMs));
  for (const report of before) {
    if (!isSaid(report) && report.milestone.atMs >= fromMs) known.delete(report.key);
  }
}

/** What holds at that moment: all that was said and not withdrawn, and is not dated ahead. */
export function holdingAt({ pushed, answered }: Hearing, atMs: number): readonly Heard[] {
  const heard = new Map(pushed);
  for (const [key, one] of answered) {
    const other = heard.get(key);
    if (other === undefined || other.report.reportedMs < one.report.reportedMs) heard.set(key, one);
  }
  return [...heard.values()].filter(
    ({ report, saidMs }) => report.milestone.atMs <= atMs || !isDatedAhead(report, saidMs),
  );
}
