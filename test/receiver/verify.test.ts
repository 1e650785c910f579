import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, it, mock } from "node:test";

import fc from "fast-check";

import { BODY_BYTES_MAX, SECRETS_MAX, verify, type RawBody } from "../../packages/receiver/src/verify.ts";
import { headersFor, OTHER_SECRET, SECRET, send, sign } from "./sender.ts";
import { vectors } from "./vectors.ts";
import { anyText } from "../support/texts.ts";
import { forAll } from "../support/runs.ts";

function reasonOf(result: ReturnType<typeof verify>): string {
  return result.ok ? "ok" : result.reason;
}

describe("verify", () => {
  for (const vector of vectors) {
    it(`says ${vector.verdict} to: ${vector.name}`, () => {
      const headers = headersFor("Tracking", vector.event, vector.delivery, vector.signature);
      assert.equal(reasonOf(verify(vector.body, headers, vector.secret)), vector.verdict);
    });
  }

  for (const product of ["Tracking", "Rail-Freight"]) {
    it(`finds the headers of ${product} whatever their case and container`, () => {
      const { body, headers, id } = send({ product });
      const forms = [
        headers,
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
        new Headers(headers),
      ];
      for (const form of forms) {
        const result = verify(body, form, SECRET);
        assert.ok(result.ok);
        assert.equal(result.product, product.toLowerCase());
        assert.equal(result.delivery.id, id);
      }
    });
  }

  it("takes the body as a string, a Buffer, a Uint8Array, a view into a larger buffer or an ArrayBuffer", () => {
    const { body, headers } = send({ data: { message: "Grüße, 上海, 🚢" } });
    const bytes = new TextEncoder().encode(body);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    const forms: RawBody[] = [
      body,
      Buffer.from(body),
      bytes,
      larger.subarray(10, 10 + bytes.length),
      bytes.buffer,
    ];
    for (const form of forms) assert.equal(reasonOf(verify(form, headers, SECRET)), "ok");
  });

  it("keeps the properties that it does not know", () => {
    const { body, headers } = send({ data: { message: "hello", added_later: { deep: [1] } } });
    const result = verify(body, headers, SECRET);
    assert.ok(result.ok);
    assert.deepEqual(result.delivery.data["added_later"], { deep: [1] });
  });

  it("accepts any of several secrets, so that one can replace another", () => {
    const { body, headers } = send();
    assert.equal(reasonOf(verify(body, headers, [OTHER_SECRET, SECRET])), "ok");
    assert.equal(reasonOf(verify(body, headers, [SECRET, OTHER_SECRET])), "ok");
    assert.equal(reasonOf(verify(body, headers, [OTHER_SECRET])), "wrong_signature");
  });

  it("refuses a header that comes twice, in each container", () => {
    const { body, headers } = send();
    const signature = headers["X-Tracking-Signature"] ?? "";
    const twice = new Headers(headers);
    twice.append("x-tracking-signature", signature);
    assert.equal(reasonOf(verify(body, twice, SECRET)), "malformed_signature");
    const listed = { ...headers, "X-Tracking-Signature": [signature, signature] };
    assert.equal(reasonOf(verify(body, listed, SECRET)), "duplicate_header");
    const spelled = { ...headers, "x-tracking-signature": signature };
    assert.equal(reasonOf(verify(body, spelled, SECRET)), "duplicate_header");
  });

  it("refuses the headers of two products at once", () => {
    const { body, headers, id } = send();
    const both = { ...headers, ...headersFor("Air", "ping", id, sign(body)) };
    assert.equal(reasonOf(verify(body, both, SECRET)), "duplicate_header");
  });

  it("is not confused by another's signature header that names no delivery", () => {
    const { body, headers } = send();
    const result = verify(body, { "X-Proxy-Signature": "abc", ...headers }, SECRET);
    assert.equal(reasonOf(result), "ok");
  });

  for (const name of ["Signature", "Event", "Delivery"]) {
    it(`names the ${name} header when it is missing`, () => {
      const { body, headers } = send();
      const { [`X-Tracking-${name}`]: _taken, ...rest } = headers;
      const result = verify(body, rest, SECRET);
      assert.ok(!result.ok);
      assert.equal(result.reason, "missing_header");
      assert.match(result.message.toLowerCase(), new RegExp(name.toLowerCase()));
    });
  }

  it("refuses a body over its bound before it hashes it", () => {
    const { body, headers } = send({ data: { message: "x".repeat(BODY_BYTES_MAX) } });
    assert.equal(reasonOf(verify(body, headers, SECRET)), "body_too_large");
    assert.equal(reasonOf(verify(body, headers, SECRET, { bodyBytesMax: 2 * BODY_BYTES_MAX })), "ok");
  });

  for (const [what, body] of [
    [
      "no data",
      '{"id":"019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01","type":"ping","occurred_at":"2026-11-20T08:15:00Z"}',
    ],
    ["an id that is no UUID", '{"id":"1","type":"ping","occurred_at":"2026-11-20T08:15:00Z","data":{}}'],
    [
      "data that is a list",
      '{"id":"019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01","type":"ping","occurred_at":"x","data":[]}',
    ],
    ["null", "null"],
  ] as const) {
    it(`calls a signed body malformed that is or has ${what}`, () => {
      const headers = headersFor("Tracking", "ping", "019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01", sign(body));
      assert.equal(reasonOf(verify(body, headers, SECRET)), "malformed_body");
    });
  }

  it("throws for the program's own mistakes: a parsed body, and secrets that are missing or too many", () => {
    const { body, headers } = send();
    const parsed = JSON.parse(body) as unknown as string;
    assert.throws(() => verify(parsed, headers, SECRET), { name: "TypeError", message: /raw body/ });
    assert.throws(() => verify(undefined as unknown as string, headers, SECRET), { name: "TypeError" });
    for (const missing of ["", [], [SECRET, ""], undefined as unknown as string]) {
      assert.throws(() => verify(body, headers, missing), {
        name: "TypeError",
        message: /secret is missing/,
      });
    }
    const tooMany = Array.from({ length: SECRETS_MAX + 1 }, () => SECRET);
    assert.throws(() => verify(body, headers, tooMany), { name: "TypeError", message: /more than/ });
  });
});

