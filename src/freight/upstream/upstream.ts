/**
 * Requests to one outside API, through breaker, quota and token:
 *
 *     request ─▶ breaker ─▶ quota ─▶ token ─▶ sent ─▶ answered
 *                 └─ open   └─ none    └─ refused  └─ 401: once more with a new token
 *
 * Every answer goes back to the breaker, a 429 to the quota. Never rejects.
 */
import { sleep } from "../../runtime/sleep.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { createBreaker, type BreakerPermit } from "./breaker.ts";
import type { HttpAnswer, HttpBody, HttpOptions, HttpPort } from "./http.ts";
import { createOAuth, type OAuthSettings } from "./oauth.ts";
import { createQuota, type QuotaSettings } from "./quota.ts";
import type { ShareQuota } from "./quota-share.ts";
import { readRetryAfter } from "./headers.ts";

export type UpstreamSettings = {
  readonly quota?: QuotaSettings | undefined;
  readonly oauth?: OAuthSettings | undefined;
};

export type UpstreamPorts = {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** Without it, quotas are this process's own. */
  readonly shareQuota?: ShareQuota;
};

export type UpstreamOptions = Omit<HttpOptions, "form" | "body"> & {
  /** How long a request may wait for its turn before it is refused. Default: a second. */
  readonly quotaWaitMsMax?: number;
};

export type UpstreamAnswer =
  | Extract<HttpAnswer, { kind: "answered" }>
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number | null }
  /** Nothing was sent. */
  | { readonly kind: "refused"; readonly reason: "quota" | "breaker_open"; readonly retryAfterMs: number }
  /** The token endpoint does not accept our credentials. */
  | { readonly kind: "not_permitted"; readonly status: number };

export type UpstreamGet = (url: URL, options: UpstreamOptions) => Promise<UpstreamAnswer>;

type UpstreamRequest = UpstreamOptions & { readonly body?: HttpBody };

export type Upstream = {
  readonly get: UpstreamGet;
  /** For safe requests only: where a token has to be renewed, the request is sent twice. */
  readonly post: (
    url: URL,
    options: UpstreamOptions & { readonly body: HttpBody },
  ) => Promise<UpstreamAnswer>;
  /** Whether the breaker is open. */
  isBreakerOpen(): boolean;
};

const QUOTA_WAIT_MS_DEFAULT = 1_000;
/** A 429 that does not say for how long. */
const DRAIN_MS_DEFAULT = 10_000;

/** `name` is the same on every node, and no other upstream's. */
export function createUpstream(
  name: string,
  { quota: limits, oauth }: UpstreamSettings,
  ports: UpstreamPorts,
): Upstream {
  const { http, clock, random, shareQuota } = ports;
  const breaker = createBreaker(clock, random);
  const quota = createQuota(limits ?? {}, clock, shareQuota?.(name));
  const tokens = oauth === undefined ? null : createOAuth(oauth, http, clock);

  /** Waits for a turn; null when it has come. */
  async function awaitTurn(waitMsMax: number, deadlineMs: number): Promise<UpstreamAnswer | null> {
    const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
    const turn = await quota.take(Math.min(waitMsMax, leftMs));
    if (turn.kind === "refused") return { ...turn, reason: "quota" };
    if (turn.waitMs === 0) return null;
    await sleep(clock, turn.waitMs);
    const retryAfterMs = quota.drainedForMs();
    return retryAfterMs > 0 ? { kind: "refused", reason: "quota", retryAfterMs } : null;
  }

  async function request(url: URL, options: UpstreamRequest, deadlineMs: number): Promise<UpstreamAnswer> {
    const { quotaWaitMsMax = QUOTA_WAIT_MS_DEFAULT } = options;
    const send = async (token: string | null): Promise<UpstreamAnswer> => {
      const noTurn = await awaitTurn(quotaWaitMsMax, deadlineMs);
      if (noTurn !== null) return noTurn;
      const timeoutMs = deadlineMs - clock.monotonicMs();
      if (timeoutMs <= 0) return { kind: "failed", reason: "timeout" };
      const headers =
        token === null ? options.headers : { ...options.headers, authorization: `Bearer ${token}` };
      return http(url, { ...options, headers, timeoutMs });
    };
    if (tokens === null) return send(null);
    const token = await tokens.token();
    if (token.kind !== "token") return token;
    const answer = await send(token.value);
    if (answer.kind !== "answered" || answer.status !== 401) return answer;
    const renewed = await tokens.renew(token.value);
    if (renewed.kind !== "token") return renewed;
    return renewed.value === token.value ? answer : send(renewed.value);
  }

  function settle(passage: BreakerPermit & { kind: "granted" }, answer: UpstreamAnswer): void {
    if (answer.kind === "refused") return passage.report("not_sent");
    if (answer.kind === "not_permitted") return passage.report("answered");
    if (answer.kind === "failed") {
      // What is too large for us is no outage.
      return passage.report(answer.reason === "too_large" ? "answered" : "fault", answer.retryAfterMs);
    }
    const retryAfterMs = readRetryAfter(answer.header("retry-after"), clock.nowMs());
    if (answer.status === 429) quota.drain(retryAfterMs ?? DRAIN_MS_DEFAULT);
    passage.report(answer.status >= 500 ? "fault" : "answered", retryAfterMs);
  }

  async function ask(url: URL, options: UpstreamRequest): Promise<UpstreamAnswer> {
    const passage = breaker.acquire();
    if (passage.kind === "refused") return { ...passage, reason: "breaker_open" };
    let answer: UpstreamAnswer = { kind: "failed", reason: "connection" };
    try {
      answer = await request(url, options, clock.monotonicMs() + options.timeoutMs);
    } finally {
      settle(passage, answer);
    }
    return answer;
  }

  return { get: ask, post: ask, isBreakerOpen: breaker.isOpen };
}
