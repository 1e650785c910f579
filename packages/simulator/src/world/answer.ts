/** What a simulated API answers, whatever it was asked, and when it does not answer as it should. */

export type Answer = {
  /** 0: the request is kept and never answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Headers by their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** A time in which an API is down, does not answer, or asks for patience. */
export type Outage = {
  readonly kind: "failing" | "silent" | "throttled";
  readonly fromMs: number;
  readonly untilMs: number;
};

export function answerInOutage({ kind, untilMs }: Pick<Outage, "kind" | "untilMs">, atMs: number): Answer {
  if (kind === "silent") return { status: 0, headers: {}, body: "" };
  if (kind === "failing") return problem(503, "out of service", atMs);
  const seconds = Math.ceil((untilMs - atMs) / 1_000);
  const { headers, ...rest } = problem(429, "too many requests", atMs);
  return { ...rest, headers: { ...headers, "retry-after": String(seconds) } };
}

export function problem(status: number, message: string, atMs: number): Answer {
  return json(status, { errors: [{ reason: message, message }] }, atMs);
}

export function json(status: number, value: unknown, atMs: number): Answer {
  return text(status, JSON.stringify(value), "application/json", atMs);
}

/** `Date` is of this world's time, so that who asks can judge by it what has no year, or is an estimate. */
export function text(status: number, body: string, type: string, atMs: number): Answer {
  return { status, headers: { "content-type": type, date: new Date(atMs).toUTCString() }, body };
}
