/** No usual encoding of a credential survives in what a check shows or keeps. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { createMask, HIDDEN } from "../../src/freight/source-check/secrets.ts";
import { forAll } from "../support/runs.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const inPercent = (text: string): string => hex(text).replaceAll(/../g, "%$&");
const inCodes = (text: string): string =>
  text.replaceAll(/[^ -~]|["&'+<>`]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  none: (secret) => secret,
  capitals: (secret) => secret.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  "small letters": (secret) => secret.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  base64,
  "Base64 without padding": (secret) => base64(secret).replaceAll("=", ""),
  "Base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "Base64 in a query": (secret) => encodeURIComponent(base64(secret)),
  "Base64 in PHP's JSON": (secret) => JSON.stringify(base64(secret)).slice(1, -1).replaceAll("/", "\\/"),
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
  "a query": encodeURIComponent,
  "a query in small letters": (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  "a form": (secret) => new URLSearchParams({ k: secret }).toString().slice(2),
  "percent throughout": inPercent,
  "percent throughout, in capitals": (secret) => inPercent(secret).toUpperCase(),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  "PHP's JSON": (secret) => JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  HTML: (secret) => secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
};

/** What a header takes, and what a password may be. */
const secretOf = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: "grapheme-ascii", minLength, maxLength }),
    fc.string({ unit: "grapheme", minLength, maxLength }),
    fc
      .stringMatching(/^[A-Za-z0-9+/=_-]*$/, { size: "small" })
      .filter(({ length }) => length >= minLength && length <= maxLength),
  );
const around = fc.string({ unit: "grapheme-ascii", maxLength: 12 });
/** What nothing is shown of where it is a part of the mark itself: `hidd`. */
const isShown = (text: string): boolean => !HIDDEN.includes(text);

test("a credential of four characters or more is hidden in every encoding", () =>
  forAll(100, secretOf(4, 40), around, around, (secret, before, after) => {
    const { hide } = createMask([{ "X-Key": secret }]);
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      const written = encode(secret);
      if (!isShown(written)) continue;
      const hidden = hide(`${before}${written}${after}`);
      assert.ok(!hidden.replaceAll(HIDDEN, "\n").includes(written), `${name}: ${hidden}`);
    }
  }));

test("a shorter one is hidden where it stands alone, in every encoding, and nowhere else", () =>
  forAll(100, fc.stringMatching(/^[A-Za-z0-9]{1,3}$/), (secret) => {
    const { hide } = createMask([[secret]]);
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      // Two digits are a part of any time.
      if (/^[0-9a-f]{2}$/i.test(encode(secret)) && secret !== encode(secret)) continue;
      assert.equal(hide(`<<"${encode(secret)}">>`), `<<"${HIDDEN}">>`, name);
    }
    assert.equal(hide(`xx${secret}xx`), `xx${secret}xx`);
  }));

test("a credential inside the Base64 of a longer text is hidden, wherever it begins", () =>
  forAll(
    100,
    secretOf(5, 40),
    fc.uint8Array({ maxLength: 8 }),
    fc.uint8Array({ maxLength: 8 }),
    (secret, before, after) => {
      const text = Buffer.concat([before, Buffer.from(secret), after]).toString("base64");
      const left = createMask([secret]).hide(text).replaceAll(HIDDEN, "\n");
      assert.ok(left.includes("\n"), left);
      for (const shift of ["", "A", "AA", "AAA"])
        for (const part of left.split("\n"))
          assert.ok(
            !Buffer.from(shift + part, "base64")
              .toString()
              .includes(secret),
            left,
          );
    },
  ));

test("a header of one digit leaves times as they are", () => {
  const { hide } = createMask([{ "X-Debug": "0" }]);
  assert.equal(hide("2026-11-23T08:30:00Z"), "2026-11-23T08:30:00Z");
});

test("credentials that overlap in a text are hidden whole", () => {
  const { hide } = createMask([["abcdef", "defghi", "abab"]]);
  assert.equal(hide("<abcdefghi> <ababab>"), `<${HIDDEN}> <${HIDDEN}>`);
});

test("codes of JSON, as .NET and Python write them, are known", () => {
  const secret = `a+b&c<d>é'"`;
  const { hide } = createMask([[secret]]);
  const codes = inCodes(secret);
  const capitals = codes.replaceAll(/\\u..../g, (code) => `\\u${code.slice(2).toUpperCase()}`);
  const python = JSON.stringify(secret).slice(1, -1).replace("é", "\\u00e9");
  assert.deepEqual([codes, capitals, python].map(hide), [HIDDEN, HIDDEN, HIDDEN]);
});
