/**
 * Requests signed by HMAC over named parts of each, as an entry describes it: a text of the parts, and the headers that
 * carry them and the signature. Gateways differ in these alone.
 *
 *     method, target, date, nonce, digest ─▶ text ─▶ signature ─▶ headers
 */
import { createHash, createHmac } from "node:crypto";

import { Type, type Static } from "typebox";

import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { HeadersSchema } from "./upstream-schema.ts";

const ALGORITHMS = {
  "hmac-sha1": "sha1",
  "hmac-sha256": "sha256",
  "hmac-sha384": "sha384",
  "hmac-sha512": "sha512",
} as const;

export const SignatureSchema = Type.Object(
  {
    algorithm: Type.Union([
      Type.Literal("hmac-sha1"),
      Type.Literal("hmac-sha256"),
      Type.Literal("hmac-sha384"),
      Type.Literal("hmac-sha512"),
    ]),
    secret: Type.String({ minLength: 1, maxLength: 4096 }),
    text: Type.String({ minLength: 1, maxLength: 2_000, description: "What is signed." }),
    headers: HeadersSchema,
  },
  {
    additionalProperties: false,
    description:
      "Signs each request. Both texts may have {method}, {target}, {date}, {nonce} and {digest}, headers {signature} too.",
  },
);

export type SignatureSettings = Static<typeof SignatureSchema>;

export type SignedRequest = { readonly method: "GET" | "POST"; readonly url: URL; readonly body: string };

export type Sign = (request: SignedRequest) => Readonly<Record<string, string>>;

/** The headers of one request; each has a time and a nonce of its own. */
export function createSignature(
  { algorithm, secret, text, headers }: SignatureSettings,
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, "fraction"> },
): Sign {
  let count = 0;
  return ({ method, url, body }) => {
    count += 1;
    const parts = new Map([
      ["{method}", method],
      // As it is sent.
      ["{target}", url.pathname + url.search],
      ["{date}", new Date(clock.nowMs()).toUTCString()],
      ["{nonce}", nonceOf(`${clock.nowMs()} ${count} ${random.fraction()}`)],
      ["{digest}", createHash("sha256").update(body).digest("base64")],
    ]);
    const signature = createHmac(ALGORITHMS[algorithm], secret)
      .update(filledIn(text, parts))
      .digest("base64");
    parts.set("{signature}", signature);
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filledIn(value, parts)]),
    );
  };
}

/** No other request of any node has it: 32 hexadecimal digits. */
function nonceOf(seed: string): string {
  return createHash("sha256").update(seed).digest("hex").slice(0, 32);
}

/** In one go: what a part holds is no placeholder. */
function filledIn(template: string, parts: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{[a-z]+\}/g, (placeholder) => parts.get(placeholder) ?? placeholder);
}

/** `place` is a JSON Pointer. */
export function signatureProblems(settings: SignatureSettings | undefined, place: string): readonly string[] {
  if (settings === undefined) return [];
  const { text, headers } = settings;
  const values = Object.values(headers);
  return [
    ...(/\{(?:date|nonce)\}/.test(text)
      ? []
      : [`${place}/signature/text has neither {date} nor {nonce}, and so stays the same`]),
    ...([text, ...values].some(hasOtherPlaceholder)
      ? [
          `${place}/signature may have no placeholder but {method}, {target}, {date}, {nonce}, {digest} and, in headers, {signature}`,
        ]
      : []),
    ...(text.includes("{signature}") ? [`${place}/signature/text cannot hold {signature}`] : []),
    ...(values.some((value) => value.includes("{signature}"))
      ? []
      : [`${place}/signature/headers have no {signature}`]),
  ];
}

function hasOtherPlaceholder(template: string): boolean {
  return /[{}]/.test(template.replaceAll(/\{(?:method|target|date|nonce|digest|signature)\}/g, ""));
}
