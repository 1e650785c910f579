/**
 * Whatever is done in whatever order, the guarantees hold. fast-check makes up the story; the
 * log of what receivers saw, beside the rows at its end, is checked against the rules.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { eventsFor, FAIL, HOURS_PASS, OK, startHarness, type Arrival, type Harness } from "./harness.ts";

type Step =
  | { readonly do: "raise"; readonly events: number }
  | { readonly do: "answer"; readonly ok: boolean; readonly endpoint: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "active"; readonly endpoint: number; readonly active: boolean }
  | { readonly do: "replace" };

const ENDPOINTS = 3;
const endpoint = fc.nat({ max: ENDPOINTS - 1 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("raise" as const), events: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("answer" as const), ok: fc.boolean(), endpoint }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(50, 9_000, 11_000, 61_000, 301_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("active" as const), endpoint, active: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replace" as const) }) },
);

const { waitsMs, attemptsMax, disableAfterFailures } = DEFAULT_ENGINE_SETTINGS.retry;

describe("the guarantees", () => {
  test("hold over stories of raising, failing, pausing, waiting and restarting", async () => {
    const on = await startHarness(HOURS_PASS);
    try {
      const story = fc.array(step, { minLength: 5, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(story, (steps) => live(on, steps)),
        { numRuns: 12, seed: 20_261_121, endOnFailure: true },
      );
    } finally {
      await on.stop();
    }
  });
});

async function live(on: Harness, steps: readonly Step[]): Promise<void> {
  on.arrivals.length = 0;
  const account = await on.account();
  const ids: string[] = [];
  for (let index = 0; index < ENDPOINTS; index++) ids.push((await on.endpoint(account)).id);
  const failing = new Set<string>();
  const paused = new Map<string, number[]>(ids.map((id) => [id, []]));
  on.answer = (request) => (failing.has(idOf(request.url)) ? FAIL : OK);
  let engine = await on.join();
  let raised = 0;

  for (const now of steps) {
    if (now.do === "raise") {
      raised += now.events;
      await on.drive(engine.raise(eventsFor(now.events, account)));
    } else if (now.do === "answer") {
      if (now.ok) failing.delete(ids[now.endpoint]!);
      else failing.add(ids[now.endpoint]!);
    } else if (now.do === "wait") {
      await on.settle();
      await on.clock.advance(now.ms);
      await on.settle();
    } else if (now.do === "active") {
      const id = ids[now.endpoint]!;
      await on.change(account, id, { active: now.active });
      await on.drive(engine.endpointChanged(on.cell, account, id));
      const count = on.arrivals.filter((arrival) => idOf(arrival.url) === id).length;
      if (!now.active) paused.get(id)!.push(count);
      else paused.set(id, []);
    } else {
      await on.drive(engine.stop());
      engine = await on.join();
    }
    for (const [id, counts] of paused) {
      const count = on.arrivals.filter((arrival) => idOf(arrival.url) === id).length;
      if (counts.length > 0) assert.equal(count, counts.at(-1), "no attempt while it is paused");
    }
  }
  await on.settle();
  await on.drive(engine.stop());
  for (const id of ids) await check(on, id);
  assert.ok(raised >= 0);
}

/** The log of one endpoint against its rows. */
async function check(on: Harness, endpointId: string): Promise<void> {
  const rows = await on.sql("select id, status, attempt_count from cell.deliveries where endpoint_id = $1", [
    endpointId,
  ]);
  const queued = new Set(
    (await on.sql("select delivery_id from cell.queue where endpoint_id = $1", [endpointId])).map(
      (row) => row["delivery_id"],
    ),
  );
  const arrivals = Map.groupBy(
    on.arrivals.filter((arrival) => idOf(arrival.url) === endpointId),
    (arrival: Arrival) => arrival.headers["x-tracking-delivery"]!,
  );
  for (const row of rows) {
    const seen = arrivals.get(row["id"] as string) ?? [];
    const status = row["status"] as string;
    assert.equal(seen.length, row["attempt_count"], "attempts are counted, each once");
    assert.ok(seen.length <= attemptsMax);
    assert.equal(new Set(seen.map((arrival) => arrival.body)).size <= 1, true, "the body never changes");
    for (let index = 1; index < seen.length; index++) {
      const gapMs = seen[index]!.atMs - seen[index - 1]!.atMs;
      assert.ok(gapMs >= waitsMs[index - 1]!, `attempt ${index + 1} came ${gapMs} ms after the last`);
    }
    assert.equal(status === "dead", status !== "delivered" && seen.length === attemptsMax);
    assert.equal(
      queued.has(row["id"]),
      status === "pending",
      "what is pending waits in the queue, and nothing else",
    );
  }
  const [state] = await on.sql("select active, failure_count from cell.endpoints where id = $1", [
    endpointId,
  ]);
  if ((state!["failure_count"] as number) >= disableAfterFailures) assert.equal(state!["active"], false);
}

function idOf(url: string): string {
  return url.split("/").at(-1)!;
}
