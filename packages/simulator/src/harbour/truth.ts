/**
 * The truth about a shipment: the statuses and events that spec 2.4, 3.3, 6.3 and 8 call for, given what
 * its line says and when, for a service that polls right after every change of the line's answers and
 * whenever time alone brings something about. It is derived from the journey and not from the answers,
 * so that it can be compared with what the service makes of them.
 */
import type { Fact } from "./fact.ts";
import type { Life } from "./harbour.ts";
import { createObserver, type Collected } from "./true-events.ts";
import type { TrueEvent, TrueStatusChange, TruthOptions } from "./true-event.ts";
import { believe, type Believed } from "./true-answers.ts";
import type { Announced } from "./true-route.ts";
import { stateOf } from "./true-state.ts";
import { answeredAsOfMs } from "./two-caches.ts";

export type Truth = {
  readonly events: readonly TrueEvent[];
  /** Whenever a status changed, and at first. */
  readonly statusChanges: readonly TrueStatusChange[];
};

/** Moments at which time alone brings something about for one box: far more than there can be. */
const TIME_DRIVEN_MAX = 200;

export function truthOf(life: Life, options: TruthOptions): Truth {
  const kept: Collected = { events: [], statusChanges: [] };
  const firstNamedMs = Math.min(...life.boxes.map(({ index }) => namedFrom(life, index, options.fromMs)));
  let unnamedTold = false;
  for (const { index, equipment } of life.boxes) {
    const namedMs = life.single ? options.fromMs : namedFrom(life, index, options.fromMs);
    // Before any of its boxes has a number events are raised once, for the shipment as a whole.
    const fromTheBeginning = namedMs === firstNamedMs;
    const nameAt = (atMs: number): string => (atMs < namedMs ? "" : equipment);
    const own: Collected = { events: [], statusChanges: [] };
    replayBox(life, index, { ...options, fromMs: fromTheBeginning ? options.fromMs : namedMs }, nameAt, own);
    const news = <T extends { readonly equipment: string }>(list: readonly T[]): readonly T[] =>
      unnamedTold ? list.filter((one) => one.equipment !== "") : list;
    kept.events.push(...news(own.events));
    kept.statusChanges.push(...news(own.statusChanges));
    unnamedTold ||= fromTheBeginning;
  }
  return kept;
}

/** The first answer from `fromMs` on that names the box. */
function namedFrom(life: Life, index: number, fromMs: number): number {
  const said = life.facts.filter(({ box, untilMs }) => box === index && untilMs > fromMs);
  const saidMs = Math.min(...said.map((fact) => Math.max(fact.fromMs, fromMs)));
  return life.outages.find((spell) => spell.fromMs <= saidMs && saidMs < spell.untilMs)?.untilMs ?? saidMs;
}

function replayBox(
  life: Life,
  index: number,
  options: TruthOptions,
  nameAt: (atMs: number) => string,
  kept: Collected,
): void {
  const facts = life.facts.filter(({ box }) => box === null || box === index);
  // What has been in an answer stays known, though the line prunes it.
  const known = new Set<Fact>();
  const observe = createObserver(nameAt, options, kept);
  const due = answerChangeTimes(life, options.fromMs);
  const polls = new Set(due);
  let believed: Believed | null = null;
  let announced: Announced | null = null;
  let timeDriven = 0;
  for (let atMs = due.shift(); atMs !== undefined; atMs = due.shift()) {
    const nowMs = atMs;
    const asOfMs = answeredAsOfMs(life.older, nowMs);
    // While the line does not answer, what it said last holds.
    const answers = !life.outages.some(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
    const answer = polls.has(nowMs) && answers ? facts.filter((fact) => isReported(fact, asOfMs, known)) : [];
    // An answer that holds nothing is none.
    const isAnswered = answer.some(({ prunedMs }) => asOfMs < prunedMs);
    for (const fact of isAnswered ? answer : []) known.add(fact);
    if (isAnswered) {
      believed = believe(answer, believed, nowMs, asOfMs);
      if (believed.begins) announced = null;
    }
    if (believed === null) continue;
    const state = stateOf(
      believed.facts,
      believed.reportedMs,
      nowMs,
      announced,
      life.line.reporting.datesOnly,
    );
    announced = state.announced;
    const nextMs = observe(state, nowMs, believed.begins && isAnswered);
    if (nextMs !== null && nextMs < (due[0] ?? Number.POSITIVE_INFINITY)) {
      due.unshift(nextMs);
      timeDriven += 1;
      if (timeDriven > TIME_DRIVEN_MAX) throw new Error(`time alone never stops changing box ${index}`);
    }
  }
}

function isReported(fact: Fact, atMs: number, known: ReadonlySet<Fact>): boolean {
  const { fromMs, untilMs, prunedMs } = fact;
  if (fromMs > atMs || untilMs <= Math.min(atMs, prunedMs)) return false;
  return atMs < prunedMs || known.has(fact);
}

/** When an answer of the line can differ from the one before, its coming back included; each once, in order. */
export function answerChangeTimes(life: Life, fromMs: number): number[] {
  const moments = [
    fromMs,
    ...life.facts.flatMap((fact) => [fact.fromMs, fact.untilMs, fact.prunedMs]),
    ...life.outages.map(({ untilMs }) => untilMs),
    ...life.older.flatMap((turn) => [turn.fromMs, turn.untilMs]),
  ];
  const whole = moments.filter((ms) => ms >= fromMs && ms !== Number.POSITIVE_INFINITY);
  return [...new Set(whole)].toSorted((a, b) => a - b);
}
