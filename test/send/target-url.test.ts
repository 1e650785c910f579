import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import { checkTargetUrl, URL_LENGTH_MAX } from "../../src/engine/send/target-url.ts";

const publicOnly = addressPolicy(false);

function reasonFor(url: string, policy = publicOnly): string | null {
  const verdict = checkTargetUrl(url, policy);
  return verdict.ok ? null : verdict.reason;
}

describe("the check of an endpoint's URL", () => {
  const refused: Record<string, readonly string[]> = {
    "anything but https with a host": [
      "",
      "/hook",
      "https://",
      "https:///x",
      "https:example.com",
      "http://example.com/",
      "ftp://example.com/",
      "javascript:alert(1)",
      " https://example.com/",
      "https://?x",
    ],
    "user information, also empty": [
      "https://user@example.com/",
      "https://:@example.com/",
      "https://@example.com/",
      "https://a:b@example.com/",
    ],
    "what the URL standard would silently repair": [
      "https://exa\tmple.com/",
      "https://exam\u2028ple.com/",
      "https://example.com\\@127.0.0.1/",
      "https://exa\u00admple.com/",
      "https://%6c%6f%63alhost/",
      "https://example.com/\ud800",
    ],
    "every spelling of a forbidden address": [
      "https://127.0.0.1/",
      "https://127.1/",
      "https://0x7f.1/",
      "https://0177.0.0.1/",
      "https://2130706433/",
      "https://127.0.0.1./",
      "https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[2002:7f00:1::1]/",
      "https://localhost/",
      "https://LOCALHOST./",
      "https://localho\u017ft/",
    ],
    "names that cannot exist": [
      `https://${"a".repeat(64)}.com/`,
      `https://${"a.".repeat(127)}com/`,
      "https://a..example.com/",
      "https://xn--.com/",
      "https://1.2.3.4.5/",
      "https://๑๒๗.๐.๐.๑/",
      "https://๐.๐.๐.๑๒/",
      "https://app.localhost:25/",
      "https://exa$mple.com/",
    ],
    "ports of other protocols and of internal services": [
      0, 22, 25, 6667, 10080, 5432, 6379, 9200, 2375, 10250,
    ].map((port) => `https://example.com:${port}/`),
    "more than its length": [`https://example.com/${"a".repeat(URL_LENGTH_MAX)}`],
  };
  for (const [what, urls] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      for (const url of urls) assert.notEqual(reasonFor(url), null, JSON.stringify(url));
    });
  }

  it("allows public receivers", () => {
    const allowed = [
      "https://example.com",
      "https://example.com?x",
      "https://EXAMPLE.com:8443/hook",
      "HTTPS://example.com/",
      "https://bücher.example.com/",
      "https://a_b.example.com/",
      "https://mylocalhost.com/",
      "https://example.com/?url=http://169.254.169.254/&at=@",
      "https://8.8.8.8:3000/",
      "https://[2606:4700:4700::1111]/",
    ];
    for (const url of allowed) {
      const verdict = checkTargetUrl(url, publicOnly);
      assert.equal(verdict.ok && verdict.localName === null, true, url);
    }
  });

  it("lets local names be registered and marks them as never delivered to", () => {
    for (const host of [
      "intranet",
      "db.internal",
      "printer.local",
      "router.home.arpa",
      "x.onion",
      "a.localhost",
    ]) {
      const verdict = checkTargetUrl(`https://${host}/`, publicOnly);
      assert.ok(verdict.ok && verdict.localName !== null, host);
    }
  });

  it("takes a name with a trailing dot for the same origin", () => {
    const verdict = checkTargetUrl("https://Example.com.:443/a?b#c", publicOnly);
    assert.ok(verdict.ok);
    assert.deepEqual(
      [verdict.origin, verdict.hostname, verdict.port, verdict.path, verdict.isAddress],
      ["https://example.com", "example.com", 443, "/a?b", false],
    );
  });

  it("allows this machine, local names and any port there once the operator opens them", () => {
    for (const policy of [addressPolicy(true), addressPolicy(["127.0.0.0/8"])]) {
      for (const url of ["https://127.0.0.1:5432/", "https://localhost:9200/", "https://receiver.test/"]) {
        const verdict = checkTargetUrl(url, policy);
        assert.ok(verdict.ok && verdict.localName === null, url);
      }
    }
    assert.notEqual(reasonFor("https://10.0.0.1/", addressPolicy(["127.0.0.0/8"])), null);
    assert.notEqual(reasonFor("https://example.com:5432/", addressPolicy(["127.0.0.0/8"])), null);
  });

  for (const [what, url, reason] of [
    [
      "its length",
      `https://example.com/${"a".repeat(URL_LENGTH_MAX - 19)}`,
      `it is longer than ${URL_LENGTH_MAX} characters`,
    ],
    ["its scheme", "http://example.com/", "it must start with https:// and a host"],
    ["text before its scheme", "xhttps://example.com/", "it must start with https:// and a host"],
    [
      "a space",
      "https://exam ple.com/",
      "it holds a space, a control or invisible character, or a backslash",
    ],
    [
      "a backslash in its path",
      "https://example.com/a\\b",
      "it holds a space, a control or invisible character, or a backslash",
    ],
    [
      "half a character",
      "https://example.com/\ud800",
      "it holds a space, a control or invisible character, or a backslash",
    ],
    ["a user name", "https://user@example.com/", "it holds a user name or password"],
    ["an encoded host", "https://ex%61mple.com/", "its host is percent-encoded"],
    ["a host that is none", "https://exa<mple.com/", "it is no valid URL"],
    ["an empty label", "https://a..example.com/", "its host has an empty label"],
    ["a long label", `https://${"a".repeat(64)}.com/`, "a label of its host is longer than 63 characters"],
    ["a long host", `https://${"abc.".repeat(63)}ab/`, "its host is longer than 253 characters"],
    ["a strange character", "https://exa$mple.com/", "its host holds a character that no name has"],
    ["digits of another script", "https://๑๒๗.๐.๐.๑/", "its host ends in a number"],
    ["the port of a database", "https://example.com:5432/", "port 5432 is where PostgreSQL listens"],
    ["localhost", "https://localhost/", "localhost is this machine"],
    ["a private address", "https://10.0.0.1/", "10.0.0.1 is private use (RFC 1918), 10.0.0.0/8"],
  ] as const) {
    it(`says what is wrong with ${what}`, () => assert.equal(reasonFor(url), reason));
  }

  it("allows what is just within its bounds", () => {
    for (const url of [
      `https://example.com/${"a".repeat(URL_LENGTH_MAX - 20)}`,
      `https://${"a".repeat(63)}.com/`,
      `https://${"abc.".repeat(63)}a/`,
      "https://example.com/@%41?@%41#@",
      "https://example.com?user@host",
      "https://example.com#user@host",
      "https://4chan.example.org1/",
      "https://example.x1/",
      "https://example.1x/",
    ]) {
      assert.equal(reasonFor(url), null, url);
    }
  });

  it("tells what can never be reached from what is written wrong", () => {
    const isBlocked = (url: string) => {
      const verdict = checkTargetUrl(url, publicOnly);
      return verdict.ok ? null : verdict.blocked;
    };
    assert.deepEqual(
      ["https://10.0.0.1/", "https://localhost/", "https://example.com:25/", "https://a..b.com/", "x"].map(
        isBlocked,
      ),
      [true, true, true, false, false],
    );
  });

  it("takes a URL apart", () => {
    const parts = (url: string) => {
      const verdict = checkTargetUrl(url, addressPolicy(false));
      assert.ok(verdict.ok, url);
      const { origin, hostname, port, path, isAddress, localName } = verdict;
      return [origin, hostname, port, path, isAddress, localName];
    };
    assert.deepEqual(parts("https://example.com:8443/a/b?c=d"), [
      "https://example.com:8443",
      "example.com",
      8443,
      "/a/b?c=d",
      false,
      null,
    ]);
    assert.deepEqual(parts("https://[2606:4700::1]/"), [
      "https://[2606:4700::1]",
      "2606:4700::1",
      443,
      "/",
      true,
      null,
    ]);
    assert.deepEqual(parts("https://8.8.8.8."), ["https://8.8.8.8", "8.8.8.8", 443, "/", true, null]);
    assert.deepEqual(
      parts("https://db.internal").at(-1),
      "db.internal is a special-use or local name (.internal)",
    );
  });

  it("opens any port of opened ranges, of this machine too, and of no others", () => {
    const loopback = addressPolicy(["127.0.0.0/8", "9.9.9.9"]);
    for (const url of ["https://127.0.0.1:25/", "https://localhost:25/", "https://app.localhost:25/"]) {
      assert.equal(reasonFor(url, loopback), null, url);
    }
    for (const url of ["https://9.9.9.9:25/", "https://receiver.test:25/", "https://localhost:0/"]) {
      assert.notEqual(reasonFor(url, loopback), null, url);
    }
    assert.equal(reasonFor("https://example.com:25/", addressPolicy(true)), null);
    assert.match(reasonFor("https://example.com:0/", addressPolicy(true)) ?? "", /^port 0/);
  });

  it("says of port 0 that nothing listens there", () => {
    assert.match(reasonFor("https://example.com:0/") ?? "", /^port 0 is none that anything listens on$/);
  });
});
