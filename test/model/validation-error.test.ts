import assert from "node:assert/strict";
import { test } from "node:test";

import Type from "typebox";
import { Compile } from "typebox/compile";

import { validationMessage } from "../../src/model/validation-error.ts";

const Body = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: 5 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "from 1 to 100" })),
    names: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
    "a/b~c": Type.Optional(Type.Array(Type.Object({ "1st": Type.Boolean() }))),
    kind: Type.Optional(Type.Enum(["dry", "reefer"])),
    share: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
    ports: Type.Optional(Type.Array(Type.Array(Type.Object({})), { minItems: 2 })),
    place: Type.Optional(Type.Object({ lat: Type.Number(), lon: Type.Number() })),
    either: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Integer()])),
    rows: Type.Optional(Type.Array(Type.Number())),
    v2: Type.Optional(Type.String()),
    letter: Type.Optional(Type.String({ maxLength: 1 })),
    pair: Type.Optional(Type.String({ minLength: 2, pattern: "^[a-z]+$" })),
    code: Type.Optional(Type.String({ pattern: "^[A-Z]+$", form: "capital letters" })),
    single: Type.Optional(Type.Array(Type.Null(), { maxItems: 1 })),
    since: Type.Optional(Type.String({ format: "date-time", description: "then or later" })),
    on: Type.Optional(Type.String({ format: "date" })),
    email: Type.Optional(Type.String({ format: "email" })),
    id: Type.Optional(Type.String({ format: "uuid" })),
    base: Type.Optional(Type.String({ format: "uri" })),
    address: Type.Optional(Type.String({ format: "ipv4" })),
  },
  { additionalProperties: false, description: "it takes reference, limit and names" },
);
const CHECK = Compile(Body);

for (const [sent, said] of [
  [{}, "body lacks reference"],
  [
    { ref: "a" },
    "body lacks reference, and has ref, which is not known: it takes reference, limit and names",
  ],
  [{ reference: "a", ref: "a" }, "body has no ref: it takes reference, limit and names"],
  [{ reference: "" }, "body.reference must not be empty"],
  [{ reference: "abcdef" }, "body.reference must have at most 5 characters"],
  [{ reference: "a", limit: 0 }, "body.limit must be at least 1: from 1 to 100"],
  [{ reference: "a", limit: 101 }, "body.limit must be at most 100: from 1 to 100"],
  [{ reference: "a", names: [] }, "body.names must not be empty"],
  [{ reference: "a", names: ["a", "b", "c"] }, "body.names must have at most 2 items"],
  [{ reference: "a", names: [1] }, "body.names[0] must be a string"],
  [{ reference: "a", names: 1 }, "body.names must be an array"],
  [{ reference: "a", names: 1, limit: "x" }, "body.limit must be a whole number"],
  [{ reference: "a", rows: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "10"] }, "body.rows[10] must be a number"],
  [{ reference: "a", v2: 1 }, "body.v2 must be a string"],
  [{ reference: "a", limit: 1.5 }, "body.limit must be a whole number"],
  [{ reference: "a", "a/b~c": [{}] }, "body.a/b~c[0] lacks 1st"],
  [{ reference: "a", "a/b~c": [{ "1st": 0 }] }, "body.a/b~c[0].1st must be true or false"],
  [{ reference: "a", kind: "tank" }, "body.kind must be one of dry, reefer"],
  [{ reference: "a", share: 0 }, "body.share must be more than 0"],
  [{ reference: "a", share: 1 }, "body.share must be less than 1"],
  [{ reference: "a", share: "x" }, "body.share must be a number"],
  [{ reference: "a", ports: [[]] }, "body.ports must have at least 2 items"],
  [{ reference: "a", ports: [[1], []] }, "body.ports[0][0] must be an object"],
  [{ reference: "a", place: {} }, "body.place lacks lat, lon"],
  [{ reference: "a", either: true }, "body.either must be a string or null or a whole number"],
  [{ reference: "a", letter: "ab" }, "body.letter must have at most 1 character"],
  [{ reference: "a", pair: "a" }, "body.pair must have at least 2 characters"],
  [{ reference: "a", pair: "AB" }, 'body.pair must match pattern "^[a-z]+$"'],
  [{ reference: "a", code: "ab" }, "body.code must be capital letters"],
  [
    { reference: "a", since: "yesterday" },
    "body.since must be a date-time such as 2026-01-31T08:00:00Z: then or later",
  ],
  [{ reference: "a", on: "today" }, "body.on must be a date such as 2026-01-31"],
  [{ reference: "a", email: "nope" }, "body.email must be an e-mail address such as ops@example.com"],
  [{ reference: "a", id: "x" }, "body.id must be a UUID such as 01a1fc98-3684-702d-8add-9c7eb13bfa2f"],
  [{ reference: "a", base: "x" }, "body.base must be a URL such as https://api.example.com/v1"],
  [{ reference: "a", address: "x" }, 'body.address must match format "ipv4"'],
  [{ reference: "a", single: [null, null] }, "body.single must have at most 1 item"],
  [{ reference: "a", ref: "a", name: "b" }, "body has no ref, name: it takes reference, limit and names"],
  [
    { ref: "a", name: "b" },
    "body lacks reference, and has ref, name, which is not known: it takes reference, limit and names",
  ],
] as const) {
  test(`what is wrong with ${JSON.stringify(sent)} is said in plain words`, () =>
    assert.equal(validationMessage(Body, CHECK.Errors(sent), "body"), said));
}

test("an error that names no place in the schema is said without a meaning", () => {
  const [error] = CHECK.Errors({ reference: "a", limit: 0 });
  for (const schemaPath of ["#/properties/nobody/there", "#/additionalProperties/not", ""]) {
    const [lost] = [{ ...error!, schemaPath }];
    assert.equal(
      validationMessage(Body, [lost], "body"),
      `body.limit must be at least 1${schemaPath === "" ? ": it takes reference, limit and names" : ""}`,
    );
  }
});
