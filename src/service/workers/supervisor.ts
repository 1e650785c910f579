/**
 * Keeps the workers of a service running. Each has a place of its own:
 *
 *     starting ─(started)─▶ serving ─(ends)──────────────────────▶ waiting ─(back-off, the database answers)─▶ starting
 *        │                     └─(silent for SILENT_CHECKS_MAX)─▶ killed ──▲
 *        └─(ends)─▶ waiting; the first start ever, or START_FAILURES_MAX in a row: the service fails
 *
 * A signal to the whole process group may end a worker that does not listen to it yet, before the primary has it.
 *
 * The first worker starts alone: what is wrong with all of them is said once.
 */
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import type { Log } from "../../runtime/log.ts";
import { openChannel, type Channel } from "../../runtime/process-channel.ts";
import type { WorkerEnd, WorkerProcess } from "../../runtime/worker-processes.ts";
import type { Check } from "../readiness.ts";
import type { History, MetricValues, Range } from "../../operator/console/history.ts";
import type { NotReady } from "../../operator/ports.ts";
import { mergeReadiness } from "./merged-readiness.ts";
import { createMergedMetrics, type MergedMetrics, type WorkerMetrics } from "./merged-metrics.ts";
import {
  WORKER_QUESTIONS as Q,
  type Addresses,
  type MetricsQuestion,
  type StartFailure,
} from "./questions.ts";

export type SupervisorPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly startProcess: (worker: number) => WorkerProcess;
  /** Why no worker could start now: then none is tried. */
  readonly checkDatabase: Check;
  /** The primary's own metrics. */
  readonly ownMetrics: () => Promise<WorkerMetrics>;
  readonly history: History["read"];
};

export type Supervisor = {
  /** Resolves when the first worker serves. */
  readonly listening: Promise<Addresses>;
  /** Resolves when the service cannot go on. */
  readonly failed: Promise<StartFailure>;
  /** How many workers serve, and how many were started again. */
  gauges(): { readonly serving: number; readonly restarts: number };
  /** What all have counted. */
  metrics(): Promise<MetricValues>;
  /** Drains all; false: some did not end well within `waitMsMax`, and were killed. */
  stop(waitMsMax: number): Promise<boolean>;
};

type Place = {
  readonly worker: number;
  phase: "starting" | "serving" | "waiting";
  process: WorkerProcess | null;
  channel: Channel | null;
  startedMs: number;
  /** Checks in a row that it has not answered. */
  silentChecks: number;
  startFailures: number;
  /** Ends in a row, each within SETTLED_MS of its start. */
  soonEnds: number;
  failure: StartFailure | null;
  cancel: Cancel;
};

type State = {
  readonly ports: SupervisorPorts;
  readonly places: readonly Place[];
  readonly merged: MergedMetrics;
  readonly listening: PromiseWithResolvers<Addresses>;
  readonly failed: PromiseWithResolvers<StartFailure>;
  restarts: number;
  hasServed: boolean;
  isStopping: boolean;
  endedWell: boolean;
  cancelWatch: Cancel;
};

const START_FAILURES_MAX = 5;
const START_MS_MAX = 2 * MINUTE_MS;
/** A worker that has served so long starts again at once. */
const SETTLED_MS = MINUTE_MS;
const BACKOFF_MS = 250;
/** Those on which the service stops. */
const STOP_SIGNALS: ReadonlySet<string | null> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);
const BACKOFF_MS_MAX = 30 * SECOND_MS;
const DATABASE_RETRY_MS = SECOND_MS;

/** Counted, not timed: if the primary or the whole machine stood still, no worker is to blame. */
const CHECK_INTERVAL_MS = SECOND_MS;
const UNREADY_CHECKS = 3;
const SILENT_CHECKS_MAX = 15;
const ANSWER_MS_MAX = 3 * SECOND_MS;

export function superviseWorkers(count: number, ports: SupervisorPorts): Supervisor {
  const state: State = {
    ports,
    places: Array.from({ length: count }, (_, index) => emptyPlace(index + 1)),
    merged: createMergedMetrics(),
    listening: Promise.withResolvers(),
    failed: Promise.withResolvers(),
    restarts: 0,
    hasServed: false,
    isStopping: false,
    endedWell: true,
    cancelWatch: () => undefined,
  };
  const [first, ...others] = state.places;
  start(state, first!);
  void state.listening.promise.then(() => {
    for (const place of others) start(state, place);
  });
  watch(state);
  return {
    listening: state.listening.promise,
    failed: state.failed.promise,
    gauges: () => ({
      serving: state.places.filter(({ phase }) => phase === "serving").length,
      restarts: state.restarts,
    }),
    metrics: async () => (await reported(state)).values(await ports.ownMetrics()),
    stop: (waitMsMax) => stop(state, waitMsMax),
  };
}

function emptyPlace(worker: number): Place {
  return {
    worker,
    phase: "waiting",
    process: null,
    channel: null,
    startedMs: 0,
    silentChecks: 0,
    startFailures: 0,
    soonEnds: 0,
    failure: null,
    cancel: () => undefined,
  };
}

