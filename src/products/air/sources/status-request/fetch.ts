/** Cargo-IMP over HTTP: sends a status request (FSR) and reads the status answers (FSA), bare or as pushes carry them. */
import { createHash } from "node:crypto";

import type { Clock } from "../../../../runtime/clock.ts";
import { answerDateMs, mergeHeaders } from "../../../../freight/upstream/headers.ts";
import { fillTemplate } from "../../../../freight/references/awb.ts";
import { noAnswerOf, unavailable } from "../../../../freight/upstream/no-answer.ts";
import type { Upstream, UpstreamAnswer } from "../../../../freight/upstream/upstream.ts";
import type { WaybillStatement } from "../../timeline/air-event.ts";
import { mergeStatements, type AirlineAnswer, type SourceRequest } from "../airline-answer.ts";
import type { FsrSource } from "../airlines/airline-schema.ts";
import { readCarried, type CarriedMessage } from "../carried/read-carried.ts";
import { isNew } from "../message-id.ts";
import { textsIn } from "./answer-texts.ts";

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const PROBLEMS_MAX = 20;

const MESSAGE = "FSR\r\n{prefix}-{serial}\r\n";
const CONTENT_TYPE = "text/plain; charset=utf-8";
const ACCEPT = {
  text: "text/plain, */*",
  json: "application/json",
  xml: "application/xml, text/xml",
} as const;

/** Never rejects: every outside failure is an answer. `byAnswerDate`: infer years from the answer's own `Date`. */
export async function fetchStatus(
  upstream: Pick<Upstream, "get" | "post">,
  { source, awb, knownDigest }: SourceRequest<FsrSource>,
  byAnswerDate: boolean,
  clock: Clock,
): Promise<AirlineAnswer> {
  const answer = await sendRequest(upstream, source, awb);
  const failure = noAnswerOf(answer, clock.nowMs());
  if (failure !== null) return failure;
  const { body, header } = answer as UpstreamAnswer & { kind: "answered" };
  const dateMs = answerDateMs(header);
  const digest = digestOf(source, body);
  if (knownDigest !== null && digest.equals(knownDigest)) return { kind: "unchanged", digest, dateMs };
  const texts = textsIn(body, source.answer);
  if (typeof texts === "string") return unavailable(texts);
  if (texts.length === 0) return { kind: "not_found" };
  const receivedMs = byAnswerDate ? (dateMs ?? clock.nowMs()) : clock.nowMs();
  const messages = await readTexts(texts, header("content-type"), receivedMs, clock);
  const statement = statementOf(messages, awb);
  if (statement === null) return answerWithoutStatement(texts, messages);
  if (isEmpty(statement)) return { kind: "not_found" };
  return { kind: "statement", statement, problems: problemsOf(messages), dateMs, digest };
}

async function readTexts(
  texts: readonly string[],
  contentType: string | null,
  receivedMs: number,
  clock: Clock,
): Promise<readonly CarriedMessage[]> {
  const isMail = /^\s*message\/rfc822\b/i.test(contentType ?? "");
  const messages: CarriedMessage[] = [];
  for (const text of texts)
    messages.push(...(await readCarried(Buffer.from(text), isMail, receivedMs, clock)));
  return messages;
}

function sendRequest(
  { get, post }: Pick<Upstream, "get" | "post">,
  source: FsrSource,
  awb: string,
): Promise<UpstreamAnswer> {
  const { url, method = "POST", message = MESSAGE, contentType = CONTENT_TYPE, answer, timeoutMs } = source;
  const options = {
    headers: mergeHeaders({ accept: ACCEPT[answer?.format ?? "text"] }, source.headers),
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
  };
  const address = new URL(fillTemplate(url, awb));
  if (method === "GET") return get(address, options);
  return post(address, { ...options, body: { contentType, text: fillTemplate(message, awb) } });
}

/** The statements of all messages about the waybill as one; null without any. An e-mail may hold one message twice. */
function statementOf(messages: readonly CarriedMessage[], awb: string): WaybillStatement | null {
  const known = new Map<string, string[]>();
  const statements = messages.flatMap(({ message }) =>
    message.kind === "message" && message.statement.awb === awb && isNew(known, awb, message.id)
      ? [message.statement]
      : [],
  );
  return statements.length === 0 ? null : mergeStatements(awb, statements, "last");
}

/** How an airline answers that has no such waybill: the number alone, and a remark. */
function isEmpty({ origin, pieces, events }: WaybillStatement): boolean {
  return origin === null && pieces === null && events.length === 0;
}

/** An airline that knows nothing may send an error message (FNA). */
function answerWithoutStatement(
  texts: readonly string[],
  messages: readonly CarriedMessage[],
): AirlineAnswer {
  if (messages.some(({ message }) => message.kind === "message")) return unavailable("other_waybill");
  return texts.some((text) => ERROR_MESSAGE.test(text)) ? { kind: "not_found" } : unavailable("not_fsa");
}

/** At the beginning of a line, of a text in JSON, or of an element. */
const ERROR_MESSAGE = /(?:^|[">])[ \t\uFEFF]*FNA\b/m;

function problemsOf(messages: readonly CarriedMessage[]): readonly string[] {
  return messages
    .flatMap(({ part, message }) =>
      (message.kind === "message" ? message.problems : [message.problem]).map((problem) => ({
        ...problem,
        part,
      })),
    )
    .slice(0, PROBLEMS_MAX)
    .map(({ part, line, column, message }) => {
      const place = part === null ? "" : `${part}, `;
      return `${place}line ${line}, column ${column}: ${message}`;
    });
}

/** Increment when answers are read in another way, so that all are read again. */
const PARSER_VERSION = 6;

function digestOf({ answer }: FsrSource, body: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(["fsr", PARSER_VERSION, answer]))
    .update(body)
    .digest();
}
