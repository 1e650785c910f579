/** Long JSON is read as `JSON.parse` reads it, whatever the pieces. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { parseInPieces, type PiecesOptions } from "../../src/model/json-pieces.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { runs } from "../support/runs.ts";

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

test("whatever is JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(value, pieceLength, (text, length) => {
      assert.equal(byPieces(text, { pieceLength: length }), byParse(text));
    }),
    { numRuns: runs(2_000) },
  );
});

test("what is nearly JSON is refused where JSON.parse refuses it", () => {
  const change = fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom("", ",", "]", "}", "[", "{", '"', "1", ":", " ", "\u00a0", "null", "[]"),
  );
  fc.assert(
    fc.property(
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
    ),
    { numRuns: runs(10_000) },
  );
});

test("numbers keep their text in every piece", () => {
  const revive: PiecesOptions["revive"] = (_key, one, { source }) => (typeof one === "number" ? source : one);
  fc.assert(
    fc.property(value, pieceLength, (text, length) => {
      assert.equal(byPieces(text, { pieceLength: length, revive }), byParse(text, revive));
    }),
  );
});

test("a long text is read in several steps, and none of them is long", () => {
  const text = `{"events":[${'{"a":[1,{"b":2}]},'.repeat(40_000)}{}]}`;
  const work = parseInPieces(text, { depthMax: 64 });
  let steps = 0;
  for (let step = work.next(); step.done !== true; step = work.next()) steps += 1;
  assert.ok(steps >= 10, String(steps));
});

test("nesting and the number of objects are bounded before anything is parsed", () => {
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
