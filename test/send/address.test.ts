import assert from "node:assert/strict";
import { describe, it, test } from "node:test";

import fc from "fast-check";

import { REFUSED_RANGES } from "../../src/engine/send/address-ranges.ts";
import { addressPolicy, checkAddress } from "../../src/engine/send/address.ts";
import { isLocalhost, localNameReason } from "../../src/engine/send/local-names.ts";
import { blockedPortReason } from "../../src/engine/send/blocked-ports.ts";
import { forAll } from "../support/runs.ts";

const publicOnly = addressPolicy(false);
const allows = (address: string, policy = publicOnly) => checkAddress(address, policy).allowed;

/** The words of a text. */
const words = (text: string) => text.trim().split(/\s+/);

describe("the classifier of addresses", () => {
  const refused: Record<string, readonly string[]> = {
    "private and local IPv4": words("10.1.2.3 172.31.255.255 192.168.0.1 169.254.169.254 100.127.255.255"),
    "loopback and unspecified": ["127.0.0.1", "127.255.255.254", "0.0.0.0", "::1", "::"],
    "multicast, reserved, broadcast": words("224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1"),
    "IPv6 outside 2000::/3": ["1::1", "4000::1", "8000::1", "fbff:ffff::1"],
    "IPv4 mapped into IPv6": ["::ffff:127.0.0.1", "::ffff:a00:1", "0:0:0:0:0:ffff:a9fe:a9fe"],
    "IPv4 embedded by NAT64, 6to4, Teredo, SIIT": words(`
    64:ff9b::8.8.8.8 64:ff9b:1::1 2002:808:808::1 2001:0:808:808::1 ::ffff:0:8.8.8.8 ::8.8.8.8`),
    "ISATAP of a refused IPv4": ["2600:1f00::5efe:10.0.0.1", "2600:1f00::200:5efe:127.0.0.1"],
    "a cloud platform's public-looking address": ["168.63.129.16"],
    "what is no address, or names an interface": [
      "",
      "localhost",
      "0177.0.0.1",
      "127.1",
      "2130706433",
      "fe80::1%eth0",
    ],
  };
  for (const [what, addresses] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      for (const address of addresses) assert.equal(allows(address), false, address);
    });
  }

  it("allows the neighbours of refused ranges and other public addresses", () => {
    const allowed = words(`8.8.8.8 9.255.255.255 11.0.0.0 172.32.0.0 168.63.129.15 223.255.255.255
      2606:4700:4700::1111 2001:200::1 2003::1 2600:1f00::5efe:8.8.8.8 ::ffff:8.8.8.8`);
    for (const address of allowed) assert.equal(allows(address), true, address);
  });

  it("opens exactly the ranges that the operator names", () => {
    const policy = addressPolicy(["127.0.0.0/8", "fd00::/8", "10.0.0.7"]);
    for (const address of ["127.0.0.1", "::ffff:127.9.9.9", "fd12::1", "10.0.0.7", "8.8.8.8"]) {
      assert.equal(allows(address, policy), true, address);
    }
    for (const address of ["10.0.0.8", "::1", "192.168.1.1"])
      assert.equal(allows(address, policy), false, address);
    assert.equal(allows("169.254.169.254", addressPolicy(true)), true);
  });

  const own = ["93.184.215.99/24", "2606:4700::0001/64"];

  it("refuses this machine's own public addresses in every spelling, and not their neighbours", () => {
    const policy = addressPolicy(false, { own: () => own });
    for (const address of ["93.184.215.99", "::ffff:93.184.215.99", "2606:4700:0::1"]) {
      assert.equal(allows(address, policy), false, address);
    }
    for (const address of ["93.184.215.98", "2606:4700::2"]) assert.equal(allows(address, policy), true);
  });

  it("follows this machine's addresses as they change", () => {
    let now: readonly string[] = own;
    const policy = addressPolicy(false, { own: () => now });
    assert.equal(allows("93.184.215.99", policy), false);
    now = ["8.8.8.8/24"];
    assert.equal(allows("93.184.215.99", policy), true);
    assert.equal(allows("8.8.8.8", policy), false);
    now = [];
    assert.equal(allows("8.8.8.8", policy), true);
  });

  it("refuses the networks of this machine's interfaces where the operator says so", () => {
    const policy = addressPolicy(false, { own: () => own, denied: ["on-link"] });
    for (const address of ["93.184.215.1", "2606:4700::ffff"]) assert.equal(allows(address, policy), false);
    for (const address of ["93.184.216.1", "2606:4700:0:1::1"]) assert.equal(allows(address, policy), true);
  });

  it("opens an own address that the operator allows", () => {
    const closed = { own: () => own, denied: ["on-link"] };
    assert.equal(allows("93.184.215.99", addressPolicy(["93.184.215.99"], closed)), true);
    assert.equal(allows("93.184.215.99", addressPolicy(true, closed)), true);
  });

  it("refuses what the operator denies in every spelling and embedding, whatever is allowed", () => {
    const denied = ["93.184.215.0/24", "2606:4700::/32", "198.41.0.4", "::ffff:9.9.9.0/120"];
    const refusedThen = [
      ...["93.184.215.1", "::ffff:93.184.215.255", "2606:4700:ffff::1", "198.41.0.4", "9.9.9.9"],
      ...["2600:1f00::5efe:93.184.215.1", "64:ff9b::93.184.215.1"],
    ];
    for (const opened of [false, true, ["93.184.0.0/16", "64:ff9b::/96", "2606::/16"]]) {
      const policy = addressPolicy(opened, { denied });
      // With everything allowed, only the address itself counts, not what it may lead to.
      const refusedHere = opened === true ? refusedThen.slice(0, 5) : refusedThen;
      for (const address of refusedHere) assert.equal(allows(address, policy), false, address);
      for (const address of ["93.184.216.1", "2607::1", "198.41.0.5", "9.9.8.9"])
        assert.equal(allows(address, policy), true, address);
    }
  });

  it("denies all of one family and not the other", () => {
    const v4Only = addressPolicy(false, { denied: ["::/0"] });
    assert.deepEqual([allows("8.8.8.8", v4Only), allows("2606:4700::1", v4Only)], [true, false]);
    const v6Only = addressPolicy(false, { denied: ["0.0.0.0/0"] });
    assert.deepEqual([allows("8.8.8.8", v6Only), allows("2606:4700::1", v6Only)], [false, true]);
  });

  it("says why it refuses an address", () => {
    const reason = (address: string, policy = publicOnly) => {
      const verdict = checkAddress(address, policy);
      return verdict.allowed ? null : verdict.reason;
    };
    assert.equal(reason("fe80::1%eth0"), "fe80::1%eth0 names an interface of this machine");
    assert.equal(reason("localhost"), "localhost is no IP address");
    assert.equal(reason("4000::1"), "4000::1 is outside the public internet (2000::/3)");
    assert.equal(reason("2600:1f00::5efe:10.0.0.1"), "2600:1f00::5efe:a00:1 leads to 10.0.0.1");
    assert.equal(reason("2600:1f00::200:5efe:10.0.0.1"), "2600:1f00::200:5efe:a00:1 leads to 10.0.0.1");
    assert.equal(reason("2600:1f00::300:5efe:10.0.0.1"), null);
    assert.equal(reason("2600:1f00::5eff:10.0.0.1"), null);
    const loopback = addressPolicy(["127.0.0.0/8"], { own: () => ["127.0.0.1/8", "::1/128", "10.1.2.3/8"] });
    assert.equal(reason("::1", loopback), "::1 is loopback (RFC 4291), ::1/128");
    assert.equal(reason("10.1.2.3", loopback), "10.1.2.3 is private use (RFC 1918), 10.0.0.0/8");
    const closed = addressPolicy(false, { own: () => own, denied: ["198.41.0.0/24"] });
    for (const address of ["93.184.215.99", "198.41.0.4"])
      assert.equal(reason(address, closed), `${address} is in a network of this service's operator`);
  });

  it("names the range of every refused address, and where the ranges end", () => {
    for (const [cidr, name] of REFUSED_RANGES) {
      const verdict = checkAddress(cidr.split("/")[0]!, publicOnly);
      const first = REFUSED_RANGES.find(([other]) => other.split("/")[0] === cidr.split("/")[0])!;
      assert.ok(!verdict.allowed && verdict.reason.endsWith(`is ${first[1]}, ${first[0]}`), cidr);
      assert.match(name, /[a-z]{3}/i);
    }
    assert.equal(REFUSED_RANGES.length, 37);
  });

  it("opens single addresses and ranges however they are spaced, and says which entry is wrong", () => {
    assert.equal(allows("::1", addressPolicy([" ::1 "])), true);
    assert.equal(allows("::2", addressPolicy(["::1"])), false);
    assert.equal(allows("10.9.9.9", addressPolicy(["10.1.2.3/8"])), true);
    assert.throws(() => addressPolicy(["10.0.0.0/8", "10.0.0.0/99"]), /10\.0\.0\.0\/99/u);
    assert.throws(() => addressPolicy([" nonsense "]), {
      message: '" nonsense " is no CIDR such as 127.0.0.0/8 or ::1/128',
    });
    const ranges = [false, [], true].map((allowed) => addressPolicy(allowed).allowedRanges);
    assert.deepEqual(ranges, [null, null, "all"]);
  });

  it("judges NAT64 by what it embeds only where its whole prefix is opened", () => {
    assert.equal(addressPolicy(["64:ff9b:0::/96"]).decodesNat64, true);
    assert.equal(addressPolicy(["64:ff9b::/97"]).decodesNat64, false);
    const policy = addressPolicy(["64:ff9b::/96"]);
    assert.equal(allows("8.8.8.8", policy), true);
    assert.equal(allows("10.0.0.1", policy), false);
    assert.equal(allows("2606:4700::1", policy), true);
  });

  it("treats an IPv4 address and its mapped form alike", () =>
    forAll(100, fc.ipV4(), (address) => {
      assert.equal(allows(`::ffff:${address}`), allows(address));
      const denied = addressPolicy(true, { denied: [address] });
      assert.deepEqual([allows(`::ffff:${address}`, denied), allows(address, denied)], [false, false]);
    }));
});

