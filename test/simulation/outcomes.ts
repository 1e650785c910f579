/** What attempts come to, compared with what their receivers did. */
import { type Fault, seconds } from "./observed.ts";

/** An attempt (spec 8) as its node reports it, and each time its request has arrived. */
export type EndedAttempt = {
  readonly url: string;
  readonly node: string;
  readonly atMs: number;
  readonly endedMs: number;
  /** `unsent`: it does not count. `status`: of an answer, however it ended. */
  readonly outcome:
    | { readonly kind: "answered"; readonly status: number }
    | { readonly kind: "failed"; readonly code: string; readonly status: number | null }
    | { readonly kind: "unsent"; readonly code: string };
  readonly receipts: readonly Receipt[];
};

/** `begun`: the status of an answer whose end may not have left. `status`: set once all of it has, at `answeredMs`. */
export type Receipt = {
  readonly begun: number | null;
  readonly status: number | null;
  readonly answeredMs: number;
};

export type Circumstances = {
  /** The most that an attempt may take. */
  readonly attemptMs: number;
  readonly faults: readonly Fault[];
  /** Name servers said nothing. */
  readonly silences: readonly Fault[];
  /** Its host has taken connections since long before, and its name been the same. */
  readonly isSteady: boolean;
};

/** What an attempt may take longer, and how long before its end an answer surely arrives. */
const SLACK_MS = 500;

/** What is wrong with how an attempt ended. */
export function wrongOfOutcome(
  { url, node, atMs, endedMs, outcome, receipts }: EndedAttempt,
  { attemptMs, faults, silences, isSteady }: Circumstances,
): readonly string[] {
  const how = outcome.kind === "answered" ? outcome.status : outcome.code;
  const what = `an attempt to ${url} from ${seconds(atMs)} to ${seconds(endedMs)} ended with ${how}`;
  const last = receipts.at(-1);
  // Once more, where a connection that had been idle closed without a byte.
  if (receipts.length > 2 || receipts.slice(0, -1).some(({ begun }) => begun !== null))
    return [`${what}, and arrived ${receipts.length} times`];
  if (outcome.kind === "answered" && last?.status !== outcome.status)
    return [`${what}, and its receiver answered ${last?.status ?? "nothing"}`];
  if (outcome.kind === "failed" && outcome.status !== null && last?.begun !== outcome.status)
    return [`${what} and ${outcome.status}, which its receiver did not answer`];
  if (faults.some((one) => one.node === node && one.untilMs >= atMs)) return [];
  if (endedMs - atMs > attemptMs + SLACK_MS) return [`${what}, and took too long`];
  const isSilent = silences.some(({ untilMs }) => untilMs >= atMs);
  if (outcome.kind === "unsent") return isSilent ? [] : [`${what}, and could not be made`];
  if (outcome.kind === "answered") return [];
  if (isSilent && outcome.code === "name_servers_unreachable")
    return [`${what}, though that is no fault of its receiver`];
  if (receipts.length === 0 && isSteady && !isSilent) return [`${what}, and nothing arrived at its receiver`];
  return typeof last?.status === "number" && last.answeredMs < atMs + attemptMs - SLACK_MS
    ? [`${what}, and its receiver answered ${last.status}`]
    : [];
}
