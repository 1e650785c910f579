import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { send, startService, type TestService } from "../support/service.ts";

describe("health and figures", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const get = (url: string) => send(service.ops, { method: "GET", url });

  test("a process that answers is alive, whatever it can do", async () => {
    service.notReady = "no database";
    assert.deepEqual((await get("/healthz")).body, { status: "ok" });
    service.notReady = null;
  });

  test("ready says why not", async () => {
    assert.deepEqual((await get("/readyz")).body, { status: "ready" });
    service.notReady = "the database cannot be reached";
    const answer = await get("/readyz");
    service.notReady = null;
    assert.deepEqual(
      [answer.status, answer.body],
      [
        503,
        {
          status: "not ready",
          reason: "the database cannot be reached",
          checks: { test: "the database cannot be reached" },
        },
      ],
    );
  });

  test("a process that can serve some cells is ready, and names the others", async () => {
    service.illCells = new Map([["3", "the database cannot be reached"]]);
    const { status, body } = await get("/readyz");
    service.illCells = new Map();
    assert.deepEqual(
      [status, body],
      [200, { status: "ready", cells: { 3: "the database cannot be reached" } }],
    );
  });

  test("figures are in Prometheus's own format", async () => {
    const { status, headers } = await get("/metrics");
    assert.equal(status, 200);
    assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  });
});
