/** Whether a source's server can be reached: its name, and its certificates. */
import { lookup } from "node:dns/promises";
import { connect, type PeerCertificate, type TLSSocket } from "node:tls";

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

export async function checkName({ hostname }: URL, clock: Clock, { file }: SourceWords): Promise<StepEnd> {
  const host = unbracketed(hostname);
  let end = failed("no answer in time", "Check the name servers of this machine.");
  const asked = lookup(host, { all: true }).then(
    (found) => {
      end = passed(found.map(({ address }) => address).join(", "));
    },
    ({ code = "an error" }: NodeJS.ErrnoException) => {
      end = failed(
        code,
        code === "ENOTFOUND" ? nobodyKnows(file) : "Check the name servers of this machine.",
      );
    },
  );
  await waitAtMost(clock, NAME_MS_MAX, asked);
  return end;
}

const nobodyKnows = (file: string): string =>
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
  let end = failed("no answer in time", CONNECT_ADVICE);
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("secureConnect", () => {
    end = judged(socket, clock.nowMs(), words);
    resolve();
  });
  socket.once("error", ({ code = "an error" }: NodeJS.ErrnoException) => {
    end = failed(code, CONNECT_ADVICE);
    resolve();
  });
  await waitAtMost(clock, TLS_MS_MAX, promise);
  socket.destroy();
  return end;
}

const CONNECT_ADVICE = "Check that a firewall or proxy lets this machine connect to the server.";

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
