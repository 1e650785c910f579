/**
 * Checks a delivery's signature in the page, and says why it does not fit: it tries the usual mistakes with the body and
 * the secret, as the receiver's `diagnose` does. Nothing leaves the page.
 */

export type Pasted = {
  /** One a line, as `name: value`; the signature alone will do. */
  readonly headers: string;
  readonly body: string;
  readonly secret: string;
};

export type Verdict = {
  readonly isGood: boolean;
  /** The likeliest first. */
  readonly findings: readonly string[];
};

export const SECRET = /^whsec_[A-Za-z0-9_-]{64}$/;
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** Later than any retry, and than the longest wait for an endpoint that is off. */
const LATE_MS = 81 * 3_600_000;
const CLOCK_MS_MAX = 5 * 60_000;

export async function checkSignature(pasted: Pasted, nowMs: number): Promise<Verdict> {
  const headers = headersIn(pasted.headers);
  const given = headers.signature.trim();
  if (given === "") return bad("There is no signature header among the headers: X-…-Signature: sha256=…");
  if (pasted.secret.trim() === "") return bad("The secret is missing: whsec_…, as shown at registration.");
  if (pasted.body === "") return bad("The body is empty. Did a body parser read it before you?");
  const problem = formProblem(given);
  const signature = `sha256=${given.replace(/^sha256=/i, "").toLowerCase()}`;
  for (const secret of [{ value: pasted.secret, hint: "" }, ...secretsLike(pasted.secret)])
    for (const body of [{ value: pasted.body, hint: "" }, ...bodiesLike(pasted.body)]) {
      if (`sha256=${await hmac(secret.value, body.value)}` !== signature) continue;
      const hints = [problem, body.hint, secret.hint].filter((hint) => hint !== "");
      if (hints.length > 0) return bad(...hints);
      return withContents(headers, pasted.body, nowMs);
    }
  return bad(...(problem === "" ? [] : [problem]), ...likely(pasted, headers));
}

type Found = { readonly signature: string; readonly event: string; readonly delivery: string };

/** In any case, and as `curl -v`, a log or JSON writes them. */
function headersIn(text: string): Found {
  const alone = text.trim();
  const find = (part: string): string =>
    new RegExp(`x-[a-z0-9-]{1,40}-${part}["']?\\s{0,9}[:=]\\s{0,9}["']?([^"'\\r\\n]{1,400})`, "i").exec(
      text,
    )?.[1] ?? "";
  return {
    signature: /^(?:sha256=)?[0-9a-f]{64}$/i.test(alone) ? alone : find("signature"),
    event: find("event").trim(),
    delivery: find("delivery").trim(),
  };
}

function formProblem(given: string): string {
  if (SIGNATURE.test(given)) return "";
  if (given.includes(",")) return "The signature header came more than once. Does a proxy add it again?";
  if (!given.startsWith("sha256=")) return 'The signature lacks its literal prefix "sha256=".';
  if (given !== given.toLowerCase()) return "The signature is in upper case; it is sent in lower case.";
  return "The signature is not sha256= and 64 hex digits: is it cut short?";
}

/** The signature fits; what the headers and the clock say beside it. */
function withContents({ event, delivery }: Found, body: string, nowMs: number): Verdict {
  const { id, type, occurred_at: occurredAt } = parsed(body) ?? {};
  const wrong = [
    ...(delivery !== "" && delivery !== id
      ? ["The delivery header has another id than the body: the headers are of another delivery."]
      : []),
    ...(event !== "" && event !== type ? ["The event header has another type than the body."] : []),
  ];
  if (wrong.length > 0) return bad(...wrong);
  const ageMs = nowMs - Date.parse(String(occurredAt));
  const late = [
    ...(ageMs < -CLOCK_MS_MAX
      ? [`By this device's clock the event is ${spanOf(-ageMs)} in the future: the clock is wrong.`]
      : []),
    ...(ageMs > LATE_MS
      ? [
          `The event is ${spanOf(ageMs)} old, by this device's clock: no retry comes so late. A delivery that arrives now is a replay, or the clock is wrong. Deduplicate on its id.`,
        ]
      : []),
  ];
  return { isGood: true, findings: late };
}

/** No mistake that is known explains it: the body was changed, or the secret is another. */
function likely({ body, secret }: Pasted, { delivery }: Found): readonly string[] {
  const bare = withoutQuotes(secret.trim());
  if (!SECRET.test(bare))
    return [
      `The secret has ${bare.length} characters and should have 70: "whsec_" and 64 letters, digits, "-" or "_". Is it cut short, or an API key?`,
    ];
  const value = parsed(body);
  const changed = "The body was changed in transit: what is pasted is not what was sent, byte for byte.";
  if (value === null) return [`${changed} It is not even JSON.`];
  if (delivery !== "" && value.id !== delivery)
    return ["The body is of another delivery than the headers: its id is not that of the delivery header."];
  const other =
    "The secret is another endpoint's, or an older one's: each endpoint has its own, shown once at registration. If you lost it, register the endpoint again.";
  return JSON.stringify(value) === body ? [other, `Or: ${changed}`] : [changed, `Or: ${other}`];
}

type Candidate = { readonly value: string; readonly hint: string };

function bodiesLike(body: string): readonly Candidate[] {
  const keep = "Keep the body byte for byte.";
  return [
    {
      value: body.trimEnd(),
      hint: `The body has a line end or space behind it: echo and editors add one. ${keep}`,
    },
    { value: body.replace(/^\ufeff/, ""), hint: `The body begins with a byte order mark. ${keep}` },
    { value: body.replaceAll("\r\n", "\n"), hint: `The line ends of the body were changed. ${keep}` },
    {
      value: reserialised(body),
      hint: "The body was parsed and written again: its spacing, escapes or order of keys differ from what was signed. Verify the raw bytes, before a JSON parser reads them.",
    },
    { value: fromBase64(body), hint: "The body is in base64, as some gateways pass it on. Decode it first." },
  ].filter(({ value }) => value !== "" && value !== body);
}

function secretsLike(secret: string): readonly Candidate[] {
  const bare = withoutQuotes(secret.trim());
  return [
    { value: bare, hint: "The secret has spaces or quotes around it. Take them away." },
    {
      value: `whsec_${bare}`,
      hint: 'The secret lacks its beginning. Use all of it, "whsec_" included.',
    },
  ].filter(({ value }) => value !== secret);
}

function withoutQuotes(text: string): string {
  const first = text.charAt(0);
  const isQuoted = text.length > 1 && `"'`.includes(first) && text.endsWith(first);
  return isQuoted ? text.slice(1, -1) : text;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** As it is sent: compact, the four keys in order. */
function reserialised(text: string): string {
  const value = parsed(text);
  if (value === null) return "";
  const { id, type, occurred_at, data } = value;
  return JSON.stringify({ id, type, occurred_at, data });
}

function fromBase64(text: string): string {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(trimmed)) return "";
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(trimmed), (one) => one.charCodeAt(0)));
  } catch {
    return "";
  }
}

async function hmac(secret: string, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, bytes.encode(body));
  return Array.from(new Uint8Array(signed), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function spanOf(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 1
    ? `${Math.round(hours * 60)} minutes`
    : hours < 48
      ? `${Math.round(hours)} hours`
      : `${Math.round(hours / 24)} days`;
}

function bad(...findings: readonly string[]): Verdict {
  return { isGood: false, findings };
}
