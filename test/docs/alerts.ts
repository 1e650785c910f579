/** What the alert rules, the dashboard and the runbook name. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
export const PROMETHEUS = join(ROOT, "deploy", "prometheus");
const rules = readFileSync(join(PROMETHEUS, "alerts.yaml"), "utf8");
export const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)\n([\s\S]*?)(?=^ {6}- alert|(?![\s\S]))/gm)].map(
  ([, name, text]) => ({ name: name!, text: text! }),
);

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const dashboard = JSON.parse(readFileSync(join(ROOT, "deploy", "grafana", "boathook.json"), "utf8")) as {
  readonly panels: readonly Panel[];
};
export const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

export const runbook = readFileSync(join(ROOT, "docs", "runbook.md"), "utf8");

/** Each metric and label that they name is one that the service has. */
export function checkMetrics(metrics: string): void {
  const types = new Map(
    [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]),
  );
  const named = (text: string) => text.match(/\b(?:boathook|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
  const expressions = [...queries, ...alerts.map(({ text }) => text.slice(0, text.indexOf("labels:")))];
  for (const name of [...expressions, runbook].flatMap(named)) {
    const base = name.replace(/_(?:bucket|sum|count)$/, "");
    assert.ok(types.has(name) || types.get(base) === "histogram", `${name} is no metric of the service`);
  }
  // What has no sample yet has no labels to compare.
  for (const expression of expressions) {
    const [name = ""] = named(expression);
    const sample = new RegExp(`^${name}\\{(.*)\\} `, "m").exec(metrics)?.[1];
    if (sample === undefined) continue;
    const labels = new Set(["job", "instance", ...[...sample.matchAll(/(\w+)="/g)].map(([, one]) => one!)]);
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, some]) => some!.split(", "));
    const selected = [...expression.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, one]) => one!);
    for (const label of [...grouped, ...selected]) assert.ok(labels.has(label), `${label} in ${expression}`);
  }
}
