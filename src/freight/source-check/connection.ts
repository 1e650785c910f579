/** Whether a source's server can be reached: its name, and its certificates. */
import { lookup } from "node:dns/promises";
import type { PeerCertificate, TLSSocket } from "node:tls";

import { connect } from "../../runtime/builtins.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Clock } from "../../runtime/clock.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { failed, passed, skipped, type SourceWords, type StepEnd } from "./step.ts";

const NAME_MS_MAX = 10_000;
const TLS_MS_MAX = 10_000;
/** A certificate that expires sooner is named. */
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** Certificates of a chain that are shown. */
const CHAIN_MAX = 6;

export async function checkName({ hostname }: URL, clock: Clock, words: SourceWords): Promise<StepEnd> {
  const host = unbracketed(hostname);
  let end = failed("no answer in time", NAME_SERVERS);
  const asked = lookup(host, { all: true }).then(
    (found) => {
      end = passed(found.map(({ address }) => address).join(", "));
    },
    (cause: unknown) => {
      const code = connectionCode(cause) ?? "an error";
      end = failed(code, code === "ENOTFOUND" ? nobodyKnows(words) : NAME_SERVERS);
    },
  );
  await waitAtMost(clock, NAME_MS_MAX, asked);
  return end;
}

const NAME_SERVERS = "Check the name servers of this machine.";

const nobodyKnows = ({ file }: SourceWords): string =>
  `Nobody knows this name: check the address in the ${file}, and the name servers of this machine.`;

/** A literal address of version 6 stands in brackets in a URL. */
const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

export async function checkTls(url: URL, clock: Clock, words: SourceWords): Promise<StepEnd> {
  if (url.protocol === "http:") return skipped("the address begins with http://: nothing is encrypted");
  const host = unbracketed(url.hostname);
  // The chain is judged here, so that a wrong one can be shown; nothing is sent.
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
  });
  let end = failed("no answer in time", connectionAdvice("ETIMEDOUT", words));
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("secureConnect", () => {
    end = judged(socket, clock.nowMs(), words);
    resolve();
  });
  socket.once("error", (cause) => {
    const code = connectionCode(cause) ?? "an error";
    end = failed(code, connectionAdvice(code, words));
    resolve();
  });
  await waitAtMost(clock, TLS_MS_MAX, promise);
  socket.destroy();
  return end;
}

/** Of what Node.js throws, the code: `ECONNREFUSED`. Null without one. */
export function connectionCode(cause: unknown): string | null {
  const { code, errors } = Object(cause) as { code?: unknown; errors?: unknown };
  // Of several addresses of a name, one that refuses says more than one without a route.
  if (Array.isArray(errors) && errors.some((one) => connectionCode(one) === REFUSED)) return REFUSED;
  return typeof code === "string" ? code : null;
}

const REFUSED = "ECONNREFUSED";

/** What to do where a connection did not come about, or broke. */
export function connectionAdvice(code: string | null, words: SourceWords): string {
  const { whom, file } = words;
  switch (code) {
    case REFUSED:
      return `Nothing listens at this address and port: check host and port in the ${file}, and whether the ${whom}'s server is down.`;
    case "ENOTFOUND":
      return nobodyKnows(words);
    case "EAI_AGAIN":
      return NAME_SERVERS;
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return `The server, or a firewall or proxy before it, closed the connection: check the port in the ${file}, and try again.`;
    case NOT_RECORDED:
      return "The kept answers have none to this question: keep new ones with --record.";
    default:
      return /^ERR_SSL_|^EPROTO$/.test(code ?? "")
        ? `The server speaks no TLS that this machine knows at this port: check port and https:// in the ${file}.`
        : NO_WAY;
  }
}

/** Of a question that kept answers have no answer to. */
export const NOT_RECORDED = "not_recorded";

const NO_WAY =
  "Nothing comes back from the server: check that a firewall or proxy lets this machine connect to it, and the routes of this machine.";

function judged(socket: TLSSocket, nowMs: number, words: SourceWords): StepEnd {
  const leaf = socket.getPeerCertificate(true);
  const untilMs = Date.parse(leaf.valid_to);
  const until = Number.isNaN(untilMs) ? "an unknown day" : new Date(untilMs).toISOString().slice(0, 10);
  const found = `${socket.getProtocol() ?? "TLS"}, certificate of ${chainOf(leaf).join(", by ")}, valid until ${until}`;
  const problem = socket.authorized ? null : codeOf(socket.authorizationError);
  if (problem !== null) return failed(`${problem}: ${found}`, certificateAdvice(problem, words));
  if (untilMs - nowMs > EXPIRES_SOON_MS) return passed(found);
  return passed(found, `The certificate expires soon: the ${words.whom} has to renew it.`);
}

/** At run time it is an error's code or message, whatever its type says. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" ? code : String(error);
}

const UNTRUSTED_ADVICE =
  "This machine trusts nobody who signed it. If a proxy stands between, name its authority in NODE_EXTRA_CA_CERTS.";

function certificateAdvice(problem: string, { whom, file }: SourceWords): string {
  switch (problem) {
    case "CERT_HAS_EXPIRED":
      return `The ${whom}'s certificate has expired: tell the ${whom}, and check the clock of this machine.`;
    case "CERT_NOT_YET_VALID":
      return "The certificate is not valid yet: check the clock of this machine.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate is another name's: check the address in the ${file}.`;
    default:
      return UNTRUSTED_ADVICE;
  }
}

/** From the server's own to the last that it sent. */
function chainOf(
  leaf: PeerCertificate & { readonly issuerCertificate?: PeerCertificate },
): readonly string[] {
  const names: string[] = [];
  let one: typeof leaf | undefined = leaf;
  for (const seen = new Set<string>(); one?.subject !== undefined && names.length < CHAIN_MAX;) {
    if (seen.has(one.fingerprint256)) break;
    seen.add(one.fingerprint256);
    names.push([one.subject.CN ?? one.subject.O ?? "nobody"].flat().join(", "));
    one = one.issuerCertificate;
  }
  return names;
}
