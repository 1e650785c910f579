import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";

import { diagnose } from "../../packages/receiver/src/diagnose.ts";
import { verify } from "../../packages/receiver/src/verify.ts";
import { OTHER_SECRET, SECRET, send } from "./sender.ts";

const sent = send({ data: { message: "Grüße, ça va" } });
const signature = sent.headers["X-Tracking-Signature"] ?? "";

function withSignature(value: string): Record<string, string> {
  return { ...sent.headers, "X-Tracking-Signature": value };
}

describe("diagnose", () => {
  it("has nothing to say of a delivery that verifies", () =>
    assert.deepEqual(diagnose(sent.body, sent.headers, SECRET), []));

  const bodies: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ["a newline at its end", `${sent.body}\n`, /extra newline/],
    ["a Windows newline at its end", `${sent.body}\r\n`, /extra newline/],
    ["a byte order mark before it", `\ufeff${sent.body}`, /byte order mark/],
    ["been pretty-printed", JSON.stringify(JSON.parse(sent.body), null, 2), /parsed and serialised again/],
    ["had its keys reordered", reordered(sent.body), /parsed and serialised again/],
    ["had its letters escaped", sent.body.replace("ü", "\\u00fc"), /parsed and serialised again/],
    ["been put in base64", Buffer.from(sent.body).toString("base64"), /base64/],
    ["been read as Latin-1", Buffer.from(sent.body).toString("latin1"), /Latin-1/],
    ["been taken by a parser", "", /body is empty/],
  ];
  for (const [what, body, hint] of bodies) {
    it(`sees that the body has ${what}, which verify still refuses`, () => {
      assert.equal(verify(body, sent.headers, SECRET).ok, false);
      assert.match(diagnose(body, sent.headers, SECRET)[0] ?? "", hint);
    });
  }

  const secrets: readonly (readonly [string, string, RegExp])[] = [
    ["has a newline at its end", `${SECRET}\n`, /white space or quotes/],
    ["is in quotes", `"${SECRET}"`, /white space or quotes/],
    ["lacks its prefix", SECRET.slice("whsec_".length), /lacks its prefix/],
    ["is the secret's hash", createHash("sha256").update(SECRET).digest("hex"), /SHA-256, not the secret/],
    ["is cut short", SECRET.slice(0, 30), /30 characters long and should be 70/],
    ["is an API key", "tracking_abcdefghijklmnopqrstuvwxyz0123456789", /API key/],
    ["is another endpoint's", OTHER_SECRET, /another endpoint's/],
  ];
  for (const [what, secret, hint] of secrets) {
    it(`sees that the secret ${what}, which verify still refuses`, () => {
      assert.equal(verify(sent.body, sent.headers, secret).ok, false);
      assert.match(diagnose(sent.body, sent.headers, secret)[0] ?? "", hint);
    });
  }

  it("sees two mistakes at once", () => {
    const hints = diagnose(`${sent.body}\n`, sent.headers, `${SECRET}\n`);
    assert.equal(hints.length, 2);
    assert.match(hints.join(" "), /extra newline.*white space/);
  });

  const signatures: readonly (readonly [string, string, RegExp])[] = [
    ["lacks its prefix", signature.slice("sha256=".length), /prefix/],
    ["is in upper case", `sha256=${signature.slice("sha256=".length).toUpperCase()}`, /upper case/],
    ["came twice", `${signature}, ${signature}`, /more than once/],
    ["is cut short", signature.slice(0, 40), /cut short/],
  ];
  for (const [what, value, hint] of signatures) {
    it(`sees that the signature ${what}`, () =>
      assert.match(diagnose(sent.body, withSignature(value), SECRET)[0] ?? "", hint));
  }

  it("names a header that is missing", () =>
    assert.match(diagnose(sent.body, {}, SECRET)[0] ?? "", /no X-<Product>-Signature header/));

  it("tells neither the secret nor the right signature", () => {
    const said = [
      ...diagnose(`${sent.body} `, sent.headers, SECRET),
      ...diagnose(sent.body, withSignature(`sha256=${"0".repeat(64)}`), SECRET),
      ...diagnose(sent.body, sent.headers, `${SECRET} `),
    ].join(" ");
    assert.ok(!said.includes(SECRET) && !said.includes(signature.slice("sha256=".length)));
  });

  it("is done with a hostile megabyte in a moment", () => {
    const hostile = "\n".repeat(500_000) + "A".repeat(500_000) + "\n".repeat(20_000) + "x!";
    assert.ok(diagnose(hostile, sent.headers, SECRET).length > 0);
  });
});

function reordered(body: string): string {
  const { data, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({ data, ...rest });
}
