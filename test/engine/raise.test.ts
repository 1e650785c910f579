import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createRaiser } from "../../src/engine/raise/raise.ts";
import type { Route } from "../../src/engine/raise/routes.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import type { Target } from "../../src/model/endpoint.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";
import { silentLog } from "../support/log.ts";
import { eventFor, random } from "./harness.ts";

const CELL = { number: 0, schema: "c", directory: "d" };

function target(id: string): Target {
  return {
    id,
    accountId: "a",
    product: "tracking",
    url: "https://receiver.test/",
    eventTypes: [],
    active: true,
    failureCount: 0,
    sealedSecretHash: Buffer.alloc(0),
  };
}

describe("raising", () => {
  test("releases every place that it reserved when it breaks off before the database is asked", async () => {
    const route: Route = {
      accountId: "a",
      cell: CELL,
      version: 1,
      targets: ["first", "second", "third"].map(target),
      receivers: new Map(),
      inactive: [],
    };
    const reserved: string[] = [];
    const cancelled: boolean[] = [];
    const database = {
      rows: () => assert.fail("nothing is written"),
    } as unknown as Database;
    const raiser = createRaiser(DEFAULT_ENGINE_SETTINGS, {
      database,
      cell: CELL,
      routes: {
        cached: () => route,
        read: async () => route,
        readIn: async () => route,
        invalidate: () => undefined,
        invalidateAll: () => undefined,
        forgetHome: () => undefined,
      },
      clock: manualClock(),
      random,
      log: silentLog,
      onMissed: () => undefined,
      reserve({ id }) {
        if (id === "third") throw new Error("our own fault");
        reserved.push(id);
        return 1;
      },
      enqueue: () => undefined,
      cancel: (_delivery, unknown) => cancelled.push(unknown),
      onQueued: () => undefined,
      waitForCapacity: () => Promise.resolve(),
    });
    await assert.rejects(raiser.raise([eventFor("a")]), /our own fault/);
    assert.deepEqual(reserved, ["first", "second"]);
    assert.deepEqual(cancelled, [false, false], "each of them, and known not to be written");
  });
});
