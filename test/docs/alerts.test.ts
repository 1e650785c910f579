/** The alert rules, the dashboard and the runbook against the metrics that the service has. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { ask, makeDataFolder, operatorToken, serve, until, type Serving } from "../service/boathook.ts";

const dataFolder = makeDataFolder({ withDatabase: true });

const ROOT = join(import.meta.dirname, "..", "..");
const PROMETHEUS = join(ROOT, "deploy", "prometheus");
const rules = readFileSync(join(PROMETHEUS, "alerts.yaml"), "utf8");
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)\n([\s\S]*?)(?=^ {6}- alert|(?![\s\S]))/gm)].map(
  ([, name, text]) => ({ name: name!, text: text! }),
);

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const dashboard = JSON.parse(readFileSync(join(ROOT, "deploy", "grafana", "boathook.json"), "utf8")) as {
  readonly panels: readonly Panel[];
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

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
  const sections = [...readFileSync(join(ROOT, "docs", "runbook.md"), "utf8").matchAll(/^## (\w+)$/gm)];
  assert.ok(alerts.length >= 20, "all are found");
  assert.deepEqual(
    sections.map(([, name]) => name),
    alerts.map(({ name }) => name),
  );
  for (const { name, text } of alerts) {
    assert.ok(text.includes(`runbook_url: docs/runbook.md#${name.toLowerCase()}\n`), name);
    assert.ok(unitTests.includes(`alertname: ${name}\n`), name);
  }
});

test("each metric and label that alerts, dashboard and runbook name is one of the service's", async (t) => {
  const service = await serve(t, { BOATHOOK_DATA_DIR: dataFolder, BOATHOOK_WORKERS: "2" });
  await until(() => service.err().split("a worker serves").length === 3, "both workers serve");
  await use(service);
  const { body } = (await ask("GET", `${service.opsUrl}/metrics`, "")) as { readonly body: string };
  for (const line of USED) assert.ok(body.includes(`\n${line}\n`), line);
  const types = new Map([...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]));
  const named = (text: string) => text.match(/\b(?:boathook|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
  const expressions = [...queries, ...alerts.map(({ text }) => text.slice(0, text.indexOf("labels:")))];
  const runbook = readFileSync(join(ROOT, "docs", "runbook.md"), "utf8");
  for (const name of [...expressions, runbook].flatMap(named)) {
    const base = name.replace(/_(?:bucket|sum|count)$/, "");
    assert.ok(types.has(name) || types.get(base) === "histogram", `${name} is no metric of the service`);
  }
  // What has no sample yet has no labels to compare.
  for (const expression of expressions) {
    const [name = ""] = named(expression);
    const sample = new RegExp(`^${name}\\{(.*)\\} `, "m").exec(body)?.[1];
    if (sample === undefined) continue;
    const labels = new Set(["job", "instance", ...[...sample.matchAll(/(\w+)="/g)].map(([, one]) => one!)]);
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, some]) => some!.split(", "));
    const selected = [...expression.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, one]) => one!);
    for (const label of [...grouped, ...selected]) assert.ok(labels.has(label), `${label} in ${expression}`);
  }
});

/** An event that nobody gets, and a path that is not there. */
async function use({ opsUrl, publicUrl }: Serving): Promise<void> {
  const token = operatorToken(dataFolder);
  const { body: account } = await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "Acme" });
  const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
  const event = { product: "rates", account_id: account.id, type: "index_refreshed", data };
  assert.equal((await ask("POST", `${opsUrl}/v1/events`, token, { events: [event] })).status, 202);
  await ask("GET", `${publicUrl}/tracking/openapi.json`, "");
  await ask("GET", `${publicUrl}/no/such/path`, "");
}

const USED = [
  'boathook_unheard_events_total{product="rates"} 1',
  'boathook_http_requests_total{route="/v1/events",method="POST",status="2xx"} 1',
  'boathook_http_requests_total{route="/tracking/openapi.json",method="GET",status="2xx"} 1',
  'boathook_http_requests_total{route="none",method="",status="4xx"} 1',
  'boathook_public_connections_closed_total{bound="address"} 0',
  "boathook_directory_up 1",
  "boathook_broadcasts 0",
];
