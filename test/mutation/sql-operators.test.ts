import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { mutantsOf } from "./sql-operators.ts";
import { withParameters } from "./sql-parameters.ts";

/** Each mutant of a statement as `before → after`. */
function changesOf(text: string): readonly string[] {
  return mutantsOf(text).map(({ before, after }) => `${before} → ${after}`.trim());
}

const CASES: readonly (readonly [what: string, statement: string, changes: readonly string[]])[] = [
  ["a statement without conditions", "select a, b.* from c -- where d = 1 and e", []],
  ["a comparison", "delete from a where b >= c", ["b >= c → true", "b >= c → false", ">= → >"]],
  [
    "parts of a condition, within parentheses as well",
    "delete from a where b and (c or not (d and e))",
    [
      "b and (c or not (d and e)) → false",
      "b → true",
      "and → or",
      "(c or not (d and e)) → true",
      "c → false",
      "or → and",
      "not (d and e) → false",
      "not →",
      "d → true",
      "and → or",
      "e → true",
    ],
  ],
  [
    "a negation",
    "delete from a where b is null and not exists (select from c)",
    [
      "b is null and not exists (select from c) → false",
      "b is null → true",
      "is → is not",
      "and → or",
      "not exists (select from c) → true",
      "not →",
    ],
  ],
  [
    "between, whose `and` joins nothing",
    "delete from a where b between c and d",
    ["b between c and d → true", "b between c and d → false"],
  ],
  ["an order", "select a from b order by a, c desc nulls last", ["a → a desc", "desc → asc", "last → first"]],
  [
    "a limit and a lock",
    "select a from b limit $1 for update skip locked",
    ["limit $1 →", "for update skip locked →", "skip locked →"],
  ],
  ["one of two values", "select coalesce(a, b.c)", ["coalesce(a, b.c) → (a)", "coalesce(a, b.c) → (b.c)"]],
  ["arithmetic, and a star that is none", "select a + 1, count(*) from b", ["+ → -", "1 → 0"]],
  ["the only assignment", "update cell.a set b = $1", ["$1 → a.b"]],
  ["assignments", "update cell.a x set b = 'c', d = x.e from f", ["b = 'c', →", "'c' → ''", ", d = x.e →"]],
  ["a case", "select case when a then b else c end", ["a → true", "a → false", "else c →"]],
  [
    "a conflict",
    "insert into a (b) values ($1) on conflict (b) do update set c = excluded.c",
    ["on conflict (b) do update set c = excluded.c →", "do update set c = excluded.c → do nothing"],
  ],
  [
    "rows to insert, joins and unions",
    "insert into a (b) select c from d left join e on true union all select f from g",
    ["left →", "true → false", "→  where false", "union all → union"],
  ],
  [
    "strings and names that hold words",
    `select "a and b" from c where d = 'e or f'`,
    [`d = 'e or f' → true`, `d = 'e or f' → false`, "= → <>", "'e or f' → ''"],
  ],
];

describe("the mutants of a statement", () => {
  for (const [what, statement, changes] of CASES) {
    test(`change ${what}`, () => assert.deepEqual(changesOf(statement), changes));
  }

  test("hold the line that they begin in, and are the whole statement", () => {
    const [, second] = mutantsOf("-- what it is for\nupdate a set b = c\nwhere d");
    assert.deepEqual(second, {
      text: "-- what it is for\nupdate a set b = c\nwhere true",
      line: 3,
      before: "d",
      after: "true",
    });
  });

  test("mention every parameter of the statement, with its type", () => {
    const types = ["uuid", "integer"];
    for (const [mutant, whole] of [
      ["select $1, $2", "select $1, $2"],
      ["select $1 -- $2", "with unread as (select $2::integer) select $1 -- $2"],
      [
        "-- a\nwith b as (select) select $2",
        "-- a\nwith unread as (select $1::uuid), b as (select) select $2",
      ],
      [
        "with recursive b as (select) select from b",
        "with recursive unread as (select $1::uuid, $2::integer), b as (select) select from b",
      ],
    ] as const) {
      assert.equal(withParameters(mutant, types), whole);
    }
  });
});
