/** The planning thread: too slow, failed, idle, stopped. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";

import { nextJob } from "../../src/products/loading/planning/planner.ts";
import { createPlanner, PLANNER_DEFAULTS } from "../../src/products/loading/planning/planner.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { LoadRequest } from "../../src/products/loading/request/cargo.ts";
import { until } from "../service/boathook.ts";
import { manualClock } from "../support/clock.ts";

function request(kinds: number, count: number): LoadRequest {
  const cargo = Array.from({ length: kinds }, (_, at) => ({
    length_mm: 300 + 17 * at,
    width_mm: 200 + 13 * at,
    height_mm: 400,
    weight_kg: 10,
    count,
  }));
  const read = readLoadRequest({ cargo });
  if (read.kind === "invalid") throw new Error(read.message);
  return read.request;
}

const SMALL = request(1, 1);
const LARGE = request(40, 400);
const LARGEST = request(20, 1_000);

test("a plan that takes too long times out, a request that waits too long is refused, and the next one is planned", async () => {
  const clock = manualClock();
  const planner = createPlanner(clock, { ...PLANNER_DEFAULTS, threads: 1 });
  const tooLong = planner.plan("one", LARGE);
  const waiting = planner.plan("two", SMALL);
  await clock.advance(PLANNER_DEFAULTS.waitMsMax);
  assert.deepEqual(await waiting, { kind: "busy", reason: "queue_full" });
  await clock.advance(PLANNER_DEFAULTS.planMsMax - PLANNER_DEFAULTS.waitMsMax);
  assert.deepEqual(await tooLong, { kind: "busy", reason: "timeout" });
  const made = await planner.plan("one", SMALL);
  assert.equal(made.kind === "planned" && made.summary.pieces_placed, 1);
  await planner.stop();
});

test("stopping refuses running, waiting and later requests", async () => {
  const planner = createPlanner(manualClock());
  const refused = [planner.plan("one", LARGE), planner.plan("two", SMALL)];
  await planner.stop();
  const ending = { kind: "busy", reason: "stopping" };
  assert.deepEqual(await Promise.all([...refused, planner.plan("three", SMALL)]), [ending, ending, ending]);
});

test("a thread that dies fails its plan, and the next one is made", async () => {
  const planner = createPlanner(manualClock());
  // Something that no route lets through.
  const broken = { ...SMALL, containers: null } as unknown as LoadRequest;
  const [failed, next] = await Promise.allSettled([planner.plan("one", broken), planner.plan("one", SMALL)]);
  assert.match(String(failed.status === "rejected" && failed.reason), /the planning thread has failed/);
  assert.equal(next.status === "fulfilled" && next.value.kind, "planned");
  await planner.stop();
});

test("accounts take turns, however many plans one has waiting", async () => {
  const planner = createPlanner(manualClock(), { ...PLANNER_DEFAULTS, threads: 1 });
  const made: string[] = [];
  const plan = (accountId: string) => planner.plan(accountId, SMALL).then(() => made.push(accountId));
  await Promise.all(["one", "one", "one", "two"].map(plan));
  assert.deepEqual(made, ["one", "two", "one", "one"]);
  await planner.stop();
});

test("a small plan of another account is made while one account's large plans run and wait", async () => {
  const planner = createPlanner(manualClock());
  const made: string[] = [];
  const plan = (accountId: string, load: LoadRequest) =>
    planner.plan(accountId, load).then(({ kind }) => made.push(`${accountId} ${kind}`));
  const large = [plan("one", LARGEST), plan("one", LARGEST)];
  await plan("two", SMALL);
  assert.deepEqual(made, ["two planned"]);
  await planner.stop();
  await Promise.all(large);
});

test("one thread is for small plans, an account has half of the threads, and its small plans overtake", () => {
  const job = (accountId: string, isSmall: boolean) => ({ accountId, isSmall });
  const next = (
    waiting: ReturnType<typeof job>[],
    running: ReturnType<typeof job>[],
    served: string[] = [],
  ) => nextJob(waiting, running, served, 4);
  const [large, small, other] = [job("one", false), job("one", true), job("two", false)];
  assert.equal(next([large, small], []), small, "the small one overtakes");
  assert.equal(next([large], [large, large]), null, "half of the threads");
  assert.equal(next([large, other], [large, large]), other, "the third for another account");
  assert.equal(next([job("three", false)], [large, large, other]), null, "the last is for small plans");
  assert.deepEqual(next([job("three", true)], [large, large, other]), job("three", true));
  assert.equal(next([large, other], [], ["two", "one"]), other, "whose turn was longest ago");
  assert.equal(next([large, small, other], [], ["one"]), other, "turns come before sizes");
});

/** Threads of this process with a lower priority than its own. */
function lowPriorityThreads(): number {
  const nicenesses = globSync("/proc/self/task/*/stat").map((file) => {
    // The name may hold spaces, and ends with the last bracket (proc_pid_stat(5)).
    const afterName = statOf(file).split(") ").at(-1)!;
    return Number(afterName.split(" ")[16]);
  });
  return nicenesses.filter((niceness) => niceness > getPriority()).length;
}

/** Empty for a thread that has ended since it was listed. */
function statOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test(
  "the thread has a low priority, and ends after it has been idle for a while",
  { skip: process.platform === "linux" ? false : "threads have no priority of their own here" },
  async () => {
    const clock = manualClock();
    const planner = createPlanner(clock);
    assert.equal(lowPriorityThreads(), 0);
    assert.equal((await planner.plan("one", SMALL)).kind, "planned");
    assert.equal(lowPriorityThreads(), 1);
    await clock.advance(PLANNER_DEFAULTS.idleMsMax);
    await until(() => lowPriorityThreads() === 0, "the thread has ended");
    assert.equal((await planner.plan("one", SMALL)).kind, "planned");
    await planner.stop();
  },
);
