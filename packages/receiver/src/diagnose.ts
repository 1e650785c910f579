import { signatureValues, type HeadersInput } from "./headers.ts";
import { bytesOf, isSignedWith, secretsOf, verify, type RawBody, type Secret } from "./verify.ts";

/**
 * Explains why a delivery does not verify: it tries the usual mistakes with the body and the secret. It does
 * not make `verify` accept more. Write the hints to a log or a terminal, never into the answer.
 *
 * @returns sentences, the likeliest first; none when the delivery verifies
 */
export function diagnose(rawBody: RawBody, headers: HeadersInput, secret: Secret): string[] {
  const verified = verify(rawBody, headers, secret, { bodyBytesMax: DIAGNOSED_BYTES_MAX });
  if (verified.ok) return [];
  if (verified.reason === "malformed_signature") return signatureHints(bytesOf(rawBody), headers, secret);
  if (verified.reason !== "wrong_signature") return [`${capitalised(verified.message)}.`];
  const signature = signatureValues(headers).find((value) => value !== "") ?? "";
  return mismatchHints(bytesOf(rawBody), signature, secretsOf(secret));
}

/** The largest body diagnosed, in bytes: each secret costs about ten HMACs of it. */
export const DIAGNOSED_BYTES_MAX = 1024 * 1024;

/** A body or key that may have been signed with, and the mistake it proves. */
type Candidate<Value> = { readonly value: Value; readonly hint: string | null };

function mismatchHints(body: Uint8Array, signature: string, secrets: readonly string[]): string[] {
  const bodies: Candidate<Uint8Array>[] = [{ value: body, hint: null }, ...bodyCandidates(body)];
  for (const secret of secrets) {
    const keys: Candidate<string | Uint8Array>[] = [
      { value: secret, hint: null },
      ...secretCandidates(secret),
    ];
    for (const key of keys) {
      for (const tried of bodies) {
        if (!isSignedWith(tried.value, signature, key.value)) continue;
        return [tried.hint, key.hint].filter((hint) => hint !== null);
      }
    }
  }
  const hints = secrets.flatMap(secretFormHints);
  if (body.byteLength === 0) hints.unshift("The body is empty: did a body parser read it first?");
  return [
    ...hints,
    "No usual mistake explains it. Either the secret is another endpoint's (each endpoint has its own, shown once " +
      "at registration; if you lost it, delete the endpoint and register it again), or the body was changed in transit.",
  ];
}

function bodyCandidates(body: Uint8Array): Candidate<Uint8Array>[] {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const attempts: [string | Uint8Array | null, string][] = [
    [
      text.trimEnd(),
      "The body has an extra newline at its end: `echo` and editors add one. Keep the body byte for byte.",
    ],
    [
      text.replace(/^\ufeff/, ""),
      "The body starts with an extra byte order mark. Keep the body byte for byte.",
    ],
    [text.replaceAll("\r\n", "\n"), "The body's line endings were changed. Keep the body byte for byte."],
    [
      reserialised(text),
      "The body was parsed and serialised again: its spacing, escapes or key order differ from what was signed. " +
        "Verify the raw bytes before any JSON parser reads them.",
    ],
    [
      fromBase64(text),
      "The body is base64, as some gateways pass it on (`isBase64Encoded`). Decode it before you verify it.",
    ],
    [
      fromLatin1(text),
      "The body was read as Latin-1 and written as UTF-8. Read it as bytes, or as UTF-8 throughout.",
    ],
  ];
  return attempts
    .filter(([value]) => value !== null && value !== text)
    .map(([value, hint]) => ({ value: bytesOf(value ?? ""), hint }));
}

/** As the sender writes it: compact, the four keys in order, no needless escapes. */
function reserialised(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return null;
    const { id, type, occurred_at, data } = parsed as Record<string, unknown>;
    return JSON.stringify({ id, type, occurred_at, data });
  } catch {
    return null;
  }
}

function fromBase64(text: string): Uint8Array | null {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(trimmed)) return null;
  try {
    return Uint8Array.from(atob(trimmed), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function fromLatin1(text: string): Uint8Array | null {
  // eslint-disable-next-line no-control-regex -- all of Latin-1
  if (!/^[\u0000-\u00ff]*$/.test(text)) return null;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function withoutQuotes(text: string): string {
  const [first = ""] = text;
  return text.length > 1 && `"'`.includes(first) && text.endsWith(first) ? text.slice(1, -1) : text;
}

function secretCandidates(secret: string): Candidate<string | Uint8Array>[] {
  const candidates: Candidate<string | Uint8Array>[] = [];
  const bare = withoutQuotes(secret.trim());
  if (bare !== secret) {
    candidates.push({ value: bare, hint: "The secret has white space or quotes around it. Remove them." });
  }
  if (!bare.startsWith(SECRET_PREFIX)) {
    candidates.push({
      value: SECRET_PREFIX + bare,
      hint: `The secret lacks its prefix. Use all of it, "${SECRET_PREFIX}" included, as shown at registration.`,
    });
  }
  if (/^[0-9a-f]{64}$/i.test(bare)) {
    candidates.push({
      value: Uint8Array.from(bare.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
      hint: "This is the secret's SHA-256, not the secret. Use the secret as shown at registration.",
    });
  }
  return candidates;
}

const SECRET_PREFIX = "whsec_";
const SECRET_FORM = /^whsec_[A-Za-z0-9_-]{64}$/;

function secretFormHints(secret: string): string[] {
  if (SECRET_FORM.test(secret.trim())) return [];
  const length = secret.trim().length;
  return [
    `The secret is ${length} characters long and should be 70: "${SECRET_PREFIX}" and 64 letters, digits, "-" or "_". ` +
      "Is it cut short, or is it an API key?",
  ];
}

/** The header is malformed: says how, and whether its digest would match. */
function signatureHints(body: Uint8Array, headers: HeadersInput, secret: Secret): string[] {
  const given = (signatureValues(headers)[0] ?? "").trim();
  const repaired = `sha256=${given.replace(/^sha256=/i, "").toLowerCase()}`;
  const fits = secretsOf(secret).some((one) => isSignedWith(body, repaired, one));
  const hints: string[] = [];
  if (given.includes(",")) hints.push("The signature header came more than once. Does a proxy add it again?");
  else if (!given.startsWith("sha256="))
    hints.push('The signature header lacks its literal prefix "sha256=".');
  else if (given !== given.toLowerCase())
    hints.push("The signature is in upper case; the sender uses lower case.");
  else hints.push("The signature header is not sha256= and 64 hex digits: is it cut short?");
  if (fits)
    hints.push("The digest itself matches the body and the secret: the header was changed in transit.");
  return hints;
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
