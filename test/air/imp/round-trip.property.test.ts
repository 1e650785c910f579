/** A statement written in any envelope reads back unchanged. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { inEdifact, inFreeText, inTypeB } from "../../../packages/simulator/src/airport/imp-envelope.ts";
import { impMessage } from "../../../packages/simulator/src/airport/imp-writer.ts";
import { anyStatement } from "./any-statement.ts";
import { readOne } from "./reading.ts";
import { forAll, runs } from "../../support/runs.ts";

const heading = fc.record({
  type: fc.constantFrom("FSU" as const, "FSA" as const),
  version: fc.constantFrom(12 as const, 13 as const, 14 as const, 15 as const),
});

const carried = fc.constantFrom<(message: string) => string>(
  (message) => message,
  (message) => inTypeB(message, { to: ["FRAFMLH"], from: "JFKFMLH" }, "151430"),
  (message) => inEdifact(message, "REF1"),
  (message) => inFreeText(message, "REF1"),
  (message) => message.replaceAll("\r\n", "\n"),
);

test("a statement that is written reads back unchanged, without a problem", () =>
  forAll(runs(300), anyStatement, heading, carried, (statement, { type, version }, carry) => {
    const text = carry(impMessage({ type, version }, statement));
    const read = readOne(text);
    assert.deepEqual(read.problems, [], text);
    assert.deepEqual(read.statement, statement, text);
    assert.deepEqual([read.type, read.version], [type, version]);
  }));
