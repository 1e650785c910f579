/**
 * Parses an endpoint's URL and decides whether it can ever be delivered to (spec 4.1: register_url). Pure. Runs at
 * registration and again at every attempt, since a row may be older than a rule.
 *
 * It checks the text before `new URL` parses it: the URL standard repairs input (drops tabs, reads a backslash
 * as a slash), so other software may read another target in the same text.
 */
import { isIP } from "node:net";
import { domainToUnicode } from "node:url";

import { addressPolicy, checkAddress, type AddressPolicy } from "./address.ts";
import { isLocalhost, localNameReason } from "./local-names.ts";
import { blockedPortReason } from "./blocked-ports.ts";

/** The longest URL of an endpoint, in UTF-16 code units. */
export const URL_LENGTH_MAX = 2048;

/** RFC 1035 2.3.4, octets. */
const NAME_LENGTH_MAX = 253;
const LABEL_LENGTH_MAX = 63;

const PORT_MAX = 65_535;

/** The parsed target of deliveries. */
export type TargetUrl = {
  readonly url: URL;
  /**
   * `https://host[:port]`, the host without a trailing dot: one connection pool, one TLS session, one
   * limit.
   */
  readonly origin: string;
  /** A name, or an address without brackets; in lower case, no trailing dot. */
  readonly hostname: string;
  readonly port: number;
  /** Path and query as they are sent. */
  readonly path: string;
  /** True when `hostname` is an address: no DNS query, no server name in the handshake. */
  readonly isAddress: boolean;
  /** Why no delivery goes to this name, although it may be registered; or null. */
  readonly localName: string | null;
};

export type TargetUrlVerdict =
  | ({ readonly ok: true } & TargetUrl)
  | { readonly ok: false; readonly reason: string; readonly blocked: boolean };

export function checkTargetUrl(text: string, policy: AddressPolicy): TargetUrlVerdict {
  const malformed = malformedReason(text);
  if (malformed !== null) return invalid(malformed);
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:") return invalid("it is no valid URL");

  const host = url.hostname.replace(/^\[(.*)\]$/u, "$1").replace(/\.$/u, "");
  const isAddress = isIP(host) !== 0;
  const wrongName = isAddress ? null : wrongNameReason(host);
  if (wrongName !== null) return invalid(wrongName);

  if (isAddress) {
    const verdict = checkAddress(host, policy);
    if (!verdict.allowed) return blocked(verdict.reason);
  } else if (host === "localhost" && policy.allowedRanges === null) {
    return blocked("localhost is this machine");
  }
  const port = url.port === "" ? 443 : Number(url.port);
  const wrongPort = blockedPortReason(port);
  if (wrongPort !== null && (port === 0 || !opensAnyPort(host, isAddress, policy))) return blocked(wrongPort);

  return {
    ok: true,
    url,
    origin: `https://${isIP(host) === 6 ? `[${host}]` : host}${url.port === "" ? "" : `:${url.port}`}`,
    hostname: host,
    port,
    path: url.pathname + url.search,
    isAddress,
    localName: isAddress || policy.allowedRanges !== null ? null : localNameReason(host),
  };
}

/** What is wrong with the text as sent, or null. */
function malformedReason(text: string): string | null {
  if (text.length > URL_LENGTH_MAX) return `it is longer than ${URL_LENGTH_MAX} characters`;
  if (!/^https:\/\/[^/\\?#]/iu.test(text)) return "it must start with https:// and a host";
  if (/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(text) || !text.isWellFormed()) {
    return "it holds a space, a control or invisible character, or a backslash";
  }
  const authority = text.slice("https://".length).split(/[/?#]/u, 1)[0]!;
  if (authority.includes("@")) return "it holds a user name or password";
  if (authority.includes("%")) return "its host is percent-encoded";
  const port = /:([^:\]]+)$/u.exec(authority)?.[1] ?? "443";
  if (!/^\d+$/u.test(port) || Number(port) > PORT_MAX)
    return `its port must be a number from 1 to ${PORT_MAX}`;
  return null;
}

/** What is wrong with a name that the URL standard accepts, or null. */
function wrongNameReason(host: string): string | null {
  if (host.length > NAME_LENGTH_MAX) return `its host is longer than ${NAME_LENGTH_MAX} characters`;
  const labels = host.split(".");
  for (const label of labels) {
    if (label === "") return "its host has an empty label";
    if (label.length > LABEL_LENGTH_MAX)
      return `a label of its host is longer than ${LABEL_LENGTH_MAX} characters`;
    // Host names must not have underscores, yet some do.
    if (!/^[a-z0-9_-]+$/u.test(label)) return "its host holds a character that no name has";
    if (label.startsWith("xn--") && domainToUnicode(label) === label) return "its host holds broken Punycode";
  }
  // Digits of another script are no IPv4 address here, but other software may fold them into one.
  if (/^\p{N}+$/u.test(domainToUnicode(labels.at(-1)!))) return "its host ends in a number";
  return null;
}

/** Receivers in ranges allowed for development may listen on any port. */
function opensAnyPort(host: string, isAddress: boolean, policy: AddressPolicy): boolean {
  if (policy.allowedRanges === "all") return true;
  if (policy.allowedRanges === null) return false;
  return isAddress ? !checkAddress(host, PUBLIC_ONLY).allowed : isLocalhost(host);
}

const PUBLIC_ONLY = addressPolicy(false);

function invalid(reason: string): TargetUrlVerdict {
  return { ok: false, reason, blocked: false };
}

function blocked(reason: string): TargetUrlVerdict {
  return { ok: false, reason, blocked: true };
}
