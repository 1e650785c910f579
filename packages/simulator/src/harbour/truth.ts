/**
 * The truth about a shipment: the statuses and events that spec 2.4, 3.3, 6.3 and 8 call for, given what
 * its line says and when, for a service that polls right after every change of the line's answers and
 * whenever time alone brings something about. It is derived from the journey and not from the answers,
 * so that it can be compared with what the service makes of them.
 */
import { PLACES } from "../world/places.ts";
import type { Fact } from "./fact.ts";
import type { Life } from "./harbour.ts";
import { stateOf, type TrueState, type TrueStatus } from "./true-state.ts";

export type TrueEvent = {
  readonly atMs: number;
  readonly type: string;
  readonly equipment: string;
  /** What tells it from others of its type: the leg's departure, the ETAs, the kind, the fields … */
  readonly about: string;
};

export type TrueStatusChange = {
  readonly atMs: number;
  readonly equipment: string;
  readonly status: TrueStatus;
};

export type TruthOptions = {
  /** When the shipment begins to be tracked. */
  readonly fromMs: number;
  /** Since when demurrage alerting is armed; null: it is not. */
  readonly armedFromMs: number | null;
  /** Calendar days free of charge after the day of discharge. */
  readonly freeDays: number;
};

export type Truth = {
  readonly events: readonly TrueEvent[];
  /** Whenever a status changed, and at first. */
  readonly statusChanges: readonly TrueStatusChange[];
};

const HOUR_MS = 3_600_000;

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
  const observe = createObserver(nameAt, options, kept);
  const due = answerChangeTimes(life, options.fromMs);
  let reportedMs: number | null = null;
  let timeDriven = 0;
  for (let atMs = due.shift(); atMs !== undefined; atMs = due.shift()) {
    const nowMs = atMs;
    // While the line does not answer, what it said last holds.
    const answers = !life.outages.some(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
    if (answers && facts.some((fact) => isReported(fact, nowMs))) reportedMs = nowMs;
    if (reportedMs === null) continue;
    const saidMs = reportedMs;
    const said = facts.filter((fact) => isReported(fact, saidMs));
    const nextMs = observe(stateOf(said, saidMs, nowMs), nowMs);
    if (nextMs !== null && nextMs < (due[0] ?? Number.POSITIVE_INFINITY)) {
      due.unshift(nextMs);
      timeDriven += 1;
      if (timeDriven > TIME_DRIVEN_MAX) throw new Error(`time alone never stops changing box ${index}`);
    }
  }
}

function isReported({ fromMs, untilMs }: Fact, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs;
}

/** When an answer of the line can differ from the one before, its coming back included; each once, in order. */
export function answerChangeTimes(life: Life, fromMs: number): number[] {
  const moments = [
    fromMs,
    ...life.facts.flatMap((fact) => [fact.fromMs, fact.untilMs]),
    ...life.outages.map(({ untilMs }) => untilMs),
  ];
  const whole = moments.filter((ms) => ms >= fromMs && ms !== Number.POSITIVE_INFINITY);
  return [...new Set(whole)].toSorted((a, b) => a - b);
}

type Collected = { readonly events: TrueEvent[]; readonly statusChanges: TrueStatusChange[] };

/** Returns the next moment at which time alone changes something, null: none. */
type Observe = (state: TrueState, atMs: number) => number | null;

function createObserver(nameAt: (atMs: number) => string, options: TruthOptions, kept: Collected): Observe {
  const told = new Set<string>();
  const promised = new Map<number, number>();
  let before: TrueState | null = null;
  let knownEtaMs: number | null = null;
  let etaChangedOn = "";

  return (state, atMs) => {
    const equipment = nameAt(atMs);
    for (const { leg, expectedMs } of state.sailings) {
      if (!promised.has(leg)) promised.set(leg, expectedMs);
    }
    const holding = onceEvents(state, promised, options, atMs);
    const fresh = holding.filter(({ key }) => !told.has(key));
    for (const { key, excludes } of holding) {
      told.add(key);
      if (excludes !== undefined) told.add(excludes);
    }
    if (before?.status !== state.status) kept.statusChanges.push({ atMs, equipment, status: state.status });
    if (before !== null) {
      const raise = (type: string, about: string): number =>
        kept.events.push({ atMs, type, equipment, about });
      for (const { type, about } of fresh) raise(type, about);
      const statuses = fresh.flatMap(({ status }) => status ?? []);
      const today = new Date(atMs).toISOString().slice(0, 10);
      const { eta } = state;
      const movedMs = eta === null || knownEtaMs === null ? 0 : eta.ms - knownEtaMs;
      const farMoved = eta?.actual === false && Math.abs(movedMs) >= 24 * HOUR_MS && etaChangedOn !== today;
      if (farMoved) {
        etaChangedOn = today;
        raise("eta_changed", String(Math.round((movedMs / HOUR_MS) * 100) / 100));
      }
      const changed = [
        state.status !== before.status && !statuses.includes(state.status) ? "status" : "",
        eta !== null && eta.ms !== knownEtaMs && !farMoved ? "eta" : "",
        state.vessel !== null && state.vessel !== before.vessel ? "vessel" : "",
        state.discharge !== null && state.discharge !== before.discharge ? "discharge" : "",
      ].filter((field) => field !== "");
      if (changed.length > 0) raise("shipment_updated", changed.join());
    }
    before = state;
    knownEtaMs = state.eta?.ms ?? knownEtaMs;
    return nextTimedMs(state, options, atMs);
  };
}