/** Where services listen that are never meant for the public. */
const INTERNAL = [
  445, 873, 1433, 1434, 1521, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4369, 4646, 5432, 5671, 5672,
  5900, 5984, 5985, 5986, 6379, 6443, 6984, 7000, 7001, 7473, 7474, 7687, 8086, 8200, 8300, 8301, 8302, 8500,
  8501, 8502, 8600, 9042, 9092, 9100, 9160, 9200, 9300, 10250, 10255, 10256, 10257, 10259, 11211, 15672,
  16379, 26257, 26379, 27017, 27018, 27019, 28015,
];

describe("a delivery goes to no port", () => {
  test("of an internal service, and names the service", () => {
    for (const port of INTERNAL)
      assert.match(blockedPortReason(port) ?? "", /^port \d+ is where [A-Z\w][\w -]+ listens$/i);
  });

  test("of another protocol", () =>
    assert.equal(blockedPortReason(25), "port 25 belongs to another protocol"));

  test("0, where nothing listens", () =>
    assert.equal(blockedPortReason(0), "port 0 is none that anything listens on"));

  test("of these alone: any other is a receiver's", () => {
    const all = Array.from({ length: 65_536 }, (_, port) => port);
    const internal = all.filter((port) => blockedPortReason(port)?.includes(" is where ") === true);
    assert.deepEqual(internal, INTERNAL);
    const others = all.filter((port) => blockedPortReason(port)?.includes("protocol") === true);
    assert.equal(others.length, 82);
    for (const port of [80, 443, 3000, 8080, 8443]) assert.equal(blockedPortReason(port), null);
  });
});

