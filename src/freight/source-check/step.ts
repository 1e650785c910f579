/** What the parts of a check have in common: its ports, its steps, and how it speaks. */
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { HttpPort } from "../upstream/http.ts";

export type CheckPorts = {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Pick<Log, "error">;
};

/** One step of a check of an entry: what was tried, what came of it, and what to do where it failed. */
export type StepName = "name" | "tls" | "token" | "question";

export type CheckStep = {
  readonly step: StepName;
  /** The server, `api.heron.example:443`, or the reference that was asked about. */
  readonly of: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly tookMs: number;
  /** Each request, `GET https://api.heron.example/events?limit=100`, without secrets. */
  readonly asked: readonly string[];
  /** What came back, without secrets. */
  readonly found: string;
  /** Null where nothing has to be done. */
  readonly advice: string | null;
};

/** How a check speaks of the source. */
export type SourceWords = {
  /** `carrier`, `airline`. */
  readonly whom: string;
  /** `carriers file`. */
  readonly file: string;
  /** What is asked about: `reference`, `waybill`. */
  readonly subject: string;
  /** The field that holds the address. */
  readonly address: string;
};

/** What a step ends with, before it is timed. */
export type StepEnd = Pick<CheckStep, "result" | "found" | "advice"> & Partial<Pick<CheckStep, "asked">>;

export const passed = (found: string, advice: string | null = null): StepEnd => ({
  result: "passed",
  found,
  advice,
});
export const failed = (found: string, advice: string): StepEnd => ({ result: "failed", found, advice });
export const skipped = (found: string): StepEnd => ({ result: "skipped", found, advice: null });
