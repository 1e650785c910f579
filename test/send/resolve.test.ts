import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import { createResolver, type Resolved } from "../../src/engine/send/resolve.ts";
import type { DnsLookup } from "../../src/runtime/dns-lookup.ts";
import { manualClock } from "../support/clock.ts";
import { column } from "../support/columns.ts";

/** A name server that counts what it is asked for and answers by hand. */
function nameServer() {
  const asked: {
    readonly family: number;
    answer(addresses: readonly string[], ttlS?: number): void;
    fail(code: string): void;
  }[] = [];
  const dnsLookup: DnsLookup = (_hostname, family, done) => {
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
  return { asked, dnsLookup };
}

function setUp(policy = addressPolicy(false)) {
  const clock = manualClock();
  const { asked, dnsLookup } = nameServer();
  const resolver = createResolver({ dnsLookup, clock, policy });
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
    const { clock, asked, results, resolve } = setUp();
    resolve("a.example.com");
    resolve("a.example.com");
    assert.deepEqual(column(asked, "family"), [4, 6]);
    asked[0]!.answer(["93.184.215.14"]);
    assert.deepEqual(results, []);
    asked[1]!.answer(["2606:4700::1"]);
    resolve("a.example.com");
    assert.deepEqual(results, Array(3).fill("93.184.215.14,2606:4700::1"));
    assert.equal(clock.pending(), 0, "nothing waits for the name servers any more");
    assert.equal(asked.length, 2);
  });

  for (const [what, v4, v6, keptMs] of [
    ["an answer for its time to live", [["93.184.215.14"], 60], "ENODATA", 60_000],
    ["an answer for five seconds at least", [["93.184.215.14"], 0], "ENODATA", 5_000],
    ["an answer for five minutes at most", [["93.184.215.14"], 86_400], "ENODATA", 300_000],
    ["an answer for the shortest of its times", [["93.184.215.14"], 60], [["2606:4700::1"], 30], 30_000],
    ["a failure for two seconds", [[], 3_600], [[], 3_600], 2_000],
    ["a refusal for five seconds", [["10.0.0.1"], 3_600], [[], 3_600], 5_000],
  ] as const)
    it(`keeps ${what}`, async () => {
      const { clock, asked, resolve, results } = setUp();
      resolve("a.example.com");
      for (const [index, answer] of [v4, v6].entries()) {
        if (typeof answer === "string") asked[index]!.fail(answer);
        else asked[index]!.answer(answer[0], answer[1]);
      }
      await clock.advance(keptMs - 1);
      resolve("a.example.com");
      assert.deepEqual([asked.length, results.length], [2, 2]);
      await clock.advance(1);
      resolve("a.example.com");
      assert.equal(asked.length, 4);
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
    // The name that was asked for besides.
    assert.equal(asked.length, 3);
    asked[1]!.answer([]);
    assert.deepEqual(results, ["dns_failed"]);
    assert.equal(clock.pending(), 0);
    resolve("a.example.com");
    assert.deepEqual(results, ["dns_failed", "dns_failed"]);
  });

  it("blames the name servers if they answer nothing, and the name if they answer another", async () => {
    for (const [probe, expected] of [
      ["ETIMEOUT", "name_servers_unreachable"],
      ["ENOTFOUND", "dns_failed"],
      ["EREFUSED", "dns_failed"],
    ] as const) {
      const { clock, asked, results, resolve } = setUp();
      await clock.advance(1_000);
      resolve("a.example.com");
      await clock.advance(2_000);
      assert.equal(asked.length, 3, "a name is asked for that they know not to exist");
      asked[2]!.fail(probe);
      await clock.advance(3_000);
      assert.deepEqual(results, [expected]);
      // So if c-ares gives up first.
      await clock.advance(60_000);
      resolve("a.example.com");
      await clock.advance(2_000);
      asked[5]!.fail(probe);
      for (const index of [3, 4]) asked[index]!.fail("ETIMEOUT");
      assert.deepEqual(results, [expected, expected]);
    }
  });

  type Answered = readonly [addresses: readonly string[]] | string;

  /** What the name servers' answers make of a name, whole. */
  function resolvedBy(...answers: readonly Answered[]): Resolved {
    const { clock, asked, dnsLookup } = { clock: manualClock(), ...nameServer() };
    const found: Resolved[] = [];
    createResolver({ dnsLookup, clock, policy: addressPolicy(false) }).resolve("a.example.com", (one) =>
      found.push(one),
    );
    for (const [index, answer] of answers.entries()) {
      if (typeof answer === "string") asked[index]!.fail(answer);
      else asked[index]!.answer(answer[0]);
    }
    assert.equal(found.length, 1);
    return found[0]!;
  }

  const errorOf = (resolved: Resolved) =>
    resolved.ok ? null : `${resolved.error.code}: ${resolved.error.text}`;

  it("says why a name has no address that may be used", () => {
    const cases: readonly [answers: readonly Answered[], message: RegExp | null][] = [
      [["ECONNREFUSED", [["8.8.8.8"]]], null],
      [
        ["ECONNREFUSED", "ENOTFOUND"],
        /^name_servers_unreachable: This service cannot reach its name servers\. [^(]*$/,
      ],
      [["ENOTFOUND", "ECONNREFUSED"], /^name_servers_unreachable/],
      [["ESERVFAIL", "ENOTFOUND"], /^dns_failed: .* \(ESERVFAIL\)$/],
      [["ENODATA", "EREFUSED"], /^dns_failed: .* \(EREFUSED\)$/],
      [[[[]], [[]]], /^dns_not_found: /],
      [["ENODATA", [[]]], /^dns_not_found: /],
      [
        [[["10.0.0.1"]], [[]]],
        /^blocked_address: .* \(a\.example\.com leads to 10\.0\.0\.1 is private use \(RFC 1918\), 10\.0\.0\.0\/8\)$/,
      ],
    ];
    for (const [answers, message] of cases) {
      const error = errorOf(resolvedBy(...answers));
      if (message === null) assert.equal(error, null);
      else assert.match(error ?? "", message);
    }
  });

  it("keeps eight addresses of a name and checks all", () => {
    const addresses = Array.from({ length: 10 }, (_, index) => `93.184.215.${index}`);
    assert.deepEqual(resolvedBy([addresses], [[]]), { ok: true, addresses: addresses.slice(0, 8) });
    assert.match(errorOf(resolvedBy([[...addresses, "127.0.0.1"]], [[]])) ?? "", /^blocked_address/);
  });

  it("says that silent name servers ran out of time, after the given time, and asks again soon", async () => {
    const clock = manualClock();
    const { asked, dnsLookup } = nameServer();
    const policy = addressPolicy(false);
    const resolver = createResolver({ dnsLookup, clock, policy, dnsTimeoutMs: 700 });
    const found: (string | null)[] = [];
    const resolve = () => resolver.resolve("a.example.com", (one) => found.push(errorOf(one)));
    resolve();
    await clock.advance(699);
    assert.deepEqual(found, []);
    await clock.advance(1);
    assert.match(found[0] ?? "", /^name_servers_unreachable: /);
    await clock.advance(1_999);
    resolve();
    assert.equal(asked.length, 2);
    await clock.advance(1);
    resolve();
    assert.equal(asked.length, 4);
  });

  it("remembers so many names and no more", () => {
    const { asked, dnsLookup } = nameServer();
    const policy = addressPolicy(false);
    const resolver = createResolver({ dnsLookup, clock: manualClock(), policy, namesMax: 1 });
    for (const name of ["a.example.com", "b.example.com", "a.example.com"]) {
      resolver.resolve(name, () => undefined);
      for (const one of asked.slice(-2)) one.answer(["93.184.215.14"]);
    }
    assert.equal(asked.length, 6);
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
    const resolver = createResolver({ ...nameServer(), clock: manualClock(), policy: addressPolicy(false) });
    resolver.resolve("localhost", (one) =>
      assert.match(errorOf(one) ?? "", /\(localhost is this machine\)$/),
    );
  });
});
