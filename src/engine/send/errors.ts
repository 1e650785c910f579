/**
 * Every way an attempt can fail (spec 2.2: last_error): a stable code that clients may match on, and a sentence
 * that says what to do. Only this file translates the errors of undici, OpenSSL and Node.
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

/** An idle connection closed before it carried the request. */
export const CONNECTION_GONE = "CONNECTION_GONE";

const CODES: Readonly<Record<string, AttemptErrorCode>> = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  [CONNECTION_GONE]: "closed_early",
  // This machine has no address of that family, or too many connections to the target.
  EADDRNOTAVAIL: "host_unreachable",
  EHOSTUNREACH: "host_unreachable",
  ENETUNREACH: "host_unreachable",
  EMFILE: "out_of_sockets",
  ENFILE: "out_of_sockets",
  ENOBUFS: "out_of_sockets",
  EHOSTDOWN: "host_unreachable",
  ENETDOWN: "host_unreachable",
  EACCES: "host_unreachable",
  EPERM: "host_unreachable",
  ETIMEDOUT: "timeout",
  ENOTFOUND: "dns_not_found",
  ENODATA: "dns_not_found",
  EBADNAME: "dns_not_found",
  CERT_HAS_EXPIRED: "tls_expired",
  CERT_NOT_YET_VALID: "tls_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  HOSTNAME_MISMATCH: "tls_wrong_host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_untrusted",
  CERT_CHAIN_TOO_LONG: "tls_untrusted",
  CERT_REVOKED: "tls_untrusted",
  CERT_UNTRUSTED: "tls_untrusted",
  CERT_REJECTED: "tls_untrusted",
  CERT_SIGNATURE_FAILURE: "tls_untrusted",
  INVALID_CA: "tls_untrusted",
  INVALID_PURPOSE: "tls_untrusted",
  PATH_LENGTH_EXCEEDED: "tls_untrusted",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls_version",
  EPROTO: "tls_failed",
  UND_ERR_HEADERS_OVERFLOW: "headers_too_large",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "protocol_error",
};

/** @param error what Node, OpenSSL, c-ares or undici reported */
export function attemptErrorFrom(error: unknown): AttemptError {
  const { name, code, message, reason } = facts(error);
  const known = CODES[code];
  if (known !== undefined) return attemptError(known, detailOf(known, reason, code));
  if (code === "UND_ERR_SOCKET") {
    const isClose = message.includes("closed") || message === "destroyed";
    return isClose ? attemptError("closed_early") : attemptError("protocol_error", message);
  }
  if (code === "HPE_INVALID_EOF_STATE") return attemptError("closed_early");
  // Some errors of the parser have no code.
  if (code.startsWith("HPE_") || name === "HTTPParserError") return attemptError("protocol_error");
  if (code.startsWith("ERR_SSL_")) return attemptError("tls_failed", reason);
  return attemptError("transport_error", code === "" ? undefined : code);
}

/** True when a connection closed as idle ones do, so that a fresh one may work. */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = facts(error);
  if (code === "UND_ERR_SOCKET") return message.includes("closed") || message === "destroyed";
  return code === CONNECTION_GONE || code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_INFO";
}

type Facts = {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly reason: string | undefined;
};

function facts(error: unknown): Facts {
  const { name, code, message, reason } = (error ?? {}) as Record<keyof Facts, unknown>;
  return {
    name: typeof name === "string" ? name : "",
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : "",
    // OpenSSL's own words only: keep a certificate's names and other text of the peer out of the record.
    reason: typeof reason === "string" && /^[\w ./:-]{1,80}$/u.test(reason) ? reason : undefined,
  };
}

function detailOf(code: AttemptErrorCode, reason: string | undefined, raw: string): string | undefined {
  if (code === "tls_failed") return reason;
  return code === "tls_untrusted" ? raw.toLowerCase() : undefined;
}
