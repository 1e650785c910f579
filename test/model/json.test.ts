import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { runToEnd } from "../../src/runtime/time-slices.ts";
import { parseLosslessSteps, JSON_DEPTH_MAX, readJson } from "../../src/model/json.ts";
import { parseInPieces, type PiecesOptions } from "../../src/model/json-pieces.ts";
import { forAll, runs } from "../support/runs.ts";

const nested = (depth: number, open: string, close: string) =>
  Buffer.from(open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth));

test("what JSON.stringify wrote is read as it was", () => {
  const plain = fc
    .jsonValue({ maxDepth: 10 })
    .filter((value) => !JSON.stringify(value).includes("__proto__"));
  forAll(100, plain, (value) => {
    const text = JSON.stringify(value);
    const reading = readJson(Buffer.from(text));
    if (/\\u(0000|d[89a-f])/.test(text)) return;
    assert.deepEqual(reading.ok && reading.value, JSON.parse(text));
  });
});

test("any bytes at all are read or refused, and never thrown at the caller", () =>
  forAll(100, fc.uint8Array({ maxLength: 200 }), (bytes) => {
    const reading = readJson(Buffer.from(bytes));
    assert.ok(reading.ok || reading.message.length > 0);
  }));

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

test("a whole pair of surrogates, escaped, is a character like any other", () =>
  assert.deepEqual(readJson(Buffer.from('"\\ud83d\\ude00"')), { ok: true, value: "😀" }));

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

test("numbers that come back as they were written stay numbers", () =>
  assert.deepEqual(runToEnd(parseLosslessSteps('{"a":1,"b":[0.5,"1.0"]}')), { a: 1, b: [0.5, "1.0"] }));

test("a long path to an error is truncated", () => {
  const reading = readJson(nested(JSON_DEPTH_MAX + 1, '{"abcdef":', "}"));
  assert.ok(!reading.ok && reading.message.length < 200);
});

test("a number that JavaScript cannot hold is given back as it was written, and others cost nothing", () =>
  forAll(100, fc.bigInt(), (number) => {
    const text = `{"a":[${number}],"b":0.1}`;
    const reading = readJson(Buffer.from(text));
    assert.ok(reading.ok);
    const isHeld = number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER;
    assert.equal(reading.roundedFrom, isHeld ? undefined : text);
    assert.equal(JSON.stringify(runToEnd(parseLosslessSteps(text))), text);
  }));

const read = (text: string, options: Partial<PiecesOptions> = {}) =>
  runToEnd(parseInPieces(text, { depthMax: 64, ...options }));

/** What `JSON.parse` says: the value with its order of names, or that it is none. */
const byParse = (text: string, revive?: PiecesOptions["revive"]): string => {
  try {
    return JSON.stringify([JSON.parse(text, revive!)]);
  } catch {
    return "none";
  }
};

const byPieces = (text: string, options: Partial<PiecesOptions>): string => {
  const result = read(text, options);
  return result.ok ? JSON.stringify([result.value]) : "none";
};

/**
 * Names that repeat, and names that JavaScript treats on their own. Not a backslash alone: this V8 takes it for another
 * name that is one escape, at some times and not at others.
 */
const name = fc.constantFrom("a", "b", "c", "1", "0", "__proto__", 'q"', "");
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom("1", "-0.5e3", "true", "null", '"x,]}"', '"\\""', '"\\\\"', '""', "1.50"),
    fc.array(tie("value") as fc.Arbitrary<string>, { maxLength: 6 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(name, tie("value") as fc.Arbitrary<string>), { maxLength: 6 })
      .map((members) => `{${members.map(([key, one]) => `${JSON.stringify(key)} : ${one}`).join(" ,\n")}}`),
  ),
})).value;

const pieceLength = fc.integer({ min: 1, max: 30 });

test("whatever is JSON is read as JSON.parse reads it", () =>
  forAll(runs(2_000), value, pieceLength, (text, length) => {
    assert.equal(byPieces(text, { pieceLength: length }), byParse(text));
  }));

test("what is nearly JSON is refused where JSON.parse refuses it", () => {
  const change = fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom("", ",", "]", "}", "[", "{", '"', "1", ":", " ", "\u00a0", "null", "[]"),
  );
  forAll(
    runs(10_000),
    value,
    fc.array(change, { minLength: 1, maxLength: 3 }),
    pieceLength,
    (text, edits, length) => {
      const edited = edits.reduce((one, [place, left, put]) => {
        const at = place % (one.length + 1);
        return one.slice(0, at) + put + one.slice(at + left);
      }, text);
      assert.equal(byPieces(edited, { pieceLength: length }), byParse(edited), edited);
    },
  );
});

test("numbers keep their text in every piece", () => {
  const revive: PiecesOptions["revive"] = (_key, one, { source }) => (typeof one === "number" ? source : one);
  forAll(100, value, pieceLength, (text, length) => {
    assert.equal(byPieces(text, { pieceLength: length, revive }), byParse(text, revive));
  });
});

test("a long text is read in several steps, and none of them is long", () => {
  const text = `{"events":[${'{"a":[1,{"b":2}]},'.repeat(40_000)}{}]}`;
  const work = parseInPieces(text, { depthMax: 64 });
  let steps = 0;
  for (let step = work.next(); step.done !== true; step = work.next()) steps += 1;
  assert.ok(steps >= 10, String(steps));
});

test("nesting, the number of objects and the length of one are bounded", () => {
  assert.equal(read("[".repeat(64) + "]".repeat(64)).ok, true);
  const deep = read(`[1,${"[".repeat(64)}${"]".repeat(64)}]`, { pieceLength: 2 });
  assert.deepEqual(!deep.ok && deep.problem, { path: "[1]", what: "is nested too deeply; flatten it" });
  const many = read(`[${"{},".repeat(1_000_000)}{}]`);
  assert.match(!many.ok && many.problem !== "syntax" ? many.problem.what : "", /more than 1000000 objects/);
  const names = Array.from({ length: 60_000 }, (_, at) => `"${at}":{"a":[]}`).join(",");
  const wide = read(`{"b":{${names}}}`);
  assert.deepEqual(!wide.ok && wide.problem, {
    path: ".b",
    what: "is an object of more than 20000 names; send less at once",
  });
  const long = read(`{"b":[${"0,".repeat(1_000_000)}0]}`);
  assert.deepEqual(!long.ok && long.problem, {
    path: ".b",
    what: "is an array of more than 1000000 items; send less at once",
  });
});

test("a problem is named by its place in the whole text", () => {
  const problemIn: PiecesOptions["problemIn"] = (part) => {
    const items = Array.isArray(part) ? part : [];
    const at = items.indexOf("bad");
    return at === -1 ? null : { path: `[${at}]`, what: "is bad" };
  };
  const text = `{"a":{"b":[[0,1,2],${"1,".repeat(50)}"bad",3]}}`;
  const result = read(text, { pieceLength: 8, problemIn });
  assert.deepEqual(!result.ok && result.problem, { path: ".a.b[51]", what: "is bad" });
});
