/** A real Prometheus with the shipped alert rules, without their `for`, and with short thresholds of time. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { until } from "../service/boathook.ts";
import { freePort } from "./stage.ts";

const RULES = join(import.meta.dirname, "..", "..", "deploy", "prometheus", "alerts.yaml");
const START_MS_MAX = 20_000;

/** Ages in seconds that an alert waits for; the drill waits for `SHORT_SECONDS`, the table adds the rest. */
const AGE_SECONDS_MIN = 60;
const SHORT_SECONDS = 10;
const SHARE_SECONDS = 15;

export type Rule = {
  readonly name: string;
  /** What the shipped rule waits for beyond the drill's, in seconds: of its threshold, and of its `for`. */
  readonly laterSeconds: number;
  readonly forSeconds: number;
};

export type Prometheus = { firing(): Promise<readonly string[]> };

const UNITS = { s: 1, m: 60, h: 3_600 } as const;

/** The rules as they are shipped, and as the drill runs them. */
export function readRules(): { readonly rules: ReadonlyMap<string, Rule>; readonly shortened: string } {
  const shipped = readFileSync(RULES, "utf8");
  const rules = new Map<string, Rule>();
  const parts = shipped.split(/^(?= {6}- alert: )/m).map((part) => {
    const name = /- alert: (\w+)/.exec(part)?.[1];
    if (name === undefined) return part;
    const waits = /^ +for: (\d+)([smh])$/m.exec(part);
    let laterSeconds = 0;
    const lasting = part.replace(/^ +for: .*\n/m, "");
    // A share of what was, its end or its least, which the drill would see only once most of it is over.
    const isShare = /> 0\.5 \*|\bunless\b|\bmin_over_time\b/.test(part);
    const recent = lasting.replaceAll(/\[(\d+)m\]/g, (window, minutes: string) => {
      if (!isShare) return window;
      laterSeconds = Number(minutes) * UNITS.m - SHARE_SECONDS;
      return `[${SHARE_SECONDS}s]`;
    });
    const short = recent.replace(/> (\d+)$/m, (all, seconds: string) => {
      if (Number(seconds) < AGE_SECONDS_MIN) return all;
      laterSeconds = Number(seconds) - SHORT_SECONDS;
      return `> ${SHORT_SECONDS}`;
    });
    const forSeconds = waits === null ? 0 : Number(waits[1]) * UNITS[waits[2] as keyof typeof UNITS];
    rules.set(name, { name, laterSeconds, forSeconds });
    return short;
  });
  return { rules, shortened: parts.join("") };
}

/** A scrape of a service whose database or worker hangs takes two seconds. */
const SCRAPE_EVERY = "3s";

/** Resolves when the first of the targets has been scraped, if it `isUp`. */
export async function startPrometheus(
  t: TestContext,
  targets: readonly string[],
  isUp: boolean,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-prometheus-"));
  writeFileSync(join(folder, "rules.yaml"), readRules().shortened);
  const configuration = {
    global: { scrape_interval: SCRAPE_EVERY, scrape_timeout: SCRAPE_EVERY, evaluation_interval: "1s" },
    rule_files: ["rules.yaml"],
    scrape_configs: [{ job_name: "boathook", static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yaml"), JSON.stringify(configuration));
  const port = await freePort();
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    return response?.ok === true ? ((await response.json()) as { data: unknown }).data : null;
  };
  await until(
    async () => {
      const found = (await ask("query?query=up")) as { result: { value: [number, string] }[] } | null;
      return found?.result.some(({ value }) => !isUp || value[1] === "1") === true;
    },
    "Prometheus has scraped the service",
    START_MS_MAX,
  );
  return {
    async firing() {
      const found = (await ask("alerts")) as { alerts: { labels: { alertname: string } }[] } | null;
      return [...new Set((found?.alerts ?? []).map(({ labels }) => labels.alertname))];
    },
  };
}
