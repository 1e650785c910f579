/** What is wrong with the credentials in an upstream's file that its schema cannot see, wherever in it they are. */
import { utcText } from "../../model/instant.ts";
import { isObject } from "../../model/json.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { expiryOf, readSigningKey } from "./signing-key.ts";
import type { OAuthSettings } from "./upstream-schema.ts";

/** The schema has been checked: an `oauth` is one. */
export function oauthProblems(value: unknown): readonly string[] {
  return credentialsIn(value).flatMap(([place, oauth]) =>
    problemsOf(oauth).map((problem) => place + problem),
  );
}

/** Certificates that expire sooner are named when the service starts. */
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** Certificates that have expired, or will soon. An expired one refuses its upstream alone, not the whole service. */
export function certificateWarnings(value: unknown, nowMs: number): readonly string[] {
  return credentialsIn(value).flatMap(([place, { assertion }]) => {
    const key = assertion === undefined ? null : readSigningKey(assertion);
    if (key?.kind !== "key") return [];
    const field = `${place}/assertion/certificateFile`;
    const expiry = expiryOf(key, nowMs);
    if (expiry === "not_yet_valid") return [`${field} is not valid before ${utcText(key.validFromMs)}`];
    if (expiry === "expired") return [`${field} expired at ${utcText(key.validToMs)}`];
    return expiryOf(key, nowMs + EXPIRES_SOON_MS) === null
      ? []
      : [`${field} expires at ${utcText(key.validToMs)}`];
  });
}

/** With their places, JSON Pointers. */
function credentialsIn(value: unknown, place = ""): readonly (readonly [string, OAuthSettings])[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => credentialsIn(one, `${place}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const here = `${place}/${name}`;
    return name === "oauth" && isObject(inside)
      ? [[here, inside as unknown as OAuthSettings] as const]
      : credentialsIn(inside, here);
  });
}

function problemsOf({ tokenUrl, clientSecret, assertion, clientAuthentication }: OAuthSettings): string[] {
  const problems = URL.canParse(tokenUrl) ? [] : ["/tokenUrl is no URL"];
  if ((clientSecret === undefined) === (assertion === undefined))
    problems.push(" must have either clientSecret or assertion");
  if (assertion === undefined) return problems;
  if (clientAuthentication !== undefined) problems.push("/clientAuthentication is for a clientSecret only");
  if (assertion.thumbprint !== undefined && assertion.certificateFile === undefined)
    problems.push("/assertion/thumbprint needs certificateFile");
  const key = readSigningKey(assertion);
  if (key.kind === "unusable") problems.push(`/assertion/${key.field} ${key.problem}`);
  return problems;
}
