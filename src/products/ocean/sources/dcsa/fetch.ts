/** Fetches and parses all pages of a carrier's answer for a reference. */
import { hash } from "node:crypto";

import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../../runtime/time-slices.ts";
import type { UpstreamGet } from "../../../../freight/upstream/upstream.ts";
import type { CarrierAnswer, CarrierEvent } from "../carrier-event.ts";
import type { Carrier } from "../carriers.ts";
import { NOT_AN_EVENT } from "./event.ts";
import { parseJsonSteps } from "../../../../model/json.ts";
import { unavailable, type NoAnswer } from "../../../../freight/upstream/no-answer.ts";
import { NOTHING_KNOWN, type KnownReferences } from "../known-references.ts";
import { fetchWay, type AnswerPages, type AnswerPorts } from "./answer-pages.ts";
import { askingOf, type Asked } from "./question.ts";
import { eventList, parsePagesSteps, type ParsedAnswer } from "./parse.ts";
import { spellingWith, type Spelling } from "../../../../freight/dcsa/spelling.ts";

/**
 * Never rejects: outside failures are answers. `known` is the digest of an answer that was read before; `others` are the
 * references beside the one that is asked for.
 */
export async function fetchEvents(
  get: UpstreamGet,
  carrier: Carrier,
  asked: Asked,
  clock: Clock,
  known: Buffer | null = null,
  others: KnownReferences = NOTHING_KNOWN,
): Promise<CarrierAnswer> {
  const asking = askingOf(carrier, asked, others);
  if (asking === null) return { kind: "not_found" };
  if (asking.kind === "lacking") return asking;
  const spelling = spellingWith(carrier.spelling);
  const ports = { get, clock, carrier, spelling };
  let answer: CarrierAnswer = { kind: "not_found" };
  for (const way of asking.ways) {
    const pages = await fetchWay(ports, way);
    answer = pages.kind === "pages" ? await answerOf(ports, asked, pages, known) : pages;
    if (answer.kind !== "not_found") return answer;
  }
  return answer;
}

async function answerOf(
  { clock, carrier, spelling }: Omit<AnswerPorts, "get">,
  asked: Asked,
  { bodies, dateMs, isCut }: AnswerPages,
  known: Buffer | null,
): Promise<CarrierAnswer> {
  const digest = digestOf(carrier, bodies, isCut);
  if (known !== null && digest.equals(known)) return { kind: "unchanged", digest, dateMs };
  const parsed = await runInSlices(parseBodies(bodies, spelling), clock);
  if (typeof parsed === "string") return unavailable(parsed);
  const refusal = refusalIn(parsed, asked);
  // What was cut off may be of the reference.
  if (isCut && refusal?.kind === "not_found") return unavailable("answer_cut");
  const answer = { kind: "events", ...parsed, dateMs, digest } as const;
  return refusal ?? (isCut ? { ...answer, incomplete: true } : answer);
}

type Unparsed = "not_json" | "not_events" | "too_many_events";

/** All pages of an answer; a text: why they cannot be read. */
export function* parseBodies(
  bodies: readonly string[],
  spelling: Spelling,
): SlicedWork<ParsedAnswer | Unparsed> {
  const values: unknown[] = [];
  let events = 0;
  for (const body of bodies) {
    const value = yield* parseJsonSteps(body);
    if (value === undefined) return "not_json";
    events += eventList(value, spelling)?.length ?? 0;
    if (events > STATEMENTS_MAX) return "too_many_events";
    values.push(value);
    yield;
  }
  return (yield* parsePagesSteps(values, spelling)) ?? "not_events";
}

function refusalIn(
  { events, withdrawn, skipped }: ParsedAnswer,
  { type, reference }: Asked,
): NoAnswer | null {
  if (countStatements(events) > STATEMENTS_MAX) return unavailable("too_many_events");
  if (events.length > 0) {
    return type === "container_id" && isOtherContainers(events, reference) ? { kind: "not_found" } : null;
  }
  if (withdrawn !== undefined) return null;
  // The carrier knows the reference: the operator must configure its spelling.
  const isUnread = skipped.some(({ reason }) => !NOT_AN_EVENT.has(reason));
  return isUnread ? unavailable("unreadable") : { kind: "not_found" };
}

/** For example five hundred boxes with a hundred statements each. */
const STATEMENTS_MAX = 50_000;

/** A statement that names no box counts for each box. */
function countStatements(events: readonly CarrierEvent[]): number {
  const boxes = new Set(events.map(({ equipment }) => equipment));
  boxes.delete(null);
  const common = events.filter(({ equipment }) => equipment === null).length;
  return events.length - common + common * Math.max(1, boxes.size);
}

/** Some sandboxes always answer with the same containers. The check digit may be wrong. */
function isOtherContainers(events: readonly CarrierEvent[], reference: string): boolean {
  const named = events.flatMap(({ equipment }) => equipment ?? []);
  const number = reference.slice(0, -1);
  return named.length > 0 && !named.some((equipment) => equipment.startsWith(number));
}

/** Increment it when the parser changes, so that known answers are read again. */
const PARSER_VERSION = 10;

function digestOf({ api, spelling }: Carrier, bodies: readonly string[], isCut: boolean): Buffer {
  const head = JSON.stringify([PARSER_VERSION, api, spelling, bodies.length, isCut]);
  const texts = bodies.map((body) => `\n${Buffer.byteLength(body)}\n${body}`);
  return hash("sha256", head + texts.join(""), "buffer");
}