describe("the comparison", () => {
  // spec 5.1: comparison
  it("goes through timingSafeEqual over equal lengths, once for each secret, wherever the digest differs", () => {
    const { body, headers } = send();
    const right = headers["X-Tracking-Signature"] ?? "";
    const spy = mock.method(crypto, "timingSafeEqual");
    syncBuiltinESMExports();
    try {
      for (const at of [7, 40, 70, null]) {
        const wrong =
          at === null ? right : right.slice(0, at) + (right[at] === "0" ? "1" : "0") + right.slice(at + 1);
        spy.mock.resetCalls();
        verify(body, { ...headers, "X-Tracking-Signature": wrong }, [SECRET, OTHER_SECRET, SECRET]);
        assert.equal(spy.mock.callCount(), 3);
        for (const { arguments: compared } of spy.mock.calls) {
          assert.deepEqual(
            compared.map((side) => side.byteLength),
            [71, 71],
          );
        }
      }
    } finally {
      spy.mock.restore();
      syncBuiltinESMExports();
    }
  });
});

describe("any delivery", () => {
  const data = fc.dictionary(fc.string(), fc.jsonValue());

  // spec 5.1: signed_material
  it("verifies as it was signed, and not after any single bit of its body is flipped", () =>
    forAll(100, data, fc.nat(), (values, position) => {
      const { body, headers } = send({ data: values });
      const bytes = Buffer.from(body);
      assert.equal(reasonOf(verify(bytes, headers, SECRET)), "ok");
      const bit = position % (bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(reasonOf(verify(bytes, headers, SECRET)), "wrong_signature");
    }));

  it("is refused after any single bit of its signature is flipped", () => {
    const { body, headers } = send();
    const right = Buffer.from(headers["X-Tracking-Signature"] ?? "");
    for (let bit = 0; bit < right.length * 8; bit += 1) {
      const flipped = Buffer.from(right);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const result = verify(body, { ...headers, "X-Tracking-Signature": flipped.toString("latin1") }, SECRET);
      assert.ok(!result.ok && result.status === 401, `bit ${bit}`);
    }
  });

  it("is judged, never thrown at, whatever its headers and body hold", () => {
    const anyHeaders = fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom("x-air-signature", "X-Air-Event", "x-air-delivery", "X-Tracking-Signature"),
      ),
      fc.oneof(anyText(), fc.array(fc.string()), fc.constant(undefined)),
    );
    forAll(100, anyHeaders, fc.uint8Array(), (headers, body) => {
      assert.equal(verify(body, headers, SECRET).ok, false);
    });
  });
});
