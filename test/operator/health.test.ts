import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ofSuite } from "../support/suite.ts";
import { send, startService } from "../support/service.ts";

describe("health and figures", () => {
  const service = ofSuite(() => startService());

  const get = (url: string) => send(service.ops, { method: "GET", url });

  test("a process that answers is alive, whatever it can do, and ready says why not", async () => {
    assert.deepEqual((await get("/readyz")).body, { status: "ready" });
    const reason = "the database cannot be reached";
    service.notReady = reason;
    const [alive, ready] = [await get("/healthz"), await get("/readyz")];
    service.notReady = null;
    assert.deepEqual(alive.body, { status: "ok" });
    assert.deepEqual(
      [ready.status, ready.body],
      [503, { status: "not ready", reason, checks: { test: reason } }],
    );
  });

  test("a process that can serve some cells is ready, and names the others", async () => {
    const cells = { 3: "the database cannot be reached" };
    service.illCells = new Map(Object.entries(cells));
    const { status, body } = await get("/readyz");
    service.illCells = new Map();
    assert.deepEqual([status, body], [200, { status: "ready", cells }]);
  });

  test("figures are in Prometheus's own format", async () => {
    const { status, headers } = await get("/metrics");
    assert.equal(status, 200);
    assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  });
});