type OnceEvent = {
  readonly type: string;
  /** Raised once in the box's life. */
  readonly key: string;
  /** What is not raised any more after it. */
  readonly excludes?: string;
  readonly about: string;
  /** The status that it reports. */
  readonly status?: TrueStatus;
};

/** Spec 8: a slip of 48 hours counts, and a silence of 24 (decisions of the project). */
const SLIPPED_MS = 48 * HOUR_MS;
const SILENT_MS = 24 * HOUR_MS;
const WARNING_DAYS = 3;

/** What a state can raise, raised or not. */
function onceEvents(
  state: TrueState,
  promised: ReadonlyMap<number, number>,
  options: TruthOptions,
  nowMs: number,
): readonly OnceEvent[] {
  const once: OnceEvent[] = [];
  for (const [leg, { atMs }] of state.departures) {
    once.push({ type: "vessel_departed", key: `departed ${leg}`, about: moment(atMs), status: "in_transit" });
  }
  if (state.nearFromMs !== null && nowMs > state.nearFromMs) {
    once.push({ type: "container_arrived", key: "container_arrived", about: "", status: state.status });
  }
  for (const status of state.happened) {
    const type = STATUS_EVENTS[status];
    if (type !== undefined) once.push({ type, key: type, about: "", status });
  }
  if (state.misrouted !== null) {
    once.push({ type: "container_misrouted", key: "misrouted", about: state.misrouted.place ?? "" });
  }
  for (const { leg, expectedMs, here } of state.sailings) {
    if (expectedMs - (promised.get(leg) ?? expectedMs) >= SLIPPED_MS) {
      once.push({ type: "schedule_disruption", key: `slipped ${leg}`, about: "slipped" });
    }
    if (here && nowMs - expectedMs >= SILENT_MS) {
      once.push({ type: "schedule_disruption", key: `silent ${leg}`, about: "not_departed" });
    }
  }
  const free = freeTime(state, options);
  if (free === null || options.armedFromMs === null || free.endsMs <= options.armedFromMs) return once;
  if (nowMs >= free.endsMs) {
    once.push({ type: "demurrage_started", key: "started", excludes: "warning", about: "" });
  } else if (nowMs >= free.warnsMs) {
    once.push({ type: "demurrage_warning", key: "warning", about: "" });
  }
  return once;
}

const STATUS_EVENTS: Readonly<Partial<Record<TrueStatus, string>>> = {
  customs_hold: "customs_hold",
  available: "container_available",
  delivered: "container_delivered",
};

function moment(ms: number): string {
  return new Date(ms).toISOString();
}

const FREE_TIME_RUNS: ReadonlySet<TrueStatus> = new Set(["discharged", "customs_hold", "available"]);

/**
 * The end of the last free day where the box was landed, and the beginning of the third day before it; null
 * while free time does not run.
 */
function freeTime(
  { landing, status }: TrueState,
  { freeDays }: TruthOptions,
): { readonly endsMs: number; readonly warnsMs: number } | null {
  if (landing?.place === null || landing === null || !FREE_TIME_RUNS.has(status)) return null;
  const { zone } = PLACES[landing.place];
  const day = Temporal.Instant.fromEpochMilliseconds(landing.atMs).toZonedDateTimeISO(zone).toPlainDate();
  const startMs = (days: number): number => day.add({ days }).toZonedDateTime(zone).epochMilliseconds;
  return { endsMs: startMs(freeDays + 1), warnsMs: startMs(freeDays - WARNING_DAYS) };
}

function nextTimedMs(state: TrueState, options: TruthOptions, nowMs: number): number | null {
  const free = freeTime(state, options);
  const moments = [
    // Less than 48 hours, not 48.
    ...(state.nearFromMs === null ? [] : [state.nearFromMs + 1]),
    ...state.sailings.map(({ expectedMs }) => expectedMs + SILENT_MS),
    ...(free === null ? [] : [free.warnsMs, free.endsMs]),
  ].filter((ms) => ms > nowMs);
  return moments.length === 0 ? null : Math.min(...moments);
}
