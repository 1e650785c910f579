import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import { createResolver, type Resolved } from "../../src/engine/send/resolve.ts";
import type { NameLookUp } from "../../src/runtime/name-lookup.ts";
import { manualClock } from "../support/clock.ts";

/** A name server that counts what it is asked for and answers by hand. */
function nameServer() {
  const asked: {
    readonly family: number;
    answer(addresses: readonly string[], ttlS?: number): void;
    fail(code: string): void;
  }[] = [];
  const lookUp: NameLookUp = (_hostname, family, done) => {
    asked.push({
      family,
      answer: (addresses, ttlS = 60) =>
        done(
          null,
          addresses.map((address) => ({ address, ttlS })),
        ),
      fail: (code) => done(Object.assign(new Error(code), { code }), []),
    });
  };
  return { asked, lookUp };
}

function setUp(policy = addressPolicy(false)) {
  const clock = manualClock();
  const { asked, lookUp } = nameServer();
  const resolver = createResolver({ lookUp, clock, policy });
  const results: string[] = [];
  const resolve = (hostname: string): void =>
    resolver.resolve(hostname, (resolved) => results.push(inShort(resolved)));
  return { clock, asked, results, resolve };
}

function inShort(resolved: Resolved): string {
  return resolved.ok ? resolved.addresses.join() : resolved.error.code;
}

describe("the resolver", () => {
  it("asks once for both kinds of address, however many want the name, and remembers it", () => {
    const { asked, results, resolve } = setUp();
    resolve("a.example.com");
    resolve("a.example.com");
    assert.deepEqual(
      asked.map(({ family }) => family),
      [4, 6],
    );
    asked[0]!.answer(["93.184.215.14"]);
    assert.deepEqual(results, []);
    asked[1]!.answer(["2606:4700::1"]);
    resolve("a.example.com");
    assert.deepEqual(results, Array(3).fill("93.184.215.14,2606:4700::1"));
    assert.equal(asked.length, 2);
  });

  it("keeps an answer for its time to live, within bounds", async () => {
    for (const [ttlS, keptMs] of [
      [0, 5_000],
      [60, 60_000],
      [86_400, 300_000],
    ] as const) {
      const { clock, asked, resolve } = setUp();
      resolve("a.example.com");
      asked[0]!.answer(["93.184.215.14"], ttlS);
      asked[1]!.fail("ENODATA");
      await clock.advance(keptMs - 1);
      resolve("a.example.com");
      assert.equal(asked.length, 2, `${ttlS} s`);
      await clock.advance(1);
      resolve("a.example.com");
      assert.equal(asked.length, 4, `${ttlS} s`);
    }
  });

  it("refuses a name one of whose addresses is refused, of whichever kind", () => {
    for (const [v4, v6] of [
      [["10.0.0.1"], []],
      [["93.184.215.14", "127.0.0.1"], []],
      [["93.184.215.14"], ["::1"]],
    ]) {
      const { asked, results, resolve } = setUp();
      resolve("a.example.com");
      asked[0]!.answer(v4!);
      asked[1]!.answer(v6!);
      assert.deepEqual(results, ["blocked_address"]);
    }
  });

  it("tells a name that does not exist from name servers that fail, and asks again soon", async () => {
    const { clock, asked, results, resolve } = setUp();
    resolve("a.example.com");
    asked[0]!.fail("ENOTFOUND");
    asked[1]!.fail("ENOTFOUND");
    resolve("b.example.com");
    asked[2]!.fail("ESERVFAIL");
    asked[3]!.fail("ENODATA");
    assert.deepEqual(results, ["dns_not_found", "dns_failed"]);
    await clock.advance(2_000);
    resolve("a.example.com");
    assert.equal(asked.length, 6);
  });

  it("gives up on name servers that are silent, and takes no late answer", async () => {
    const { clock, asked, results, resolve } = setUp();
    resolve("a.example.com");
    asked[0]!.answer(["93.184.215.14"]);
    await clock.advance(5_000);
    assert.deepEqual(results, ["dns_failed"]);
    asked[1]!.answer([]);
    assert.deepEqual(results, ["dns_failed"]);
    assert.equal(clock.pending(), 0);
  });

  it("knows localhost without asking, and only where it has been opened", () => {
    const closed = setUp();
    closed.resolve("localhost");
    const open = setUp(addressPolicy(true));
    open.resolve("app.localhost");
    const halfOpen = setUp(addressPolicy(["127.0.0.0/8"]));
    halfOpen.resolve("localhost");
    assert.deepEqual(
      [closed.results, open.results, halfOpen.results],
      [["blocked_address"], ["127.0.0.1,::1"], ["127.0.0.1"]],
    );
    assert.equal(closed.asked.length + open.asked.length + halfOpen.asked.length, 0);
  });
});
