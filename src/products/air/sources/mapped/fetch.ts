/** An airline's own API, which the airlines file describes: the question, and what its answer means. */
import { createHash } from "node:crypto";

import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices } from "../../../../runtime/time-slices.ts";
import { fillTemplate } from "../../../../freight/references/awb.ts";
import { answerDateMs, mergeHeaders } from "../../../../freight/upstream/headers.ts";
import { noAnswerOf, unavailable, type NoAnswer } from "../../../../freight/upstream/no-answer.ts";
import type { Upstream, UpstreamAnswer } from "../../../../freight/upstream/upstream.ts";
import type { AirlineAnswer, SourceRequest } from "../airline-answer.ts";
import type { MappedSource } from "../airlines/airline-schema.ts";
import { readXml } from "../carried/xml.ts";
import { readMapped } from "./read.ts";
import { plainXml, textAtPointers } from "./values.ts";

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const PROBLEMS_MAX = 20;
const ACCEPT = { json: "application/json", xml: "application/xml, text/xml" } as const;

/** Never rejects: every outside failure is an answer. */
export async function fetchMapped(
  upstream: Pick<Upstream, "get" | "post">,
  { source, awb, knownDigest }: SourceRequest<MappedSource>,
  clock: Clock,
): Promise<AirlineAnswer> {
  const answer = await ask(upstream, source, awb);
  const failure = noAnswerOf(answer, clock.nowMs());
  if (failure !== null) return failure;
  const { body, header } = answer as UpstreamAnswer & { kind: "answered" };
  const dateMs = answerDateMs(header);
  const digest = digestOf(source, body);
  if (knownDigest !== null && digest.equals(knownDigest)) return { kind: "unchanged", digest, dateMs };
  if (body.trim() === "") return { kind: "not_found" };
  const parsed = await parse(body, source.answer.format, clock);
  if (parsed === UNREADABLE) return unavailable(`not_${source.answer.format}`);
  const refusal = refusalIn(parsed, source.answer);
  if (refusal !== null) return refusal;
  const read = readMapped(parsed, awb, source.answer, source.answer.event);
  if (read === null) return { kind: "not_found" };
  if (read === "other_waybill") return unavailable(read);
  return { kind: "statement", ...read, problems: read.problems.slice(0, PROBLEMS_MAX), dateMs, digest };
}

/** What an API says in its answer and not by its status. */
function refusalIn(parsed: unknown, { outcomes }: MappedSource["answer"]): NoAnswer | null {
  const word = outcomes === undefined ? null : textAtPointers(parsed, outcomes.at, "");
  if (outcomes === undefined || word === null || !Object.hasOwn(outcomes.words, word)) return null;
  const kind = outcomes.words[word]!;
  if (kind === "unavailable") return unavailable("refused_by_answer");
  return kind === "not_permitted" ? { kind, status: 401 } : { kind };
}

const UNREADABLE = Symbol("unreadable");

async function parse(body: string, format: "json" | "xml", clock: Clock): Promise<unknown> {
  if (format === "xml") {
    const root = await runInSlices(readXml(body), clock);
    return "message" in root ? UNREADABLE : { [root.name]: plainXml(root) };
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return UNREADABLE;
  }
}

function ask(
  { get, post }: Pick<Upstream, "get" | "post">,
  { url, message, contentType = "application/json", headers, answer, timeoutMs }: MappedSource,
  awb: string,
): Promise<UpstreamAnswer> {
  const options = {
    headers: mergeHeaders({ accept: ACCEPT[answer.format] }, headers),
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
  };
  const address = new URL(fillTemplate(url, awb));
  if (message === undefined) return get(address, options);
  return post(address, { ...options, body: { contentType, text: fillTemplate(message, awb) } });
}

/** Increment when answers are read in another way, so that all are read again. */
const READER_VERSION = 2;

function digestOf({ answer }: MappedSource, body: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(["mapped", READER_VERSION, answer]))
    .update(body)
    .digest();
}
