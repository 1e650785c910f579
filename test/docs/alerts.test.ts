/** The alert rules, the dashboard and the runbook by themselves; `test/service/serve.test.ts` has the metrics. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { alerts, PROMETHEUS, queries, runbook } from "./alerts.ts";
import { column } from "../support/columns.ts";

/** Null, and the test is skipped, where it is not installed. */
function promtool(t: TestContext, words: readonly string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8" });
  if (error !== undefined) {
    t.skip("promtool is not installed (Debian and Ubuntu: the package prometheus)");
    return null;
  }
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test("the alert rules are valid, and their unit tests pass", (t) => {
  if (promtool(t, ["check", "rules", join(PROMETHEUS, "alerts.yaml")]) === null) return;
  promtool(t, ["test", "rules", join(PROMETHEUS, "alerts.test.yaml")]);
});

test("each query of the dashboard is PromQL", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-dashboard-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "queries.yaml");
  const records = queries.map((expr, number) => ({
    record: `query_${number}`,
    expr: expr.replaceAll("$__rate_interval", "5m"),
  }));
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: "queries", rules: records }] }));
  promtool(t, ["check", "rules", file]);
});

test("each alert has a unit test, and a section of the runbook to which it links", () => {
  const unitTests = readFileSync(join(PROMETHEUS, "alerts.test.yaml"), "utf8");
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)];
  assert.ok(alerts.length >= 20, "all are found");
  assert.deepEqual(
    sections.map(([, name]) => name),
    column(alerts, "name"),
  );
  for (const { name, text } of alerts) {
    assert.ok(text.includes(`runbook_url: docs/runbook.md#${name.toLowerCase()}\n`), name);
    assert.ok(unitTests.includes(`alertname: ${name}\n`), name);
  }
});
