/** Too many requests (spec 4, 8). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { createLimiter } from "../../src/http/limiter.ts";
import { manualClock } from "../support/clock.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  send,
  startService,
  type TestService,
} from "../support/service.ts";

describe("rate limits", () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      requestsPerKeyMax: 3,
      requestsPerAddressMax: 2,
      trustProxy: ["127.0.0.1"],
    });
  });
  after(() => service.close());

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

test("what is refused is not counted against the next window", () => {
  const clock = manualClock();
  const limiter = createLimiter(clock, 1);
  assert.equal(limiter.take("a").allowed, true);
  for (let count = 0; count < 10; count++) assert.equal(limiter.take("a").allowed, false);
});

test("a wall clock that jumps moves no window", () => {
  const clock = manualClock();
  const limiter = createLimiter(clock, 1);
  limiter.take("a");
  clock.jump(3_600_000);
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
