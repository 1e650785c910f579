/** An event that is called for, as a line that says all that matters of it. */
import type { KnownCall } from "./known-call.ts";

/** What is called for at a moment; `call_state` is no event, but what the search shows of a call. */
export type TrueEvent = { readonly atMs: number; readonly type: string; readonly about: string };

export type TruthOptions = {
  readonly cutOffHours: readonly number[];
  readonly noticeMs: number;
  readonly windowDays: number;
  readonly callsMin: number;
  readonly dropPoints: number;
};

/** Whose call it is. */
export function callName({ carrier, call, facts }: KnownCall): string {
  return `${carrier.scac} ${call.service} ${facts.get("export")} ${call.port}`;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
