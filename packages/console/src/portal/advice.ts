/** What a delivery's error means for the one who runs the receiver, and what to do about it. */
import type { AttemptErrorCode } from "../../../../src/engine/send/errors.ts";
import type { Advice } from "../pages/states.tsx";

const OURS = "This is not your receiver's fault. The delivery is tried again by itself.";

const OF_CODE: Readonly<Record<AttemptErrorCode | "parked", Advice>> = {
  timeout: {
    means: "Your receiver did not finish its answer within the time for an attempt, ten seconds by default.",
    remedy: "Answer 204 as soon as you have stored the delivery, and work on it afterwards.",
  },
  invalid_url: {
    means: "Nothing can be sent to this URL.",
    remedy: "Change the URL: https, a public host name, no user or password in it.",
  },
  blocked_address: {
    means: "The host name leads to an address that is not public, or that the operator has closed.",
    remedy: "Give the host a public address. To develop on your own machine, run boathook listen.",
  },
  dns_not_found: {
    means: "The host name in the URL does not exist, or has no address.",
    remedy: "Look for a typing error in the URL, then check the DNS records of the name.",
  },
  name_servers_unreachable: { means: "The service could not reach its own name servers.", remedy: OURS },
  dns_failed: {
    means: "The name servers of your domain gave no answer.",
    remedy: "Check them from elsewhere: dig +trace and your host name. Later attempts ask again.",
  },
  connection_refused: {
    means: "The machine answers, and no program accepts connections on that port.",
    remedy: "Start the receiver, and check the port in the URL and the firewall before it.",
  },
  connection_reset: {
    means: "The connection was cut before an answer came.",
    remedy: "Check the proxy or balancer before your receiver, and the receiver itself for crashes.",
  },
  host_unreachable: {
    means: "No route leads to the address of your receiver.",
    remedy: "Check the address that the name has, and the firewall and routes before it.",
  },
  tls_expired: {
    means: "The certificate of your receiver has expired, or is not valid yet.",
    remedy:
      "Renew the certificate, and check that its renewal runs by itself. Check the clock of that server.",
  },
  tls_wrong_host: {
    means: "The certificate names another host than the URL.",
    remedy: "Get a certificate for the host in the URL, or change the URL to the host in the certificate.",
  },
  tls_self_signed: {
    means: "The certificate is signed by itself, so nobody vouches for it.",
    remedy: "Get one from a recognised authority, such as Let's Encrypt.",
  },
  tls_untrusted: {
    means: "The chain of the certificate does not end at a recognised authority.",
    remedy: "Usually the intermediate certificate is missing: serve the full chain (fullchain.pem).",
  },
  tls_version: {
    means: "Your receiver offers only outdated versions of TLS.",
    remedy: "Turn on TLS 1.2 or 1.3.",
  },
  tls_failed: {
    means: "The TLS handshake failed.",
    remedy:
      "Check that this port speaks TLS, and HTTP/1.1 over it; openssl s_client -connect shows what it says.",
  },
  headers_too_large: {
    means: "The headers of your answer are too large.",
    remedy: "Answer 204 with few headers.",
  },
  answer_too_large: { means: "Your answer went on and on.", remedy: "Answer 204 without a body." },
  protocol_error: {
    means: "What came back is not valid HTTP/1.1.",
    remedy: "Check that the port speaks HTTP/1.1, and what the proxy before it adds.",
  },
  closed_early: {
    means: "The connection closed before your answer was complete.",
    remedy: "Look for crashes of the receiver and for a wrong Content-Length.",
  },
  out_of_sockets: { means: "The service had no socket left to send with.", remedy: OURS },
  sender_closed: { means: "The service stopped during the attempt, as in an upgrade.", remedy: OURS },
  transport_error: {
    means: "The connection failed in a way that has no name of its own.",
    remedy: "The text holds the code of the system. Later attempts try again.",
  },
  parked: {
    means: "The endpoint was off for too long, so the delivery was given up.",
    remedy: "Enable the endpoint, and read what was raised while it was off under Events.",
  },
};

const OF_STATUS: readonly (readonly [RegExp, means: string, remedy: string])[] = [
  [
    /^3/,
    "Your receiver redirects, and redirects are never followed.",
    "Register the address that the redirect leads to.",
  ],
  [
    /^40[13]$/,
    "Your receiver refused the request.",
    "Take login pages and allow lists away from this path. If your code checks the signature, paste the delivery under Verify to see why it does not fit.",
  ],
  [/^(?:404|410)$/, "Your server has nothing at this path.", "Compare the path in the URL with your routes."],
  [/^405$/, "The path takes no POST.", "Let your route accept POST."],
  [/^413$/, "Your server refuses a body of this size.", "Let it accept 512 KiB on this path."],
  [/^4(?:08|29)$/, "Your server is too busy.", "Raise its limit for this path, or answer sooner."],
  [
    /^4/,
    "Your receiver refused the request.",
    "Its log at this time says why. Any status from 200 to 299 counts as received.",
  ],
  [
    /^50[234]$/,
    "Often a proxy before your receiver answered, and the receiver did not.",
    "Check that the receiver runs, and that a proxy before it reaches it.",
  ],
  [
    /^5/,
    "Your receiver failed while it handled the delivery.",
    "Look into its log at the time of the attempt. Store the delivery first, and handle it afterwards.",
  ],
  [/^/, "Your receiver answered with a status that is no success.", "Answer with a status from 200 to 299."],
];

/** `lastError`: a code, a colon and a sentence. Null where it has no code that is known. */
export function adviceOn(lastError: string | null): Advice | null {
  const [code = ""] = (lastError ?? "").split(":", 1);
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) {
    const [, means, remedy] = OF_STATUS.find(([pattern]) => pattern.test(status))!;
    return { means, remedy };
  }
  return Object.hasOwn(OF_CODE, code) ? OF_CODE[code as keyof typeof OF_CODE] : null;
}
