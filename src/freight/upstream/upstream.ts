/**
 * Requests to one outside API, through breaker, quota and token:
 *
 *     request ─▶ breaker ─▶ quota ─▶ token ─▶ sent ─▶ answered
 *                 └─ open   └─ none    └─ refused  └─ 401: see `credentials.ts`
 *
 * Every answer goes back to the breaker, a 429 to the quota. Never rejects.
 */
import { sleep } from "../../runtime/sleep.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { createBreaker, type BreakerPermit } from "./breaker.ts";
import type { HttpAnswer, HttpBody, HttpOptions, HttpPort } from "./http.ts";
import { createCredentials, type CredentialSettings } from "./credentials.ts";
import { OAUTH_REASON } from "./oauth.ts";
import { createDividedQuota } from "./divided-quota.ts";
import type { QuotaSettings } from "./quota.ts";
import type { ShareQuota } from "./quota-share.ts";
import { mergeHeaders, readRetryAfter } from "./headers.ts";
import { createSignature, type SignatureSettings } from "./signature.ts";

export type UpstreamSettings = CredentialSettings & {
  readonly quota?: QuotaSettings | undefined;
  readonly signature?: SignatureSettings | undefined;
};

export type UpstreamPorts = {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** Without it, quotas are this process's own. */
  readonly shareQuota?: ShareQuota;
  /** Called with each answer, and with what was refused. */
  readonly onUpstreamAnswer?: OnUpstreamAnswer;
  /** Called with what of an answer could not be read. */
  readonly onUpstreamSkipped?: OnUpstreamSkipped;
};

export type UpstreamOptions = Omit<HttpOptions, "form" | "body"> & {
  /** How long a request may wait for its turn before it is refused. Default: a second. */
  readonly quotaWaitMsMax?: number;
  /** What it is about, for the operator: a reference, a service. No secret. */
  readonly subject?: string;
  /** It is about a reference that the upstream has never known. */
  readonly isUnresolved?: boolean;
  /** The account for which it is asked, should it have credentials of its own. */
  readonly account?: string;
};

export type UpstreamAnswer =
  | Extract<HttpAnswer, { kind: "answered" }>
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number | null }
  /** Nothing was sent. */
  | { readonly kind: "refused"; readonly reason: "quota" | "breaker_open"; readonly retryAfterMs: number }
  /** The token endpoint does not accept our credentials. */
  | { readonly kind: "not_permitted"; readonly status: number };

/** `subject`: what was asked about. */
export type OnUpstreamAnswer = (upstream: string, answer: UpstreamAnswer, subject: string | null) => void;

export type OnUpstreamSkipped = (
  upstream: string,
  subject: string | null,
  reasons: readonly string[],
) => void;

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
export function createUpstream(name: string, settings: UpstreamSettings, ports: UpstreamPorts): Upstream {
  const { ask, isBreakerOpen } = openUpstream(name, settings, ports);
  const reported = async (url: URL, options: UpstreamRequest): Promise<UpstreamAnswer> => {
    const answer = await ask(url, options);
    ports.onUpstreamAnswer?.(name, answer, options.subject ?? null);
    return answer;
  };
  return { get: reported, post: reported, isBreakerOpen };
}

function openUpstream(name: string, settings: UpstreamSettings, ports: UpstreamPorts) {
  const { http, clock, random, shareQuota } = ports;
  const breaker = createBreaker(clock, random);
  const quota = createDividedQuota(name, settings.quota ?? {}, clock, shareQuota);
  const sendAs = createCredentials<UpstreamAnswer>(settings, ports);
  const sign = settings.signature === undefined ? null : createSignature(settings.signature, ports);

  /** Waits for a turn; null when it has come. */
  async function awaitTurn(
    { quotaWaitMsMax = QUOTA_WAIT_MS_DEFAULT, isUnresolved = false }: UpstreamOptions,
    deadlineMs: number,
  ): Promise<UpstreamAnswer | null> {
    const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
    const turn = await quota.take(Math.min(quotaWaitMsMax, leftMs), isUnresolved);
    if (turn.kind === "refused") return { ...turn, reason: "quota" };
    if (turn.waitMs === 0) return null;
    await sleep(clock, turn.waitMs);
    const retryAfterMs = quota.drainedForMs();
    return retryAfterMs > 0 ? { kind: "refused", reason: "quota", retryAfterMs } : null;
  }

  function request(url: URL, options: UpstreamRequest, deadlineMs: number): Promise<UpstreamAnswer> {
    return sendAs(options.account, async ({ token, key }) => {
      const noTurn = await awaitTurn(options, deadlineMs);
      if (noTurn !== null) return noTurn;
      const timeoutMs = deadlineMs - clock.monotonicMs();
      if (timeoutMs <= 0) return { kind: "failed", reason: "timeout" };
      const shown = mergeHeaders(mergeHeaders(key, options.headers), token);
      const method = options.body === undefined ? "GET" : "POST";
      const headers = mergeHeaders(shown, sign?.({ method, url, body: options.body?.text ?? "" }));
      return http(url, { ...options, headers, timeoutMs });
    });
  }

  /** An account's own sign-in that fails is no outage: the upstream serves the others. */
  function isOwnFailure(answer: UpstreamAnswer, account: string | undefined): boolean {
    if (answer.kind !== "failed" || account === undefined) return false;
    return answer.reason.startsWith(OAUTH_REASON) && settings.accounts?.[account]?.oauth !== undefined;
  }

  function settle(
    passage: BreakerPermit & { kind: "granted" },
    answer: UpstreamAnswer,
    account: string | undefined,
  ): void {
    if (answer.kind === "refused" || isOwnFailure(answer, account)) return passage.report("not_sent");
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
      settle(passage, answer, options.account);
    }
    return answer;
  }

  return { ask, isBreakerOpen: breaker.isOpen };
}
