/**
 * Requests to one outside API, through breaker, quota and token:
 *
 *     request ─▶ breaker ─▶ quota ─▶ token ─▶ sent ─▶ answered
 *                 └─ open   └─ none    └─ refused  └─ 401: see `credentials.ts`
 *
 * Every answer goes back to the breaker, a 429 to the quota: the upstream's, or that of an account's own credentials
 * (`account-quotas.ts`). Never rejects.
 */
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { sleep } from "../../runtime/sleep.ts";
import { ownQuotas, type SignInSettings } from "./account-quotas.ts";
import { createBreaker, type BreakerPermit } from "./breaker.ts";
import { createCredentials, type CredentialSettings } from "./credentials.ts";
import { mergeHeaders, readRetryAfter } from "./headers.ts";
import type { HttpAnswer, HttpBody, HttpOptions, HttpPort } from "./http.ts";
import { OAUTH_REASON } from "./oauth.ts";
import type { ShareQuota } from "./quota-share.ts";
import { createQuota, type Quota, type QuotaGrant } from "./quota.ts";
import { createSignature, type SignatureSettings } from "./signature.ts";
import type { QuotaSettings } from "./upstream-schema.ts";

export type UpstreamSettings = Pick<SignInSettings, "headers" | "parameters"> &
  CredentialSettings & {
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
  | {
      readonly kind: "refused";
      readonly reason: "quota" | "breaker_open";
      readonly retryAfterMs: number;
      /** The quota of an account's own credentials: the upstream serves the others. */
      readonly isAccounts?: boolean;
    }
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

/**
 * `name` is the same on every node, and no other upstream's. `quotaOf`: the quotas, where upstreams share them.
 */
export function createUpstream(
  name: string,
  settings: UpstreamSettings,
  ports: UpstreamPorts,
  quotaOf: QuotaOf = createQuotas(name, settings, ports),
): Upstream {
  const { ask, isBreakerOpen } = openUpstream(settings, ports, quotaOf);
  const reported = async (url: URL, options: UpstreamRequest): Promise<UpstreamAnswer> => {
    const answer = await ask(url, options);
    ports.onUpstreamAnswer?.(name, answer, options.subject ?? null);
    return answer;
  };
  return { get: reported, post: reported, isBreakerOpen };
}

function openUpstream(settings: UpstreamSettings, ports: UpstreamPorts, quotaOf: QuotaOf) {
  const { http, clock, random } = ports;
  const breaker = createBreaker(clock, random);
  const sendAs = createCredentials<UpstreamAnswer>(settings, ports);
  const sign = settings.signature === undefined ? null : createSignature(settings.signature, ports);

  /** Waits for a turn; null when it has come. */
  async function awaitTurn(
    { quotaWaitMsMax = QUOTA_WAIT_MS_DEFAULT, isUnresolved = false, account }: UpstreamOptions,
    deadlineMs: number,
  ): Promise<UpstreamAnswer | null> {
    const { quota, isAccounts } = quotaOf(account);
    const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
    const turn = await quota.take(Math.min(quotaWaitMsMax, leftMs), isUnresolved);
    if (turn.kind === "refused") return { ...turn, reason: "quota", isAccounts };
    if (turn.waitMs === 0) return null;
    await sleep(clock, turn.waitMs);
    const retryAfterMs = quota.drainedForMs();
    return retryAfterMs > 0 ? { kind: "refused", reason: "quota", retryAfterMs, isAccounts } : null;
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

  function settle(
    passage: BreakerPermit & { kind: "granted" },
    answer: UpstreamAnswer,
    account: string | undefined,
  ): void {
    if (answer.kind === "refused" || isOwnFailure(settings, answer, account))
      return passage.report("not_sent");
    if (answer.kind === "not_permitted") return passage.report("answered");
    if (answer.kind === "failed") {
      // What is too large for us is no outage.
      return passage.report(answer.reason === "too_large" ? "answered" : "fault", answer.retryAfterMs);
    }
    const retryAfterMs = readRetryAfter(answer.header("retry-after"), clock.nowMs());
    if (answer.status === 429) quotaOf(account).quota.drain(retryAfterMs ?? DRAIN_MS_DEFAULT);
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

/** The quota of an account's requests. `isAccounts`: it is that of credentials of its own. */
export type QuotaOf = (account: string | undefined) => {
  readonly quota: DividedQuota;
  readonly isAccounts: boolean;
};

/** The upstream's quota, and one for the own credentials of each account that has some: made when it first asks. */
export function createQuotas(
  name: string,
  settings: UpstreamSettings,
  { clock, shareQuota }: Pick<UpstreamPorts, "clock" | "shareQuota">,
): QuotaOf {
  const own = ownQuotas(settings);
  const created = new Map<string, DividedQuota>();
  return (account) => {
    const first = account === undefined ? undefined : own.get(account);
    const named = first === undefined ? name : `${name} account ${first}`;
    const create = () => createDividedQuota(named, settings.quota ?? {}, clock, shareQuota);
    return { quota: created.getOrInsertComputed(named, create), isAccounts: first !== undefined };
  };
}

/** An account's own sign-in that fails is no outage: the upstream serves the others. */
function isOwnFailure(
  { accounts }: UpstreamSettings,
  answer: UpstreamAnswer,
  account: string | undefined,
): boolean {
  if (answer.kind !== "failed" || account === undefined) return false;
  return answer.reason.startsWith(OAUTH_REASON) && accounts?.[account]?.oauth !== undefined;
}

type DividedQuota = Omit<Quota, "take"> & {
  /** As `Quota` does; of a refused turn of the whole, that of the part is lost. */
  take(waitMsMax: number, isUnresolved: boolean): Promise<QuotaGrant>;
};

/** Of a day's requests. */
const UNRESOLVED_SHARE = 1 / 2;

/**
 * References that an upstream has never known may use a part of its quota a day, so that guessed ones never take the
 * turns of those it knows:
 *
 *     unresolved ─▶ a turn of the part ─▶ a turn of the whole
 *     others ───────────────────────────▶ a turn of the whole
 */
function createDividedQuota(
  name: string,
  limits: QuotaSettings,
  clock: Clock,
  shareQuota?: ShareQuota,
): DividedQuota {
  const { perDay } = limits;
  const whole = createQuota(limits, clock, shareQuota?.(name));
  const part =
    perDay === undefined
      ? null
      : createQuota({ perDay: perDay * UNRESOLVED_SHARE }, clock, shareQuota?.(`${name} unresolved`));
  return {
    ...whole,
    async take(waitMsMax, isUnresolved) {
      // The part first: where it is used up, no turn of the whole is lost.
      const grant = isUnresolved ? await part?.take(waitMsMax) : undefined;
      if (grant?.kind === "refused") return grant;
      if (grant !== undefined && grant.waitMs > 0) await sleep(clock, grant.waitMs);
      return whole.take(waitMsMax);
    },
  };
}
