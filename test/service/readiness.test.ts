import assert from "node:assert/strict";
import { test } from "node:test";

import { createReadiness, type Checks } from "../../src/service/readiness.ts";
import { manualClock } from "../support/clock.ts";

/** The readiness of a service that has started. */
function started(checks: Checks, clock = manualClock()) {
  const readiness = createReadiness(checks, clock);
  readiness.started();
  return readiness;
}

test("a service is not ready before it has started, nor once it ends, and then nothing is checked", async () => {
  let checked = 0;
  const check = () => {
    checked += 1;
    return null;
  };
  const readiness = createReadiness({ check }, manualClock());
  assert.deepEqual(await readiness.reasons(), { service: "the service is starting" });
  assert.equal(checked, 0);
  readiness.started();
  assert.deepEqual(await readiness.reasons(), {});
  assert.equal(checked, 1);
  readiness.stopping();
  assert.deepEqual(await readiness.reasons(), { service: "the service is stopping" });
  assert.equal(checked, 1);
});

test("a service that begins to end while it is being checked is not ready", async () => {
  const asked = Promise.withResolvers<null>();
  const readiness = started({ slow: () => asked.promise });
  const reasons = readiness.reasons();
  readiness.stopping();
  asked.resolve(null);
  assert.deepEqual(await reasons, { service: "the service is stopping" });
});

test("every check that has a reason is reported by its name, and no other", async () => {
  let engine: string | null = null;
  const readiness = started({
    database: async () => "the database is away",
    engine: () => engine,
    disk: () => null,
  });
  assert.deepEqual(await readiness.reasons(), { database: "the database is away" });
  engine = "the engine has stopped";
  assert.deepEqual(await readiness.reasons(), {
    database: "the database is away",
    engine: "the engine has stopped",
  });
});

test("a check that hangs is reported after two seconds, and runs once for all callers", async () => {
  const clock = manualClock();
  let asked = 0;
  let answer = (_reason: string | null) => {};
  const database = () => {
    asked += 1;
    return new Promise<string | null>((resolve) => (answer = resolve));
  };
  const readiness = started({ database }, clock);
  const all = [readiness.reasons(), readiness.reasons(), readiness.reasons()];
  await clock.advance(2_000);
  for (const reasons of await Promise.all(all)) {
    assert.deepEqual(reasons, { database: "the database has not answered in 2000 ms" });
  }
  assert.equal(asked, 1);
  const late = readiness.reasons();
  answer(null);
  assert.deepEqual(await late, {});
  assert.equal(asked, 1);
  assert.equal(clock.pending(), 0);
  const next = readiness.reasons();
  answer("it is away");
  assert.deepEqual([await next, asked], [{ database: "it is away" }, 2]);
});
