/** A source on loopback, over TLS, that behaves as its documents say, and checks of an entry that names it. */
import { createHash, verify, X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import {
  checkEntry,
  type CheckedKind,
  type CheckOptions,
  type EntryCheck,
} from "../../src/freight/source-check/check.ts";
import { replaying, type Recording } from "../../src/freight/source-check/kept-answers.ts";
import type { CheckStep } from "../../src/freight/source-check/step.ts";
import { createHttpPort, type HttpPort } from "../../src/freight/upstream/http.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { certificates } from "../support/trusting.ts";
import { bodyOf } from "../upstream/serving.ts";
import { CERTIFICATE, secretOf } from "./given.ts";

/** Headers by their names in lower case. */
export type Question = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is, else JSON. */
  readonly body: unknown;
};

export type Replayed = {
  /** Null: no such path. */
  readonly reply: (question: Question) => Reply | null;
  /** Credentials in headers of a question: the name, and the need whose value it has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: DocumentedToken;
  /** To a question without its credentials. */
  readonly refusal?: Reply;
};

export type DocumentedToken = {
  readonly path: string;
  /** Where id and secret stand; absent: in the form, or in Basic, and the rest is not documented. */
  readonly by?: "form" | "basic" | "assertion";
  readonly field?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly scope?: string;
  /** The need whose value is the scope. */
  readonly scopeNeed?: string;
  /** The grant type stands in the query. */
  readonly isGrantInQuery?: true;
  readonly expiresInS?: number;
};

export const TOKEN = "token-that-nobody-may-read";

export type Server = {
  readonly url: string;
  /** Questions so far, tokens left out. */
  readonly asked: readonly Question[];
  /** Answers every question so from now on. */
  fail(reply: Reply): void;
};

export async function withSource(
  { reply, token, headers = {}, refusal = { status: 401, body: { message: "unauthorized" } } }: Replayed,
  work: (server: Server) => Promise<void>,
  certificate = certificates.valid,
): Promise<void> {
  const asked: Question[] = [];
  let failing: Reply | null = null;
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? "/", "https://source");
    const body = await bodyOf(request);
    const question = { method: request.method ?? "", url, headers: request.headers, body };
    if (token !== undefined && url.pathname === token.path) return tokenReply(token, question);
    asked.push(question);
    const isSigned = token === undefined || question.headers.authorization === `Bearer ${TOKEN}`;
    if (!isSigned || !isKeyed(headers, question)) return refusal;
    return failing ?? reply(question) ?? { status: 404, body: { message: "no such path" } };
  };
  const server = createServer(certificate, (request, response) => {
    void answer(request).then(({ status = 200, headers: own = {}, body }) => {
      response
        .writeHead(status, { "content-type": "application/json", ...own })
        .end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await work({ url, asked, fail: (next) => void (failing = next) });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const isKeyed = (headers: Readonly<Record<string, string>>, question: Pick<Question, "headers">): boolean =>
  Object.entries(headers).every(([name, need]) => question.headers[name] === secretOf(need));

function tokenReply(token: DocumentedToken, question: Question): Reply {
  const { by, field = "access_token", headers = {}, scopeNeed, isGrantInQuery, expiresInS = 3_600 } = token;
  const form = new URLSearchParams(question.body);
  const scope = scopeNeed === undefined ? token.scope : secretOf(scopeNeed);
  const grant = (isGrantInQuery === true ? question.url.searchParams : form).get("grant_type");
  const isWhole = grant === "client_credentials" && (scope ?? null) === form.get("scope");
  if (by !== undefined && (question.method !== "POST" || !isWhole))
    return { status: 400, body: { error: "invalid_request" } };
  const [id, secret] = [secretOf("clientId"), secretOf("clientSecret")];
  const isNamed = form.get("client_id") === id;
  const basic =
    question.headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  const inForm = isNamed && form.get("client_secret") === secret;
  const isClient =
    by === undefined
      ? basic || inForm
      : { basic, form: inForm, assertion: isNamed && isAsserted(form, question.url) }[by];
  return isClient && isKeyed(headers, question)
    ? { body: { [field]: TOKEN, token_type: "Bearer", expires_in: expiresInS } }
    : { status: 401, body: { error: "invalid_client" } };
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** As Microsoft's directory checks it: RS256 by the certificate that it knows, named by its SHA-1 thumbprint. */
function isAsserted(form: URLSearchParams, { pathname, search }: URL): boolean {
  const [header = "", payload = "", signature = ""] = (form.get("client_assertion") ?? "").split(".");
  const { publicKey, raw } = new X509Certificate(CERTIFICATE);
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned = verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url"));
  if (!isSigned || form.get("client_assertion_type") !== ASSERTION_TYPE) return false;
  const parsed = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const { alg, x5t } = parsed(header);
  const { iss, sub, aud, exp, jti } = parsed(payload);
  const client = secretOf("clientId");
  return (
    [alg, x5t].join() === ["RS256", createHash("sha1").update(raw).digest("base64url")].join() &&
    [iss, sub].join() === [client, client].join() &&
    String(aud).endsWith(pathname + search) &&
    Number(exp) * 1000 > Date.now() &&
    typeof jti === "string"
  );
}

/** The wall clock, or a time that stands still. */
const portsWith = (http: HttpPort, nowMs?: number) => ({
  http,
  clock: nowMs === undefined ? realClock : { ...realClock, nowMs: () => nowMs },
  random: systemRandom(),
  log: silentLog,
});

export async function check<Entry, About, Answer, Outcome, Who extends object>(
  kind: CheckedKind<Entry, About, Answer, Outcome, Who>,
  entry: Entry,
  about: About,
  options: CheckOptions & { readonly nowMs?: number } = {},
): Promise<EntryCheck<Outcome, Who>> {
  const agent = new Agent({ allowH2: false });
  try {
    return await checkEntry(
      portsWith(createHttpPort(agent, realClock), options.nowMs),
      kind,
      entry,
      about,
      options,
    );
  } finally {
    await agent.destroy();
  }
}

/** What a file keeps, checked again without the network. */
export function checkAgain<Entry, About, Answer, Outcome, Who extends object>(
  kind: CheckedKind<Entry, About, Answer, Outcome, Who>,
  text: string,
): Promise<EntryCheck<Outcome, Who>> {
  const kept: Recording<Entry, About> | string = kind.file.read!(text);
  if (typeof kept === "string") throw new Error(kept);
  const ports = replaying(portsWith(kept.http), kept);
  return checkEntry(ports, kind, kept.entry, kept.about, { isReplay: true });
}

type Steps = { readonly steps: readonly CheckStep[] };

/** `name passed`, `token failed` … */
export const results = ({ steps }: Steps): readonly string[] =>
  steps.map(({ step, result }) => `${step} ${result}`);

export const failureOf = ({ steps }: Steps) => steps.find(({ result }) => result === "failed");
