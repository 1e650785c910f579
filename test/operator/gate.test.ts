/** What the operator's listener answers while the process stops. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import type { Raised } from "../../src/engine/engine.ts";
import { sendAsOperator, send, startService, type TestService } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";

describe("the gate of the operator's listener", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const EVENT = {
    product: "rates",
    account_id: crypto.randomUUID(),
    type: "index_refreshed",
    data: { index_id: "europe", dated: "2026-10-30", value: "1042.17" },
  };
  const raise = () => sendAsOperator(service, "POST", "/v1/events", { events: [EVENT] });

  test("once it is closed, every route that does more than watch is 503 with the time to try again", async () => {
    assert.equal((await raise()).status, 202);
    await service.gate.close();
    const { body } = await send(service.ops, { method: "GET", url: "/" });
    const watching = ["GET /", "GET /healthz", "GET /readyz", "GET /metrics"];
    const id = crypto.randomUUID();
    for (const route of body.routes as readonly string[]) {
      const [method, path] = route.split(" ") as ["GET", string];
      const payload = method === "GET" || method === ("DELETE" as string) ? undefined : BODIES[path];
      const answer = await sendAsOperator(
        service,
        method,
        path.replace(/\{\w+\}/, id) + (QUERIES[path] ?? ""),
        payload,
      );
      if (watching.includes(route)) {
        assert.equal(answer.status, 200, route);
        continue;
      }
      assert.deepEqual([answer.status, answer.headers["retry-after"]], [503, "5"], route);
      assert.equal(answer.body.error.code, "UNAVAILABLE");
      assert.match(answer.body.error.message, /the service is stopping/);
    }
    assert.equal(service.engine.raised.length, 1);
  });

  const OF_ACCOUNT = `?account_id=${crypto.randomUUID()}`;
  const QUERIES: Readonly<Record<string, string>> = {
    "/v1/find": "?q=acme",
    "/v1/tracking/milestones": "?source=late",
    "/v1/rates/currencies": "?source=late",
    "/v1/schedules/calls": "?port=NLRTM",
    ...Object.fromEntries(["containers", "waybills", "plans"].map((one) => [`/v1/${one}`, OF_ACCOUNT])),
  };

  /** The bodies of the routes, as far as they are checked before the route runs. */
  const BODIES: Readonly<Record<string, object>> = {
    "/v1/events": { events: [EVENT] },
    "/v1/session": { token: "late" },
    "/v1/tariffs": [],
    "/v1/accounts": { name: "Late" },
    "/v1/accounts/{id}": { name: "Late" },
    "/v1/accounts/{id}/keys": { prefix: "tracking" },
    "/v1/accounts/{id}/portal-links": { product: "rates" },
    "/v1/vessels/positions": { positions: [] },
    "/v1/tracking/milestones": { milestones: [] },
    "/v1/air/messages": { messages: [] },
    "/v1/rates": { rates: [] },
    "/v1/rates/indices": {},
    "/v1/rates/currencies": { exchange_rates: [] },
    "/v1/rates/indices/{id}/values": {},
    "/v1/schedules/{feed}": {},
  };

  test("the gate is closed once the open requests have ended, and they are answered as usual", async () => {
    const raising = Promise.withResolvers<Raised>();
    const begun = Promise.withResolvers<void>();
    service.engine.raise = () => {
      begun.resolve();
      return raising.promise;
    };
    const first = raise();
    await begun.promise;
    let isClosed = false;
    const closed = service.gate.close().then(() => (isClosed = true));
    assert.equal((await raise()).status, 503);
    assert.equal(isClosed, false);
    raising.resolve({ kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 });
    assert.equal((await first).status, 202);
    await closed;
    assert.equal(service.clock.pending(), 0);
  });

  test("what never ends is waited for five seconds", async () => {
    const begun = Promise.withResolvers<void>();
    const hanging = Promise.withResolvers<Raised>();
    service.engine.raise = () => {
      begun.resolve();
      return hanging.promise;
    };
    const first = raise();
    await begun.promise;
    let isClosed = false;
    const closed = service.gate.close().then(() => (isClosed = true));
    await service.clock.advance(4_999);
    assert.equal(isClosed, false);
    await service.clock.advance(1);
    await closed;
    hanging.resolve({ kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 });
    await first;
  });
});

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

const TAKEN = [
  ...["localhost", "localhost:8081", "127.0.0.1:8081", "10.1.2.3", "[::1]:8081", "[fe80::1]"],
  ...["boathook:8081", "ops.example.com", "OPS.example.com.:8081"],
];
const REFUSED = [
  ...["evil.example", "evil.example:8081", "127.0.0.1.evil.example", "example.com", "a b.c", "[x.y]:1"],
];

describe("the names of the operator's listener", () => {
  const service = ofSuite(() => startService({}, { opsHosts: ["ops.example.com"] }));

  const statusOf = async (host: string, url: string): Promise<number> =>
    (await send(service.ops, { method: "GET", url, headers: { host } })).status;

  test("an address, a name without a point, or one of the setting is taken", async () => {
    for (const host of TAKEN)
      for (const url of ["/", "/healthz", "/metrics"]) assert.equal(await statusOf(host, url), 200, host);
  });

  test("any other is refused on every path, health and metrics too, and the refusal names the setting", async () => {
    for (const host of REFUSED)
      for (const url of ["/", "/healthz", "/readyz", "/metrics", "/v1/accounts", "/nothing"])
        assert.equal(await statusOf(host, url), 400, `${host}${url}`);
    const { body } = await send(service.ops, { method: "GET", url: "/", headers: { host: "evil.example" } });
    assert.match(body.error.message, /BOATHOOK_OPS_HOSTS/);
  });
});
