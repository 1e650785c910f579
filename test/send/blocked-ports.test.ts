import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { isLocalhost, localNameReason } from "../../src/engine/send/local-names.ts";
import { blockedPortReason } from "../../src/engine/send/blocked-ports.ts";

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

  test("of another protocol", () => {
    assert.equal(blockedPortReason(25), "port 25 belongs to another protocol");
  });

  test("0, where nothing listens", () => {
    assert.equal(blockedPortReason(0), "port 0 is none that anything listens on");
  });

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

  test("of one label is a local one", () => {
    assert.equal(localNameReason("printer"), "printer is a name of a local network (it has a single label)");
  });

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
