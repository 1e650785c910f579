import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { runToEnd } from "../../src/runtime/time-slices.ts";
import { parseLosslessSteps, JSON_DEPTH_MAX, readJson } from "../../src/model/json.ts";

const nested = (depth: number, open: string, close: string) =>
  Buffer.from(open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth));

test("what JSON.stringify wrote is read as it was", () => {
  const plain = fc
    .jsonValue({ maxDepth: 10 })
    .filter((value) => !JSON.stringify(value).includes("__proto__"));
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify(value);
      const reading = readJson(Buffer.from(text));
      if (/\\u(0000|d[89a-f])/.test(text)) return;
      assert.deepEqual(reading.ok && reading.value, JSON.parse(text));
    }),
  );
});

test("any bytes at all are read or refused, and never thrown at the caller", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const reading = readJson(Buffer.from(bytes));
      assert.ok(reading.ok || reading.message.length > 0);
    }),
  );
});

test("nesting is allowed up to the limit and refused one level beyond it", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    assert.equal(readJson(nested(JSON_DEPTH_MAX, open, close)).ok, true);
    assert.equal(readJson(nested(JSON_DEPTH_MAX + 1, open, close)).ok, false);
    assert.equal(readJson(nested(100_000, open, close)).ok, false);
  }
});

const REFUSED: readonly [what: string, json: string | Buffer, message: RegExp][] = [
  ["NUL", '{"a":[{"b":"x\\u0000y"}]}', /^body\.a\[0\]\.b holds a NUL character; remove it$/],
  ["NUL in a name", '{"a\\u0000":1}', /holds a NUL/],
  ["half a surrogate pair", '{"a":"\\ud83d"}', /^body\.a holds half of a surrogate pair/],
  ["a pair in the wrong order", '["\\ude00\\ud83d"]', /^body\[0\] holds half/],
  ["half a pair in a name", '{"\\udc00":1}', /holds half/],
  ["__proto__", '{"a":{"__proto__":{"admin":true}}}', /^body\.a\.__proto__ is a name that is not accepted/],
  ["__proto__ in disguise", '{"\\u005f_proto__":1}', /^body\.__proto__/],
  ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), /not valid UTF-8/],
  ["an overlong form", Buffer.from([0x22, 0xc0, 0x80, 0x22]), /not valid UTF-8/],
  ["half a surrogate pair as bytes", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/],
  ["nothing at all", " ", /not valid JSON/],
  ["more than one value", "{} {}", /not valid JSON/],
  ["comments", "{} // no", /not valid JSON/],
  ["NaN", "[NaN]", /not valid JSON/],
];

for (const [what, json, message] of REFUSED) {
  test(`${what} is refused by a message that says what to change`, () => {
    const reading = readJson(Buffer.from(json));
    assert.ok(!reading.ok);
    assert.match(reading.message, message);
  });
}

test("a whole pair of surrogates, escaped, is a character like any other", () => {
  assert.deepEqual(readJson(Buffer.from('"\\ud83d\\ude00"')), { ok: true, value: "😀" });
});

test("a value at the deepest level may be null, and one that is too deep says so", () => {
  const closed = "]".repeat(JSON_DEPTH_MAX);
  assert.equal(readJson(Buffer.from(`${"[".repeat(JSON_DEPTH_MAX)}null${closed}`)).ok, true);
  assert.deepEqual(readJson(Buffer.from("[[]]"), 1), {
    ok: false,
    message: "body[0] is nested too deeply; flatten it",
  });
});

test("the path to an error is given whole up to 120 characters", () => {
  const errorAt = (length: number) => Buffer.from(`{"${"a".repeat(length - 1)}":"\\u0000"}`);
  const message = (way: string) => ({ ok: false, message: `body${way} holds a NUL character; remove it` });
  const whole = `.${"a".repeat(119)}`;
  assert.deepEqual(readJson(errorAt(120)), message(whole));
  assert.deepEqual(readJson(errorAt(121)), message(`${whole}…`));
});

for (const [number, isKept] of [
  ["9007199254740991", true],
  ["9007199254740992", false],
  ["1e21", false],
  ["1e400", false],
  ["0.12345678901234", true],
  ["0.123456789012345", false],
  ["1.50", true],
] as const) {
  test(`the text is ${isKept ? "not " : ""}given beside the value for ${number}`, () => {
    const reading = readJson(Buffer.from(number));
    assert.ok(reading.ok);
    assert.equal(reading.roundedFrom, isKept ? undefined : number);
  });
}

test("numbers that come back as they were written stay numbers", () => {
  assert.deepEqual(runToEnd(parseLosslessSteps('{"a":1,"b":[0.5,"1.0"]}')), { a: 1, b: [0.5, "1.0"] });
});

test("a long path to an error is truncated", () => {
  const reading = readJson(nested(JSON_DEPTH_MAX + 1, '{"abcdef":', "}"));
  assert.ok(!reading.ok && reading.message.length < 200);
});

test("a number that JavaScript cannot hold is given back as it was written, and others cost nothing", () => {
  fc.assert(
    fc.property(fc.bigInt(), (number) => {
      const text = `{"a":[${number}],"b":0.1}`;
      const reading = readJson(Buffer.from(text));
      assert.ok(reading.ok);
      const isHeld = number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER;
      assert.equal(reading.roundedFrom, isHeld ? undefined : text);
      assert.equal(JSON.stringify(runToEnd(parseLosslessSteps(text))), text);
    }),
  );
});
