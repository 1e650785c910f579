/** Looks where an operator looks, from the moment of the fault on, until all that has to be seen was seen. */
import { realClock } from "../support/real-clock.ts";
import { start } from "../service/boathook.ts";
import type { Shows, Stage } from "./fault.ts";
import type { Prometheus } from "./prometheus.ts";
import { sleep } from "./stage.ts";

const WATCH_MS_MAX = 45_000;
/** The log is watched longer than the rest: further lines of one fault come late. */
const WATCH_MS_MIN = 12_000;
const LOOK_EVERY_MS = 250;
const COMMAND_EVERY_MS = 1_500;
const ANSWER_MS_MAX = 3_000;
const LAST_LENGTH_MAX = 3_000;

export const PLACES = ["readyz", "alert", "metric", "log", "command"] as const;
export type Place = (typeof PLACES)[number];

export type Shown = { readonly seconds: number; readonly text: string };

export type Seen = {
  readonly shown: Readonly<Partial<Record<Place, Shown>>>;
  /** What the log says since the fault, each line once, with how often. */
  readonly lines: Readonly<Record<string, number>>;
  readonly alerts: readonly string[];
  /** What there was instead of what was not seen. */
  readonly last: Readonly<Partial<Record<Place, string>>>;
};

type Look = () => string | Promise<string>;

export async function watch(
  stage: Stage,
  shows: Shows,
  prometheus: Prometheus,
  logFrom: number,
): Promise<Seen> {
  const startedMs = realClock.monotonicMs();
  const opsUrl = `http://127.0.0.1:${stage.opsPorts[0]}`;
  const shown: Partial<Record<Place, Shown>> = {};
  const last: Partial<Record<Place, string>> = {};
  const alerts = new Set<string>();
  const elapsedMs = () => realClock.monotonicMs() - startedMs;

  async function look(place: Place, pattern: RegExp | undefined, everyMs: number, see: Look): Promise<void> {
    while (pattern !== undefined && elapsedMs() < WATCH_MS_MAX) {
      const text = await see();
      const found = pattern.exec(text);
      if (found === null) last[place] = text.slice(-LAST_LENGTH_MAX);
      else {
        delete last[place];
        shown[place] = { seconds: Math.round(elapsedMs() / 100) / 10, text: found[1] ?? found[0] };
        return;
      }
      await sleep(everyMs);
    }
  }

  const { readyz, alert, metric, log, command } = shows;
  const linesOf = () => linesIn(stage.service.err().slice(logFrom));
  await Promise.all([
    look("readyz", readyz, LOOK_EVERY_MS, () => readiness(opsUrl)),
    look("alert", alert === undefined ? undefined : new RegExp(`\\b${alert}\\b`), LOOK_EVERY_MS, async () => {
      for (const one of await prometheus.firing()) alerts.add(one);
      return [...alerts].join(" ");
    }),
    look("metric", metric, LOOK_EVERY_MS, () => textOf(`${opsUrl}/metrics`)),
    look("log", log, LOOK_EVERY_MS, () => linesOf().join("\n")),
    look("command", command?.[1], COMMAND_EVERY_MS, () => said(stage, command![0])),
  ]);
  await sleep(Math.max(0, WATCH_MS_MIN - elapsedMs()));
  for (const one of await prometheus.firing()) alerts.add(one);
  const lines: Record<string, number> = {};
  for (const line of linesOf()) {
    const kind = line.replace(/ \{.*?("class":"\w+")?[^"]*\}$/, " $1");
    lines[kind] = (lines[kind] ?? 0) + 1;
  }
  return { shown, lines, alerts: [...alerts], last };
}

async function readiness(opsUrl: string): Promise<string> {
  try {
    const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return `${response.status} ${await response.text()}`;
  } catch {
    return "no answer";
  }
}

async function textOf(url: string): Promise<string> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).then(
    (response) => response.text(),
    () => "",
  );
}

/** `warn: message {fields}` of what is more than a report of the normal course, and what is no JSON as it is. */
export function linesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      if (!line.startsWith("{")) return [line];
      try {
        const { level, msg, time: _time, ...fields } = JSON.parse(line) as Record<string, string>;
        return level === "info" ? [] : [`${level}: ${msg} ${JSON.stringify(fields)}`];
      } catch {
        // The last line is not yet whole.
        return [];
      }
    });
}

async function said(stage: Stage, words: string): Promise<string> {
  const named = words.replace("<endpoint>", stage.endpoint);
  const running = start(stage.t, named.split(" "), stage.settings);
  const status = await running.ended;
  return `${running.out()}${running.err()}exit ${status}`;
}
