import assert from "node:assert/strict";
import { test } from "node:test";

import Type from "typebox";
import { Compile } from "typebox/compile";

import { complaintOf } from "../../src/model/complaint.ts";

const Body = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: 5 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "from 1 to 100" })),
    names: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  },
  { additionalProperties: false, description: "there are reference, limit and names" },
);
const CHECK = Compile(Body);

for (const [sent, said] of [
  [{}, "body lacks reference"],
  [
    { ref: "a" },
    "body lacks reference, and has ref, which is not known: there are reference, limit and names",
  ],
  [{ reference: "a", ref: "a" }, "body has no ref: there are reference, limit and names"],
  [{ reference: "" }, "body.reference must not be empty"],
  [{ reference: "abcdef" }, "body.reference must have at most 5 characters"],
  [{ reference: "a", limit: 0 }, "body.limit must be at least 1: from 1 to 100"],
  [{ reference: "a", limit: 101 }, "body.limit must be at most 100: from 1 to 100"],
  [{ reference: "a", names: [] }, "body.names must not be empty"],
  [{ reference: "a", names: ["a", "b", "c"] }, "body.names must have at most 2 items"],
] as const) {
  test(`what is wrong with ${JSON.stringify(sent)} is said in plain words`, () => {
    assert.equal(complaintOf(Body, CHECK.Errors(sent), "body"), said);
  });
}
