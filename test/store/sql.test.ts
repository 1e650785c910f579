import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";
import pg from "pg";

import { inSchemas, queriesIn } from "../../src/store/sql.ts";
import { sqlTokens } from "../../src/store/sql-tokens.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { workerAddress } from "../../src/store/homes/citus.ts";
import { forAll } from "../support/runs.ts";

const SCHEMAS = { schema: "c", directory: "d" };

describe("a statement's schemas", () => {
  for (const [what, text, expected] of [
    ["qualify tables", "select * from cell.a, directory.b", `select * from "c".a, "d".b`],
    ["qualify columns and functions", "select cell.a.id, cell.f(1)", `select "c".a.id, "c".f(1)`],
    ["qualify quoted names", `select * from cell."cell.a"`, `select * from "c"."cell.a"`],
    ["stand behind an operator", "select 1-cell.f()", `select 1-"c".f()`],
    ["stand behind a block comment", "select /* it's */ cell.f()", `select /* it's */ "c".f()`],
    ["stand behind a line comment", "-- it's\nselect cell.f()", `-- it's\nselect "c".f()`],
    ["stand behind a string with a quote", "select 'it''s', cell.f()", `select 'it''s', "c".f()`],
    ["stand behind an escape string", `select e'it\\'s', cell.f()`, `select e'it\\'s', "c".f()`],
    ["stand behind a parameter", "select $1, cell.f(), $2", `select $1, "c".f(), $2`],
  ] as const) {
    test(what, () => assert.equal(inSchemas(text, SCHEMAS), expected));
  }

  for (const [what, text] of [
    ["a string", "select 'cell.x'"],
    ["a string behind a doubled quote", "select 'it''s cell.x'"],
    ["a string that ends in a backslash", String.raw`select '\', 'cell.x'`],
    ["an escape string", String.raw`select E'it\'s cell.x', e'\\'`],
    ["a bit string and a national one", "select B'1', N'cell.x', U&'cell.x'"],
    ["a dollar-quoted string", "select $$it's cell.x$$"],
    ["a tagged one that holds another", "do $a$ select $b$ cell.x $b$ directory.x $a$"],
    ["a quoted identifier", `select "cell.x", "a""cell.x"`],
    ["a line comment", "select 1 -- cell.x"],
    ["a block comment, nested", "select /* /* cell.x */ directory.x */ 1"],
    ["a column behind its table", "select accounts.cell, a.directory"],
    ["a longer word", "select excell.x, cell_a.x, cell$.x, éclairdirectory.x, cells.x"],
    ["a name in capitals", "select CELL.x"],
    ["a string without its end", "select 'cell.x"],
    ["a comment without its end", "select /* cell.x"],
  ] as const) {
    test(`are not looked for in ${what}`, () => assert.equal(inSchemas(text, SCHEMAS), text));
  }
});

describe("a query's parameters", () => {
  const [query] = queriesIn(`-- name: call_find :many
-- @limit how many
select 'a@b', c @> @codes::text[] -- @not
from @calls (port_code text null, at timestamptz, place ordinality) as call
where (id, at) > (@behind.id, @at) and at < @at and exists (select from @calls) limit @limit;
`);

  test("are numbered where they stand first, outside comments and strings", () =>
    assert.equal(
      query!.text,
      `-- @limit how many
select 'a@b', c @> $1::text[] -- @not
from unnest($2::text[], $3::timestamptz[]) with ordinality as call (port_code, at, place)
where (id, at) > ($4, $5) and at < $5 and exists (select from unnest($2::text[], $3::timestamptz[]) with ordinality as calls (port_code, at, place)) limit $6`,
    ));

  test("are alone, fields of an object or columns of rows", () =>
    assert.deepEqual(query!.parameters, [
      { name: "codes" },
      { name: "portCode", rows: "calls", isNull: true },
      { name: "at", rows: "calls", isNull: false },
      { name: "id", of: "behind" },
      { name: "at" },
      { name: "limit" },
    ]));
});

describe("what queries share", () => {
  test("stands where a query or a later part names it, without its comment", () => {
    const [query] = queriesIn(`-- part: call_id
-- Of calls c.
c.id
-- part: call_shown
@@call_id, c.port = @port as "isHere"

-- name: call_list :many
select @@call_shown from cell.calls c where @@call_id > @after;
`);
    assert.equal(query!.text, 'select c.id, c.port = $1 as "isHere" from cell.calls c where c.id > $2');
  });

  test("stands above its queries", () => {
    assert.throws(
      () => queriesIn("-- name: call_list :many\nselect @@call_id;\n-- part: call_id\nid"),
      /no part call_id/,
    );
  });
});

test("the tokens of a text are the whole text", () => {
  const pieces = [
    "'",
    '"',
    "$",
    "-",
    "/",
    "*",
    "\\",
    "\n",
    "e",
    "1",
    "é",
    "cell",
    "$$",
    "$a$",
    "--",
    "/*",
    "*/",
  ];
  const piece = fc.constantFrom(...pieces);
  forAll(100, fc.array(piece), (some) => {
    const text = some.join("");
    const tokens = [...sqlTokens(text)];
    assert.equal(tokens.map((token) => token.text).join(""), text);
    for (const token of tokens) assert.ok(text.startsWith(token.text, token.start));
  });
});

const HOST = "postgres://me:se%40cret@db.example/boathook";

test("sslmode checks the server's certificate without a warning, and other modes are the driver's", (t) => {
  const warned: unknown[] = [];
  t.mock.method(process, "emitWarning", (warning: unknown) => warned.push(warning));
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    const client = new pg.Client(connectionConfig({ url: `${HOST}?application_name=a&sslmode=${mode}` }));
    assert.deepEqual([client.ssl, client.password, warned], [{}, "se@cret", []], mode);
  }
  for (const query of [
    "",
    "?sslmode=disable",
    "?sslmode=no-verify",
    "?uselibpqcompat=true&sslmode=require",
  ]) {
    const url = `${HOST}${query}`;
    assert.deepEqual(connectionConfig({ url }), { connectionString: url });
  }
});

test("a worker is reached by its name, address or socket's folder, whatever the coordinator's URL says of its own", () => {
  const reached = (coordinator: string, host: string) => {
    const client = new pg.Client(
      connectionConfig(workerAddress({ url: coordinator }, { schema: "s", host, port: 5433 })),
    );
    return [client.host, client.port, client.user, client.password, client.database, client.ssl];
  };
  for (const coordinator of [
    "postgres://me:se%40cret@db-1:5432/boathook",
    "postgres://me:se%40cret@localhost/boathook?host=%2Fvar%2Frun%2Fpostgresql&port=5999",
    "postgres://me:se%40cret@[::1]:5432/boathook?host=db-1",
    "postgres:///boathook?host=/tmp&user=me&password=se%40cret",
  ])
    for (const host of ["worker-1.example", "10.0.0.7", "::1", "fe80::1:2"])
      assert.deepEqual(reached(coordinator, host), [host, 5433, "me", "se@cret", "boathook", false]);
  assert.deepEqual(reached(HOST, "/var/run/postgresql").slice(0, 2), ["/var/run/postgresql", 5433]);
  assert.deepEqual(reached(`${HOST}?sslmode=no-verify`, "worker-1")[5], { rejectUnauthorized: false });
});
