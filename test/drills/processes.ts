/** Faults of Boathook's own processes, and of their machine. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { processesOf } from "../faults/postgres.ts";
import { realClock } from "../support/real-clock.ts";
import type { Fault, Stage } from "./fault.ts";
import { POSTPONED } from "./receivers.ts";
import { at, sleep } from "./stage.ts";

const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

const offsetFile = (stage: Stage) => join(stage.dataFolder, "clock-offset");

/** A process of the service's own, by its place. */
const worker = ({ service }: Stage): number => processesOf(service.pid).at(-1)!;

const twoWorkers = { BOATHOOK_WORKERS: "2" };

async function secondNode(stage: Stage): Promise<void> {
  second.set(stage, await stage.start(at(stage.opsPorts[1])));
}
const second = new WeakMap<Stage, Awaited<ReturnType<Stage["start"]>>>();

/** Awake for a sixth of the time, in turns of a second. */
async function hiccup(stage: Stage): Promise<void> {
  const endMs = realClock.monotonicMs() + 60_000;
  while (realClock.monotonicMs() < endMs) {
    stage.service.signal("SIGSTOP");
    await sleep(1_000);
    stage.service.signal("SIGCONT");
    await sleep(200);
  }
}

const TAKEN_OVER = /warn: (took over the deliveries of a dead node)/;

export const PROCESSES: readonly Fault[] = [
  {
    name: "The only process is killed",
    cause: ({ service }) => service.signal("SIGKILL"),
    shows: {
      readyz: /no answer/,
      alert: "BoathookDown",
      command: ["status", /nodes +(none: no service runs)/],
    },
  },
  {
    name: "The only process hangs (frozen)",
    cause: ({ service }) => service.signal("SIGSTOP"),
    shows: { readyz: /no answer/, alert: "BoathookDown" },
  },
  {
    name: "A worker is killed",
    settings: twoWorkers,
    cause: (stage) => process.kill(worker(stage), "SIGKILL"),
    shows: {
      alert: "BoathookWorkerRestarts",
      metric: /^boathook_worker_restarts_total [1-9]\d*/m,
      log: /error: (a worker ended; it starts again)/,
      linesMax: 3,
    },
  },
  {
    name: "A worker hangs (frozen)",
    settings: twoWorkers,
    cause: (stage) => process.kill(worker(stage), "SIGSTOP"),
    shows: {
      readyz: /"workers":\{[^}]*\}/,
      alert: "BoathookWorkerRestarts",
      metric: /^boathook_worker_restarts_total [1-9]\d*/m,
      log: /error: (a worker hangs; it is killed)/,
      linesMax: 4,
    },
  },
  {
    name: "One node of two is killed",
    prepare: secondNode,
    cause: (stage) => second.get(stage)!.signal("SIGKILL"),
    shows: {
      alert: "BoathookDown",
      log: TAKEN_OVER,
      command: ["status", /^nodes +1$/m],
    },
  },
  {
    name: "One node of two hangs (frozen)",
    prepare: secondNode,
    cause: (stage) => second.get(stage)!.signal("SIGSTOP"),
    shows: { alert: "BoathookDown", log: TAKEN_OVER, command: ["status", /^nodes +1$/m] },
  },
  {
    name: "A process has too little processor time, or its loop is held",
    cause: (stage) => void hiccup(stage),
    shows: { alert: "BoathookLoopDelayed", metric: /^nodejs_eventloop_lag_p99_seconds [1-9]\S*/m },
  },
  {
    name: "The wall clock jumps by an hour",
    settings(stage) {
      if (!existsSync(FAKETIME)) stage.t.skip("libfaketime is not installed");
      writeFileSync(offsetFile(stage), "+0");
      return {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: offsetFile(stage),
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
    },
    cause: (stage) => writeFileSync(offsetFile(stage), "+3600"),
    shows: { log: /warn: (the wall clock jumped[^{]*)/ },
  },
  {
    name: "The service drains, with notice",
    settings: { BOATHOOK_DRAIN_NOTICE: "30s" },
    cause: ({ service }) => service.signal("SIGTERM"),
    shows: { readyz: /"service":"(the service is draining)/ },
  },
  {
    name: "A drain ends before all attempts have",
    settings: { BOATHOOK_DRAIN_TIMEOUT: "2s" },
    async cause({ service, receiver }) {
      receiver.behave(() => null);
      await sleep(2_000);
      service.signal("SIGTERM");
    },
    shows: {
      readyz: /no answer/,
      alert: "BoathookDown",
      log: /warn: (not every attempt ended in time[^{]*)/,
    },
  },
  {
    name: "A process has no file descriptors left",
    async cause({ service, receiver }) {
      receiver.behave(() => sleep(3_000).then(() => 204));
      const open = readdirSync(`/proc/${service.pid}/fd`).length;
      execFileSync("prlimit", ["--pid", String(service.pid), `--nofile=${open}:${open}`]);
    },
    shows: { ...POSTPONED, linesMax: 2 },
  },
  {
    name: "No node has the role deliver",
    cause: (stage) => stage.restart({ BOATHOOK_ROLES: "api,poll" }),
    shows: {
      alert: "BoathookDeliveriesStop",
      metric: /^boathook_queue_oldest_due_seconds\{product="rates"\} [1-9]\S*/m,
      command: ["status", /^rates +[1-9]\d*/m],
      linesMax: 0,
    },
  },
];
