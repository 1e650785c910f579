import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createInFlight } from "../../src/engine/claim/in-flight.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EngineContext } from "../../src/engine/engine-context.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { createMemoryBudget } from "../../src/engine/claim/memory-budget.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

const MEMBER = { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend: () => true };

function delivery(id: string): InFlightDelivery {
  return { id, endpointId: "e", type: "ping", body: "{}", attemptCount: 0, node: 1, queued: true };
}

function start() {
  const clock = manualClock();
  const log = recordingLog();
  const invariants = createInvariants(clock, log);
  const memoryBudget = createMemoryBudget(DEFAULT_ENGINE_SETTINGS, 1);
  const inFlight = createInFlight(
    { clock, log, invariants, memoryBudget } as unknown as EngineContext,
    MEMBER,
  );
  return { clock, log, invariants, memoryBudget, inFlight };
}

describe("a broken invariant", () => {
  test("is counted each time and logged every ten seconds, with what it is about", async () => {
    const { clock, log, invariants } = start();
    for (let times = 0; times < 5; times += 1)
      invariants.report("attempt_ends_once", { delivery: `${times}` });
    await clock.advance(10_000);
    invariants.report("attempt_ends_once", { delivery: "last" });
    invariants.report("open_count_not_negative", { endpoint: "e" });
    assert.deepEqual(
      [...invariants.broken],
      [
        ["attempt_ends_once", 6],
        ["open_count_not_negative", 1],
      ],
    );
    assert.deepEqual(
      log.lines.map(({ fields }) => fields),
      [
        { delivery: "0", invariant: "attempt_ends_once", times: 1 },
        { delivery: "last", invariant: "attempt_ends_once", times: 6 },
        { endpoint: "e", invariant: "open_count_not_negative", times: 1 },
      ],
    );
  });

  test("in memory keeps the memory budget true: it holds exactly what came and has not gone", () => {
    const { inFlight, memoryBudget, invariants } = start();
    inFlight.addRaised("fresh", 100);
    assert.equal(inFlight.addClaimed(delivery("fresh")), false, "it must not be sent twice");
    assert.equal(inFlight.addClaimed(delivery("claimed")), true);
    assert.deepEqual([memoryBudget.deliveries, memoryBudget.bytes], [2, 102]);
    inFlight.settled(delivery("fresh"));
    inFlight.settled(delivery("fresh"));
    inFlight.rolledBack(delivery("unknown"));
    assert.deepEqual([memoryBudget.deliveries, memoryBudget.bytes], [1, 2]);
    inFlight.disown([delivery("claimed")]);
    assert.deepEqual([memoryBudget.deliveries, memoryBudget.bytes], [0, 0]);
    assert.equal(invariants.broken.get("delivery_in_flight_once"), 3);
  });
});
