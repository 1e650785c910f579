/** What a pushed schedule is said to be complete about: the query of `POST /v1/schedules/{feed}`. */
import Type, { type Static } from "typebox";

import { readInstant } from "../../../model/instant.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";

export type ScopeResult =
  | { readonly ok: true; readonly complete: FeedUpdate["complete"] }
  /** `message` says what to change. */
  | { readonly ok: false; readonly message: string };

export const ScopeQuery = Type.Object({
  complete: Type.Optional(Type.Enum(["true", "false"])),
  service: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  port: Type.Optional(Type.String({ pattern: "^[A-Z]{2}[A-Z2-9]{3}$", description: "a UN/LOCODE" })),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
});

/** Nothing is complete unless the query says so, with its time. */
export function readScope(query: Static<typeof ScopeQuery>, carrier: string): ScopeResult {
  const { complete, service = null, port = null } = query;
  if (service !== null && port !== null) {
    return refused("either service or port: the schedule of a service is complete, or that of a port");
  }
  if (complete !== "true") return { ok: true, complete: null };
  const [fromMs, toMs] = [instantOf(query.from), instantOf(query.to)];
  if (fromMs === null || toMs === null) {
    return refused(
      "complete=true needs from and to, each an RFC 3339 date-time such as 2026-01-31T08:00:00Z",
    );
  }
  if (toMs <= fromMs) return refused("to must be later than from");
  return { ok: true, complete: { carrier, service, port, fromMs, toMs } };
}

function instantOf(written: string | undefined): number | null {
  return written === undefined ? null : readInstant(written);
}

function refused(message: string): ScopeResult {
  return { ok: false, message };
}
