import { readRetryAfter } from "./headers.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** Why an upstream gave no answer: an expected outcome. */
export type NoAnswer =
  /** It does not know the reference. */
  | { readonly kind: "not_found" }
  /** It refuses our credentials. `status` is the API's, or the token endpoint's. */
  | { readonly kind: "not_permitted"; readonly status: number }
  | {
      readonly kind: "unavailable";
      /** A short stable code: `http_503`, `timeout` … `quota` and `breaker_open` mean that nothing was asked. */
      readonly reason: string;
      /** How long to wait: as the upstream asks, or until the quota or the breaker lets the next one pass. */
      readonly retryAfterMs: number | null;
    };

/** Statuses of an upstream that cannot read the reference, and so does not have it. */
export const NOT_KNOWN: ReadonlySet<number> = new Set([400, 404, 422]);

/** Null: it answered with 200 or 204. */
export function noAnswerOf(answer: UpstreamAnswer, nowMs: number): NoAnswer | null {
  if (answer.kind === "not_permitted") return answer;
  if (answer.kind !== "answered") return unavailable(answer.reason, answer.retryAfterMs);
  const { status } = answer;
  if (status === 200 || status === 204) return null;
  if (status === 401 || status === 403) return { kind: "not_permitted", status };
  if (NOT_KNOWN.has(status)) return { kind: "not_found" };
  return unavailable(`http_${status}`, readRetryAfter(answer.header("retry-after"), nowMs));
}

export function unavailable(
  reason: string,
  retryAfterMs: number | null = null,
): Extract<NoAnswer, { kind: "unavailable" }> {
  return { kind: "unavailable", reason, retryAfterMs };
}

/** From most to least certain: of several sources that gave none, one that is down may know more. */
const SEVERITY: readonly string[] = ["not_found", "lacking", "not_permitted", "unavailable"];

export function worse<Answer extends { readonly kind: string }>(one: Answer, other: Answer): Answer {
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
