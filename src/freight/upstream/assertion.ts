/** A signed assertion, by which a client shows a token endpoint who it is (`private_key_jwt`, RFC 7523). */
import { createHash } from "node:crypto";

import { SignJWT } from "jose";

import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { expiryOf, readSigningKey } from "./signing-key.ts";
import type { AssertionSettings } from "./upstream-schema.ts";

export type AssertionPorts = { readonly clock: Clock; readonly random: Pick<Random, "fraction"> };

export type Assertion =
  | { readonly kind: "signed"; readonly form: Readonly<Record<string, string>> }
  /** A short stable code. */
  | { readonly kind: "unsigned"; readonly reason: string };

const LIFETIME_S_DEFAULT = 300;
/** What the endpoint's clock may be behind. */
const CLOCK_SKEW_S = 30;
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

let signed = 0;

export async function signAssertion(
  settings: AssertionSettings,
  { clientId, tokenUrl }: { readonly clientId: string; readonly tokenUrl: string },
  { clock, random }: AssertionPorts,
): Promise<Assertion> {
  const read = readSigningKey(settings);
  if (read.kind === "unusable") return { kind: "unsigned", reason: "key_unusable" };
  const nowMs = clock.nowMs();
  const expiry = expiryOf(read, nowMs);
  if (expiry !== null) return { kind: "unsigned", reason: `certificate_${expiry}` };
  const { key, algorithm, thumbprint } = read;
  const { keyId, audience = tokenUrl, lifetimeSeconds = LIFETIME_S_DEFAULT } = settings;
  const nowS = Math.floor(nowMs / 1000);
  signed += 1;
  // Never used twice, by no node (RFC 7523, 3); it need not be secret.
  const id = createHash("sha256").update(`${clientId} ${nowMs} ${random.fraction()} ${signed}`);
  const assertion = await new SignJWT({})
    .setProtectedHeader({
      alg: algorithm,
      typ: "JWT",
      ...(keyId === undefined ? {} : { kid: keyId }),
      ...thumbprint,
    })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(id.digest("base64url"))
    .setIssuedAt(nowS)
    .setNotBefore(nowS - CLOCK_SKEW_S)
    .setExpirationTime(nowS + lifetimeSeconds)
    .sign(key);
  return {
    kind: "signed",
    form: { client_id: clientId, client_assertion_type: TYPE, client_assertion: assertion },
  };
}
