/** Too many requests (spec 4, 8). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { createLimiter } from "../../src/http/limiter.ts";
import { mintKey } from "../../src/model/api-key.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { buildPages } from "../console/built.ts";
import { ofSuite } from "../support/suite.ts";
import { manualClock } from "../support/clock.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  send,
  OPERATOR_TOKEN,
  FRESH_FEED,
  startService,
} from "../support/service.ts";

describe("rate limits", () => {
  before(buildPages);
  const service = ofSuite(() =>
    startService({ requestsPerKeyMax: 3, requestsPerAddressMax: 2, trustProxy: ["127.0.0.1"] }),
  );

  const read = (key: string) => sendWithKey(service, key, "GET", "/air/v1/webhooks");

  test("answers say how many requests are left, and the one too many when to go on", async () => {
    const { key } = await createCaller(service, "tracking");
    for (const left of [2, 1, 0]) {
      const { status, headers } = await read(key);
      assert.equal(status, 200);
      assert.equal(headers["ratelimit-policy"], '"default";q=3;w=60');
      assert.equal(headers["ratelimit"], `"default";r=${left};t=60`);
      assert.ok(!("retry-after" in headers));
    }
    await service.clock.advance(17_500);
    const refused = await read(key);
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error.code, "rate_limited");
    assert.equal(refused.body.error.message, "more than 3 requests in 60 seconds; go on in 43 seconds");
    assert.equal(refused.headers["retry-after"], "43");
    assert.equal(refused.headers["ratelimit"], '"default";r=0;t=43');
    await service.clock.advance(42_500);
    assert.equal((await read(key)).status, 200);
  });

  test("each key has its own quota, on all products together", async () => {
    const { accountId, key } = await createCaller(service, "tracking");
    const other = await sendAsOperator(service, "POST", `/v1/accounts/${accountId}/keys`, {
      prefix: "tracking",
    });
    for (const tag of ["tracking", "air", "rates"]) {
      assert.equal((await sendWithKey(service, key, "GET", `/${tag}/v1/webhooks`)).status, 200);
    }
    assert.equal((await sendWithKey(service, key, "GET", "/tracking/v1/webhooks")).status, 429);
    assert.equal((await read(other.body.key)).status, 200);
  });

  test("the reference pages count as routes without a key", async () => {
    const headers = { "x-forwarded-for": "192.0.2.77" };
    const statuses: number[] = [];
    for (const path of ["docs/", "docs/assets/icon.svg", "docs/assets/icon.svg", "openapi.json"])
      statuses.push((await send(service.api, { method: "GET", url: `/rates/${path}`, headers })).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });

  // spec 5: public_routes; 8: public_routes
  test("routes without a key are counted by the address that a trusted proxy names", async () => {
    const readFrom = (address: string) =>
      send(service.api, {
        method: "GET",
        url: "/rates/openapi.json",
        headers: { "x-forwarded-for": address },
      });
    for (const [address, status] of [
      ["192.0.2.1", 200],
      ["192.0.2.1", 200],
      ["192.0.2.1", 429],
      ["192.0.2.2", 200],
      ["2001:db8:1:2::1", 200],
      ["2001:db8:1:2:ffff::2", 200],
      ["2001:db8:1:2:3:4:5:6", 429],
      ["2001:db8:1:3::1", 200],
      ["::ffff:192.0.2.2", 200],
      ["192.0.2.2", 429],
    ] as const) {
      assert.equal((await readFrom(address)).status, status, address);
    }
  });
});

describe("limits on what is refused", () => {
  const service = ofSuite(() =>
    startService({ requestsPerAddressMax: 3, trustProxy: ["127.0.0.1"] }, { feed: FRESH_FEED }),
  );

  const from = (address: string, url: string, headers: Readonly<Record<string, string>> = {}) =>
    send(service.api, { method: "GET", url, headers: { "x-forwarded-for": address, ...headers } });
  const forged = () => ({ authorization: `Bearer ${mintKey("tracking", systemRandom())}` });
  const exhaust = async (address: string) => {
    for (let count = 0; count < 3; count++) {
      assert.equal((await from(address, "/tracking/v1/webhooks", forged())).status, 401);
    }
  };
  const kinds: readonly (readonly [string, string, () => Readonly<Record<string, string>>, number])[] = [
    ["requests without a key", "/tracking/v1/webhooks", () => ({}), 401],
    ["forged keys", "/tracking/v1/webhooks", forged, 401],
    ["unknown paths of a product", "/rates/v9/nothing", () => ({}), 404],
    ["unknown paths", "/nothing", () => ({}), 404],
    ["unknown versions", "/tracking/v1/webhooks", () => ({ "api-version": "1999-01-01" }), 400],
  ];
  test("what is refused counts against the address, and not against others, until the minute is over", async () => {
    for (const [at, [what, url, headers, status]] of kinds.entries()) {
      const address = `192.0.2.${at}`;
      for (let count = 0; count < 3; count++)
        assert.equal((await from(address, url, headers())).status, status, what);
      const refused = await from(address, "/tracking/v1/webhooks");
      assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "60"], what);
      const many =
        "more than 3 public or refused requests of this address in 60 seconds; go on in 60 seconds";
      assert.equal(refused.body.error.message, many);
      assert.equal((await from(address, "/rates/openapi.json")).status, 429);
      assert.equal((await from("192.0.2.99", url, headers())).status, status);
      await service.clock.advance(60_000);
      assert.equal((await from(address, "/rates/openapi.json")).status, 200);
      await service.clock.advance(60_000);
    }
  });

  test("an address that is over its limit keeps the keys that are known, and their refusals do not count", async () => {
    const { key } = await createCaller(service, "tracking");
    const known = { authorization: `Bearer ${key}` };
    const address = "192.0.2.200";
    for (let count = 0; count < 5; count++) {
      assert.equal((await from(address, "/tracking/v1/webhooks/none", known)).status, 404);
    }
    await exhaust(address);
    assert.equal((await from(address, "/tracking/v1/webhooks", known)).status, 200);
  });

  test("behind an address whose neighbour sends forged keys, a key that the process has not seen yet gets in", async () => {
    const { key } = await createCaller(service, "tracking");
    const address = "192.0.2.210";
    await exhaust(address);
    assert.equal((await from(address, "/tracking/v1/webhooks")).status, 429);
    const unseen = { authorization: `Bearer ${key}` };
    assert.equal((await from(address, "/tracking/v1/webhooks", unseen)).status, 200);
  });

  test("forged keys beyond the limit cost 50 lookups a second, and who is refused may try again a second later", async () => {
    const address = "192.0.2.220";
    await exhaust(address);
    await service.clock.advance(1_000);
    const statuses = new Map<number, number>();
    for (let count = 0; count < 60; count++) {
      const { status } = await from(address, "/tracking/v1/webhooks", forged());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(statuses), { 401: 50, 429: 10 });
    const { key } = await createCaller(service, "tracking");
    const unseen = { authorization: `Bearer ${key}` };
    const refused = await from(address, "/tracking/v1/webhooks", unseen);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers["retry-after"], "1");
    await service.clock.advance(1_000);
    assert.equal((await from(address, "/tracking/v1/webhooks", unseen)).status, 200);
  });

  test("wrong operator tokens and unknown paths count, and the right token passes", async () => {
    const ask = (token: string, url = "/v1/accounts") =>
      send(service.ops, { method: "GET", url, headers: { authorization: `Bearer ${token}` } });
    for (let count = 0; count < 30; count++) {
      assert.equal((await ask("wrong")).status, 401);
      assert.equal((await ask("wrong", "/nothing")).status, 404);
    }
    for (const url of ["/v1/accounts", "/nothing"]) {
      const { status, body } = await ask("wrong", url);
      assert.equal(status, 429);
      assert.match(body.error.message, /^more than 60 refused requests of this address in 60 seconds/);
    }
    assert.equal((await ask(OPERATOR_TOKEN)).status, 200);
    assert.equal((await ask("", "/healthz")).status, 200);
    const warnings = () =>
      service.log.lines
        .filter(({ message }) => message.includes("wrong operator's token"))
        .map(({ fields }) => fields);
    assert.deepEqual(warnings(), [{ address: "127.0.0.1", requests: 1 }]);
    await service.clock.advance(60_000);
    assert.deepEqual(warnings().slice(1), [{ address: "127.0.0.1", requests: 30 }]);
    await service.clock.advance(60_000);
    assert.equal((await ask("wrong")).status, 401);
    assert.deepEqual(warnings().slice(2), [{ address: "127.0.0.1", requests: 1 }]);
  });
});

describe("a reverse proxy that is not named", () => {
  const warningsOf = async (trustProxy: readonly string[], headers: Readonly<Record<string, string>>) => {
    const service = await startService({ trustProxy });
    try {
      for (let count = 0; count < 3; count++)
        await send(service.api, { method: "GET", url: "/rates/openapi.json", headers });
      return service.log.lines.filter(({ level }) => level === "warn");
    } finally {
      await service.close();
    }
  };
  const forwarded = { "x-forwarded-for": "192.0.2.1" };

  test("is warned of once, with the setting that names it, unless it is named or sends no X-Forwarded-For", async () => {
    const [warning, ...others] = await warningsOf(["192.0.2.0/24"], forwarded);
    assert.match(warning!.message, /BOATHOOK_TRUST_PROXY/);
    assert.deepEqual([warning!.fields, others], [{ address: "127.0.0.1" }, []]);
    assert.deepEqual(await warningsOf(["127.0.0.0/8"], forwarded), []);
    assert.deepEqual(await warningsOf([], {}), []);
  });
});

test("what is refused is not counted against the next window, which no wall clock that jumps moves", () => {
  const clock = manualClock();
  const limiter = createLimiter(clock, 1);
  assert.equal(limiter.take("a").allowed, true);
  clock.jump(3_600_000);
  for (let count = 0; count < 10; count++)
    assert.deepEqual(limiter.take("a"), { allowed: false, remaining: 0, resetS: 60 });
});

test("beyond the limit on remembered callers, new callers displace the oldest", () => {
  const limiter = createLimiter(manualClock(), 1);
  limiter.take("first");
  for (let count = 0; count < 49_999; count++) limiter.take(`caller ${count}`);
  assert.equal(limiter.take("first").allowed, false);
  limiter.take("one more");
  assert.equal(limiter.take("first").allowed, true);
});
