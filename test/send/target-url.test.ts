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

  it("says of port 0 that nothing listens there", () => {
    assert.match(reasonFor("https://example.com:0/") ?? "", /^port 0 is none that anything listens on$/);
  });
});
