/** The container routes over their port (spec 2.5, 4.2). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { containerRoutes } from "../../src/http/ocean/routes.ts";
import type { OceanTracking } from "../../src/http/ocean/tracking.ts";
import type { ShipmentDetail, ShipmentView } from "../../src/producers/ocean/track.ts";
import { call, newCaller, send, startService, type TestService } from "../support/service.ts";

const CONTAINERS = "/tracking/v1/containers";

const VIEW: ShipmentView = {
  id: "01900000-0000-7000-8000-000000000001",
  reference: "MSCU1234566",
  identifier_type: "container_id",
  carrier: "MSCU",
  status: "pending",
  eta: null,
  created_at: "2026-11-02T12:00:00.000Z",
};

const DETAIL: ShipmentDetail = {
  ...VIEW,
  container: null,
  vessel: null,
  origin: null,
  discharge: null,
  destination: null,
  last_failure: null,
  refreshed_at: null,
  events: [],
};

/** One shipment, and a note of what was asked. */
function fakeTracking(asked: unknown[]): OceanTracking {
  return {
    async start(_cell, input) {
      asked.push(input);
      if (input.reference === "bad")
        return { kind: "refused", code: "INVALID_REFERENCE", message: "no such form" };
      return { kind: "tracked", created: input.reference === "new", shipment: VIEW };
    },
    recheck: async (_cell, _accountId, id) => id === VIEW.id,
    read: async (_cell, _accountId, id) => (id === VIEW.id ? DETAIL : null),
    async list(_cell, _accountId, page) {
      asked.push(page);
      return { shipments: [VIEW], nextAfterId: page.afterId === undefined ? VIEW.id : null };
    },
  };
}

describe("containers", () => {
  let service: TestService;
  let key: string;
  let accountId: string;
  const asked: unknown[] = [];
  before(async () => {
    const moreRoutes = new Map([["tracking", containerRoutes(fakeTracking(asked))]]);
    service = await startService({ moreRoutes });
    ({ key, accountId } = await newCaller(service, "tracking"));
  });
  after(() => service.close());

  const started = {
    ok: true,
    id: VIEW.id,
    reference: VIEW.reference,
    carrier: VIEW.carrier,
    status: "pending",
    created_at: VIEW.created_at,
    api_version: "2026-06-01",
  };

  test("tracking starts with 201, and is 200 when the account tracks the reference already", async () => {
    const fresh = await call(service, key, "POST", CONTAINERS, { reference: "new", carrier: "MSCU" });
    assert.deepEqual([fresh.status, fresh.body], [201, started]);
    assert.deepEqual(asked.at(-1), { reference: "new", carrier: "MSCU", accountId });
    const known = await call(service, key, "POST", CONTAINERS, { reference: "known" });
    assert.deepEqual([known.status, known.body], [200, started]);
  });

  test("a reference that is none is refused in the words of whoever read it", async () => {
    const answer = await call(service, key, "POST", CONTAINERS, { reference: "bad" });
    assert.deepEqual(
      [answer.status, answer.body.error],
      [400, { code: "INVALID_REFERENCE", message: "no such form" }],
    );
  });

  for (const body of [{}, { reference: 1 }, { reference: "x", carrier: 1 }, { reference: null }, "[]"]) {
    test(`tracking ${JSON.stringify(body)} is refused`, async () => {
      const answer = await call(service, key, "POST", CONTAINERS, body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, "INVALID_REQUEST"]);
    });
  }

  test("a recheck is queued for a container of one's own", async () => {
    const answer = await call(service, key, "POST", `${CONTAINERS}/${VIEW.id}/recheck`);
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { ok: true, queued: true, api_version: "2026-06-01" }],
    );
    for (const id of ["01900000-0000-7000-8000-000000000002", "7"]) {
      const missing = await call(service, key, "POST", `${CONTAINERS}/${id}/recheck`);
      assert.deepEqual([missing.status, missing.body.error.code], [404, "NOT_FOUND"]);
    }
  });

  test("a container is shown in the shape of the version that answers", async () => {
    const url = `${CONTAINERS}/${VIEW.id}`;
    const { identifier_type: _, ...oldest } = DETAIL;
    const unpinned = await call(service, key, "GET", url);
    assert.deepEqual(unpinned.body, { ok: true, data: oldest, api_version: "2026-06-01" });
    const newest = await call(service, key, "GET", url, undefined, { "api-version": "2026-08-19" });
    assert.deepEqual(newest.body, { ok: true, data: DETAIL, api_version: "2026-08-19" });
    assert.equal((await call(service, key, "GET", `${CONTAINERS}/x`)).status, 404);
  });

  test("containers are listed in pages", async () => {
    const { body } = await call(service, key, "GET", `${CONTAINERS}?limit=1`);
    assert.deepEqual(asked.at(-1), { limit: 1 });
    assert.equal(body.data.length, 1);
    const last = await call(service, key, "GET", `${CONTAINERS}?limit=1&cursor=${body.next_cursor}`);
    assert.deepEqual(asked.at(-1), { limit: 1, afterId: VIEW.id });
    assert.ok(!("next_cursor" in last.body));
    assert.equal((await call(service, key, "GET", `${CONTAINERS}?cursor=x`)).status, 400);
  });

  test("they ask for a key, are documented, and are no other product's", async () => {
    assert.equal((await call(service, "", "GET", CONTAINERS)).status, 401);
    assert.equal((await call(service, key, "GET", "/air/v1/containers")).status, 404);
    const { body } = await send(service.api, { method: "GET", url: "/tracking/openapi.json" });
    assert.deepEqual(Object.keys(body.paths).slice(3), [
      "/v1/containers",
      "/v1/containers/{id}/recheck",
      "/v1/containers/{id}",
    ]);
  });
});
