/** The thread on which plans are made, when it takes too long, and when the service ends. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { createPlanner, PLANNER_DEFAULTS } from "../../src/products/loading/planner.ts";
import { readLoadRequest } from "../../src/products/loading/read-request.ts";
import type { LoadRequest } from "../../src/products/loading/cargo.ts";
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

test("a plan that takes too long is given up, who waits too long is put off, and the next one is made", async () => {
  const clock = manualClock();
  const desk = createPlanner(clock);
  const tooLong = desk.plan("one", LARGE);
  const waiting = desk.plan("two", SMALL);
  await clock.advance(PLANNER_DEFAULTS.waitMsMax);
  assert.deepEqual(await waiting, { kind: "busy", reason: "queue_full" });
  await clock.advance(PLANNER_DEFAULTS.planMsMax - PLANNER_DEFAULTS.waitMsMax);
  assert.deepEqual(await tooLong, { kind: "busy", reason: "timeout" });
  const made = await desk.plan("one", SMALL);
  assert.equal(made.kind === "planned" && made.summary.pieces_placed, 1);
  await desk.stop();
});

test("when the service ends, plans under way and those that wait are refused, and no other is begun", async () => {
  const desk = createPlanner(manualClock());
  const refused = [desk.plan("one", LARGE), desk.plan("two", SMALL)];
  await desk.stop();
  const ending = { kind: "busy", reason: "stopping" };
  assert.deepEqual(await Promise.all([...refused, desk.plan("three", SMALL)]), [ending, ending, ending]);
});

test("a thread that dies fails the plan it was at, and the next one is made", async () => {
  const desk = createPlanner(manualClock());
  // Something that no route lets through.
  const broken = { ...SMALL, cargo: null } as unknown as LoadRequest;
  const [failed, next] = await Promise.allSettled([desk.plan("one", broken), desk.plan("one", SMALL)]);
  assert.match(
    String(failed.status === "rejected" && failed.reason),
    /the thread that makes plans has failed/,
  );
  assert.equal(next.status === "fulfilled" && next.value.kind, "planned");
  await desk.stop();
});

test("accounts take turns, however many plans one has waiting", async () => {
  const desk = createPlanner(manualClock());
  const made: string[] = [];
  const ask = (accountId: string) => desk.plan(accountId, SMALL).then(() => made.push(accountId));
  await Promise.all(["one", "one", "one", "two"].map(ask));
  assert.deepEqual(made, ["one", "two", "one", "one"]);
  await desk.stop();
});

/** Threads of this process that stand back for others. */
function modestThreads(): number {
  const nicenesses = globSync("/proc/self/task/*/stat").map((file) => {
    // The name may hold spaces, and ends with the last bracket (proc_pid_stat(5)).
    const afterName = readFileSync(file, "utf8").split(") ").at(-1)!;
    return Number(afterName.split(" ")[16]);
  });
  return nicenesses.filter((niceness) => niceness > 0).length;
}

test(
  "the thread stands back where processors are short, and ends when there has been no work for a while",
  { skip: process.platform === "linux" ? false : "threads have no priority of their own here" },
  async () => {
    const clock = manualClock();
    const desk = createPlanner(clock);
    assert.equal(modestThreads(), 0);
    assert.equal((await desk.plan("one", SMALL)).kind, "planned");
    assert.equal(modestThreads(), 1);
    await clock.advance(PLANNER_DEFAULTS.idleMsMax);
    await until(() => modestThreads() === 0, "the thread has ended");
    assert.equal((await desk.plan("one", SMALL)).kind, "planned");
    await desk.stop();
  },
);
