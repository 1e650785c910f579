import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import { checkTargetUrl, URL_LENGTH_MAX } from "../../src/engine/send/target-url.ts";

const publicOnly = addressPolicy(false);

function reasonFor(url: string, policy = publicOnly): string | null {
  const verdict = checkTargetUrl(url, policy);
  return verdict.ok ? null : verdict.reason;
}

/** The words of a text. */
const words = (text: string) => text.trim().split(/\s+/);

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
    "user information, also empty": words(`
      https://user@example.com/ https://:@example.com/ https://@example.com/ https://a:b@example.com/`),
    "what the URL standard would silently repair": [
      "https://exa\tmple.com/",
      "https://exam\u2028ple.com/",
      "https://example.com\\@127.0.0.1/",
      "https://exa\u00admple.com/",
      "https://%6c%6f%63alhost/",
      "https://example.com/\ud800",
    ],
    "every spelling of a forbidden address": words(`
      https://127.0.0.1/ https://127.1/ https://0x7f.1/ https://0177.0.0.1/ https://2130706433/
      https://127.0.0.1./ https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/ https://[::1]/ https://[::ffff:127.0.0.1]/
      https://[2002:7f00:1::1]/ https://localhost/ https://LOCALHOST./ https://localho\u017ft/`),
    "names that cannot exist": words(`
      https://${"a".repeat(64)}.com/ https://${"a.".repeat(127)}com/ https://a..example.com/ https://xn--.com/
      https://1.2.3.4.5/ https://๑๒๗.๐.๐.๑/ https://๐.๐.๐.๑๒/ https://app.localhost:25/ https://exa$mple.com/`),
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
    const allowed = words(`
      https://example.com https://example.com?x https://EXAMPLE.com:8443/hook HTTPS://example.com/
      https://bücher.example.com/ https://a_b.example.com/ https://mylocalhost.com/
      https://example.com/?url=http://169.254.169.254/&at=@ https://8.8.8.8:3000/
      https://[2606:4700:4700::1111]/`);
    for (const url of allowed) {
      const verdict = checkTargetUrl(url, publicOnly);
      assert.equal(verdict.ok && verdict.localName === null, true, url);
    }
  });

  it("lets local names be registered and marks them as never delivered to", () => {
    for (const host of words("intranet db.internal printer.local router.home.arpa x.onion a.localhost")) {
      const verdict = checkTargetUrl(`https://${host}/`, publicOnly);
      assert.ok(verdict.ok && verdict.localName !== null, host);
    }
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

  const NO_SCHEME = "it must start with https:// and a host";
  const INVISIBLE = "it holds a space, a control or invisible character, or a backslash";
  const TOO_LONG = `https://example.com/${"a".repeat(URL_LENGTH_MAX - 19)}`;
  for (const [url, reason] of [
    [TOO_LONG, `it is longer than ${URL_LENGTH_MAX} characters`],
    ["http://example.com/", NO_SCHEME],
    ["xhttps://example.com/", NO_SCHEME],
    ["https://exam ple.com/", INVISIBLE],
    ["https://example.com/a\\b", INVISIBLE],
    ["https://example.com/\ud800", INVISIBLE],
    ["https://user@example.com/", "it holds a user name or password"],
    ["https://ex%61mple.com/", "its host is percent-encoded"],
    ["https://exa<mple.com/", "it is no valid URL"],
    ["https://a..example.com/", "its host has an empty label"],
    [`https://${"a".repeat(64)}.com/`, "a label of its host is longer than 63 characters"],
    [`https://${"abc.".repeat(63)}ab/`, "its host is longer than 253 characters"],
    ["https://exa$mple.com/", "its host holds a character that no name has"],
    ["https://๑๒๗.๐.๐.๑/", "its host ends in a number"],
    ["https://example.com:5432/", "port 5432 is where PostgreSQL listens"],
    ["https://example.com:99999/", "its port must be a number from 1 to 65535"],
    ["https://example.com:65536/", "its port must be a number from 1 to 65535"],
    ["https://[2606:4700:4700::1111]:99999/", "its port must be a number from 1 to 65535"],
    ["https://example.com:https/", "its port must be a number from 1 to 65535"],
    ["https://localhost/", "localhost is this machine"],
    ["https://10.0.0.1/", "10.0.0.1 is private use (RFC 1918), 10.0.0.0/8"],
  ] as const)
    it(`says what is wrong with ${JSON.stringify(url.slice(0, 60))}: ${reason}`, () =>
      assert.equal(reasonFor(url), reason));

  it("allows what is just within its bounds", () => {
    for (const url of [
      `https://example.com/${"a".repeat(URL_LENGTH_MAX - 20)}`,
      `https://${"a".repeat(63)}.com/`,
      `https://${"abc.".repeat(63)}a/`,
      "https://example.com/@%41?@%41#@",
      "https://example.com:/",
      "https://example.com:65535/",
      "https://example.com:00443/",
      "https://[2606:4700:4700::1111]:65535/",
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
    const local = "db.internal is a special-use or local name (.internal)";
    for (const [url, ...expected] of [
      [
        "https://example.com:8443/a/b?c=d",
        "https://example.com:8443",
        "example.com",
        8443,
        "/a/b?c=d",
        false,
        null,
      ],
      ["https://Example.com.:443/a?b#c", "https://example.com", "example.com", 443, "/a?b", false, null],
      ["https://[2606:4700::1]/", "https://[2606:4700::1]", "2606:4700::1", 443, "/", true, null],
      ["https://8.8.8.8.", "https://8.8.8.8", "8.8.8.8", 443, "/", true, null],
      ["https://db.internal", "https://db.internal", "db.internal", 443, "/", false, local],
    ] as const)
      assert.deepEqual(parts(url), expected);
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
});
