/**
 * Every way an attempt can fail (spec 2.2: last_error): a stable code that clients may match on, and a sentence
 * that says what to do. Only this file translates the errors of OpenSSL and Node.
 */
import type { AttemptError } from "../../model/delivery.ts";

const TEXTS = {
  timeout: "No complete answer came in time. Answer first and do the work afterwards.",
  invalid_url: "The endpoint's URL cannot be delivered to.",
  blocked_address: "Deliveries go to public addresses only.",
  dns_not_found: "The host name does not exist or has no address. Check the URL and the DNS records.",
  name_servers_unreachable: "This service cannot reach its name servers. Its operator should check them.",
  dns_failed: "The name servers gave no answer for the host name. Check its DNS.",
  connection_refused: "Nothing accepts connections on that address and port. Is the receiver running?",
  connection_reset: "The receiver or something before it broke the connection off.",
  host_unreachable: "There is no route to the receiver's address. Check the address and the firewall.",
  tls_expired:
    "The certificate is outside its period of validity. Renew it, or correct the receiver's clock.",
  tls_wrong_host: "The certificate is for another host name. Get one that names the host in the URL.",
  tls_self_signed: "The certificate is signed by itself. Use one of a recognised authority.",
  tls_untrusted:
    "The certificate's chain leads to no recognised authority. Does the receiver send its intermediates?",
  tls_version: "The receiver offers no TLS version from 1.2 on. Turn on TLS 1.2 or 1.3.",
  tls_failed: "The TLS handshake failed. Does that port speak TLS, and HTTP/1.1 over it?",
  headers_too_large: "The answer's headers are too large.",
  answer_too_large: "The answer goes on and on. Answer with a short body or none.",
  protocol_error: "The answer is no valid HTTP/1.1.",
  closed_early: "The receiver closed the connection before the answer was complete.",
  out_of_sockets: "This service has no socket left. Its operator should raise the limit of open files.",
  sender_closed: "The service shut down during the attempt.",
  transport_error: "The connection failed.",
} as const;

export type AttemptErrorCode = keyof typeof TEXTS;

/** Faults of this service, not of the receiver: no attempt is counted (`SendResult`). */
export const LOCAL_FAULTS: ReadonlySet<string> = new Set<AttemptErrorCode>([
  "out_of_sockets",
  "name_servers_unreachable",
]);

/** Created once, so a failing endpoint costs no new strings. */
const PLAIN = Object.fromEntries(
  Object.entries(TEXTS).map(([code, text]) => [code, { code, text }]),
) as unknown as Readonly<Record<AttemptErrorCode, AttemptError>>;

/** @param detail a sentence without its full stop */
export function attemptError(code: AttemptErrorCode, detail?: string): AttemptError {
  return detail === undefined ? PLAIN[code] : { code, text: `${TEXTS[code]} (${detail})` };
}

/** By outcome, the codes of Node, OpenSSL and c-ares. */
const CODES: Partial<Record<AttemptErrorCode, readonly string[]>> = {
  connection_refused: ["ECONNREFUSED"],
  connection_reset: ["ECONNRESET", "ECONNABORTED", "EPIPE"],
  // EADDRNOTAVAIL: this machine has no address of that family, or too many connections to the target.
  host_unreachable: [
    "EADDRNOTAVAIL",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "EHOSTDOWN",
    "ENETDOWN",
    "EACCES",
    "EPERM",
  ],
  out_of_sockets: ["EMFILE", "ENFILE", "ENOBUFS"],
  timeout: ["ETIMEDOUT"],
  dns_not_found: ["ENOTFOUND", "ENODATA", "EBADNAME"],
  tls_expired: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"],
  tls_wrong_host: ["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"],
  tls_self_signed: ["DEPTH_ZERO_SELF_SIGNED_CERT"],
  tls_untrusted: [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "CERT_CHAIN_TOO_LONG",
    "CERT_REVOKED",
    "CERT_UNTRUSTED",
    "CERT_REJECTED",
    "CERT_SIGNATURE_FAILURE",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
  ],
  tls_version: ["ERR_SSL_UNSUPPORTED_PROTOCOL", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"],
  tls_failed: ["EPROTO"],
};

const codes = new Map(
  Object.entries(CODES).flatMap(([outcome, list]) => list.map((code) => [code, outcome as AttemptErrorCode])),
);

/** @param error what Node, OpenSSL or c-ares reported */
export function attemptErrorFrom(error: unknown): AttemptError {
  const { code, reason } = facts(error);
  const known = codes.get(code);
  if (known !== undefined) return attemptError(known, detailOf(known, reason, code));
  if (code.startsWith("ERR_SSL_")) return attemptError("tls_failed", reason);
  return attemptError("transport_error", code === "" ? undefined : code);
}

/** True when a connection broke as idle ones do, so that a fresh one may work. */
export function isConnectionLoss(error: unknown): boolean {
  const { code } = facts(error);
  return code === "ECONNRESET" || code === "EPIPE";
}

function facts(error: unknown): { readonly code: string; readonly reason: string | undefined } {
  const { code, reason } = (error ?? {}) as { readonly code?: unknown; readonly reason?: unknown };
  return {
    code: typeof code === "string" ? code : "",
    // OpenSSL's own words only: keep a certificate's names and other text of the peer out of the record.
    reason: typeof reason === "string" && /^[\w ./:-]{1,80}$/u.test(reason) ? reason : undefined,
  };
}

function detailOf(code: AttemptErrorCode, reason: string | undefined, raw: string): string | undefined {
  if (code === "tls_failed") return reason;
  return code === "tls_untrusted" ? raw.toLowerCase() : undefined;
}