function start(state: State, place: Place): void {
  if (state.isStopping) return;
  const { clock, startProcess, log } = state.ports;
  const { worker } = place;
  const process = startProcess(worker);
  place.process = process;
  place.phase = "starting";
  place.startedMs = clock.monotonicMs();
  place.silentChecks = 0;
  place.failure = null;
  place.cancel = clock.after(START_MS_MAX, () => process.kill());
  place.channel = openChannel(process.port, clock, {
    [Q.started]: (addresses: Addresses) => {
      place.cancel();
      place.phase = "serving";
      place.startFailures = 0;
      log.info({ worker, pid: process.pid }, "a worker serves");
      state.hasServed = true;
      state.listening.resolve(addresses);
      // It may not have listened yet when all were asked to stop.
      if (state.isStopping) void place.channel?.ask(Q.stop, START_MS_MAX);
    },
    [Q.failed]: (failure: StartFailure) => void (place.failure = failure),
    [Q.readiness]: () => readiness(state),
    [Q.metrics]: async () => (await reported(state)).text(await state.ports.ownMetrics()),
    [Q.history]: (range: Range) => state.ports.history(range),
    [Q.uses]: (uses: object) => {
      for (const other of state.places) if (other !== place) void askServing(other, Q.uses, uses);
    },
  });
  void process.ended.then((end) => onEnded(state, place, end));
}

function onEnded(state: State, place: Place, end: WorkerEnd): void {
  const { clock, log } = state.ports;
  const { worker } = place;
  const wasStarting = place.phase === "starting";
  const isSettled = clock.monotonicMs() - place.startedMs >= SETTLED_MS;
  place.cancel();
  place.channel?.close();
  state.merged.ended(worker);
  Object.assign(place, { phase: "waiting", process: null, channel: null });
  // What still starts has begun nothing: it may be killed at the end of a stop.
  const isSignalled = wasStarting && (STOP_SIGNALS.has(end.signal) || state.isStopping);
  if (end.status !== 0 && !isSignalled) state.endedWell = false;
  if (state.isStopping) return;
  const fields = { worker, ...end, reason: place.failure?.message };
  place.soonEnds = isSettled ? 0 : place.soonEnds + 1;
  place.startFailures = wasStarting ? place.startFailures + 1 : 0;
  if ((!state.hasServed && !isSignalled) || place.startFailures >= START_FAILURES_MAX) {
    const message = place.failure?.message ?? `Worker ${worker} cannot start: it ends with ${endText(end)}.`;
    // What was right when it served may be right again: who runs the service starts it again.
    const status = state.hasServed ? 1 : (place.failure?.status ?? 1);
    return state.failed.resolve({ message, status });
  }
  const delayMs = Math.min(BACKOFF_MS * 2 ** Math.max(0, place.soonEnds - 1), BACKOFF_MS_MAX);
  log.error({ ...fields, delayMs }, "a worker ended; it starts again");
  place.cancel = clock.after(delayMs, () => void restart(state, place));
}

function endText({ status, signal }: WorkerEnd): string {
  return signal === null ? `status ${status}` : signal;
}

async function restart(state: State, place: Place): Promise<void> {
  const problem = await state.ports.checkDatabase();
  if (state.isStopping) return;
  if (problem === null) {
    state.restarts += 1;
    return start(state, place);
  }
  place.cancel = state.ports.clock.after(DATABASE_RETRY_MS, () => void restart(state, place));
}

/** Asks each serving worker for a sign of life. One that hangs or is frozen gives none, and holds its connections. */
function watch(state: State): void {
  const { clock, log } = state.ports;
  for (const place of state.places) {
    const { worker, channel, process } = place;
    if (place.phase !== "serving" || channel === null) continue;
    place.silentChecks += 1;
    void channel.ask(Q.alive, SILENT_CHECKS_MAX * CHECK_INTERVAL_MS).then((alive) => {
      if (alive !== null && place.channel === channel) place.silentChecks = 0;
    });
    if (place.silentChecks < SILENT_CHECKS_MAX) continue;
    log.error({ worker, pid: process?.pid }, "a worker hangs; it is killed");
    process?.kill();
  }
  state.cancelWatch = clock.after(CHECK_INTERVAL_MS, () => watch(state));
}

async function readiness({ places }: State): Promise<NotReady> {
  const found = await Promise.all(
    places.map(async (place) => [place.worker, await reasonsOf(place)] as const),
  );
  return mergeReadiness(new Map(found));
}

async function reasonsOf(place: Place): Promise<NotReady["checks"]> {
  if (place.phase === "starting") return { service: "the service is starting" };
  if (place.phase === "waiting") return { service: "the worker has ended" };
  return (await askServing(place, Q.reasons)) ?? { service: "the worker does not answer" };
}

async function askServing<T>(
  { phase, silentChecks, channel }: Place,
  question: string,
  value?: object,
): Promise<T | null> {
  if (phase !== "serving" || silentChecks >= UNREADY_CHECKS || channel === null) return null;
  return channel.ask<T>(question, ANSWER_MS_MAX, value);
}

/** A worker that does not answer counts as it last did. */
async function reported({ places, merged }: State): Promise<MergedMetrics> {
  const counting = places.find(
    ({ phase, silentChecks }) => phase === "serving" && silentChecks < UNREADY_CHECKS,
  );
  await Promise.all(
    places.map(async (place) => {
      const question: MetricsQuestion = { isCounting: place === counting };
      const found = await askServing<WorkerMetrics>(place, Q.ownMetrics, question);
      if (found !== null) merged.report(place.worker, found);
    }),
  );
  return merged;
}

async function stop(state: State, waitMsMax: number): Promise<boolean> {
  state.isStopping = true;
  state.endedWell = true;
  const ends = state.places.map(async ({ process, channel, cancel }) => {
    cancel();
    void channel?.ask(Q.stop, waitMsMax);
    await process?.ended;
  });
  const all = Promise.all(ends).then(() => state.cancelWatch());
  if (await waitAtMost(state.ports.clock, waitMsMax, all)) return state.endedWell;
  for (const { worker, phase, process } of state.places) {
    if (process === null) continue;
    const level = phase === "starting" ? "info" : "error";
    state.ports.log[level]({ worker, pid: process.pid }, "a worker did not stop in time; it is killed");
    process.kill();
  }
  await all;
  return state.endedWell;
}
