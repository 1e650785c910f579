import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { gapsIn, specIndex } from "../../scripts/spec/index-of.ts";
import { specPage, withoutLines } from "../../scripts/spec/page.ts";
import { knownGaps, PAGE, projectSpecIndex } from "../../scripts/spec/project.ts";
import { referencesIn } from "../../scripts/spec/references.ts";
import { SECTIONS } from "../../scripts/spec/rules.ts";
import { column } from "../support/columns.ts";

const SMALL = [
  { id: "2.1", title: "Endpoint", rows: { url: "HTTPS", active: "flag" } },
  { id: "6.2", title: "Events", rows: { ping: "test", eta_changed: "ocean" } },
];

const REFERENCES: readonly [text: string, found: readonly string[]][] = [
  ["(spec 6.2)", ["6.2"]],
  ["(spec 6.2: ping)", ["6.2 ping"]],
  ["it pings (spec 6.2: ping, eta_changed; 2.1: url)", ["6.2 ping", "6.2 eta_changed", "2.1 url"]],
  ["spec 2.1, 6.2 and 9 call for it", ["2.1", "6.2", "9"]],
  ["(spec 6.2; design 1)", ["6.2"]],
  ["(spec 6.2: pong)", ["6.2 pong"]],
  ["(spec 6.2: ping, pong)", ["6.2 ping", "6.2 pong"]],
  ["spec 6.2: within three days of the last", ["6.2"]],
  ["spec 6.2: ping is sent on request", ["6.2 ping"]],
  ["the specification 6.2, or spec sheet 4", []],
  ["spec 2.1, 10 seconds", ["2.1"]],
];

for (const [text, found] of REFERENCES) {
  test(`in ${JSON.stringify(text)} the references are ${found.join(", ") || "none"}`, () => {
    const ids = [...referencesIn({ text, start: 0 }, SMALL)].map(({ section, row }) =>
      row === null ? section : `${section} ${row}`,
    );
    assert.deepEqual(ids, found);
  });
}

test("code counts by its comments, tests by comments and titles", () => {
  const { rules, unknown } = specIndex(
    [
      { path: "src/a.ts", text: '\n/** A rule (spec 6.2: ping). */\nconst a = "spec 2.1: url";' },
      { path: "src/a.sql", text: "-- a flag (spec 2.1:\n-- active)\nselect 1;" },
      { path: "test/a.test.ts", text: 'test("it pings (spec 6.2: ping)", f); // spec 7' },
      { path: "test/harness.ts", text: "// spec 2.1: url" },
      { path: "src/a.sql.ts", text: "// generated (spec 2.1: url)" },
      { path: "packages/simulator/src/truth.ts", text: "// what is true (spec 2.1: url)" },
    ],
    SMALL,
  );
  const places = rules.map(({ id, implementedIn, shownBy }) => [
    id,
    [...implementedIn, ...shownBy].map(({ path, line }) => `${path}:${line}`).join(" "),
  ]);
  assert.deepEqual(Object.fromEntries(places), {
    "2.1": "",
    "2.1 url": "",
    "2.1 active": "src/a.sql:1",
    "6.2": "",
    "6.2 ping": "src/a.ts:2 test/a.test.ts:1",
    "6.2 eta_changed": "",
  });
  assert.deepEqual(column(unknown, "id"), ["7"]);
  assert.deepEqual(gapsIn(rules), {
    implementation: ["2.1 url", "6.2 eta_changed"],
    test: ["2.1", "2.1 url", "2.1 active", "6.2 eta_changed"],
  });
});

const { rules, unknown } = projectSpecIndex();

test("no comment or title refers to a rule that does not exist", () => assert.deepEqual(unknown, []));

test("every rule has an implementation and a test, except the known gaps", () => {
  const gaps = gapsIn(rules);
  const known = knownGaps();
  const beyond = (of: readonly string[], others: readonly string[]) =>
    of.filter((id) => !others.includes(id));
  assert.deepEqual(beyond(gaps.implementation, known.implementation), [], "without an implementation");
  assert.deepEqual(beyond(gaps.test, known.test), [], "without a test");
  assert.deepEqual(
    [...beyond(known.implementation, gaps.implementation), ...beyond(known.test, gaps.test)],
    [],
    "no gap any more: npm run docs:spec takes it out of scripts/spec/gaps.json",
  );
});

test("docs/spec-index.md is up to date, but for line numbers (npm run docs:spec writes it)", () =>
  assert.equal(withoutLines(readFileSync(PAGE, "utf8")), withoutLines(specPage(SECTIONS, rules))));