describe("a name", () => {
  const LOCAL =
    "alt arpa consul corp example home internal intranet invalid lan local localdomain localhost onion private svc test";

  test("under a top level that is nobody's is a local one", () => {
    for (const topLevel of LOCAL.split(" ")) {
      const reason = `a.b.${topLevel} is a special-use or local name (.${topLevel})`;
      assert.equal(localNameReason(`a.b.${topLevel}`), reason);
    }
  });

  test("of a cloud's metadata service is none to deliver to", () => {
    const clouds = "amazonaws.com goog packet.net platformequinix.com tencentyun.com";
    for (const name of clouds.split(" ").map((cloud) => `metadata.${cloud}`))
      assert.equal(localNameReason(name), `${name} is a cloud's metadata service`);
  });

  test("of one label is a local one", () =>
    assert.equal(localNameReason("printer"), "printer is a name of a local network (it has a single label)"));

  test("of anybody else is none of these", () => {
    for (const name of ["example.com", "test.example.com", "goog.metadata.com", "notlocal.com"]) {
      assert.equal(localNameReason(name), null, name);
    }
  });

  test("is this machine's when it is localhost or under it", () => {
    for (const name of ["localhost", "app.localhost"]) assert.equal(isLocalhost(name), true);
    for (const name of ["mylocalhost", "localhost.com", ".com", ""]) assert.equal(isLocalhost(name), false);
  });
});
