/** Reads the calls of one page of an answer, or of a pushed body, of any kind. */
import { type JsonObject, isObject } from "../../../model/json.ts";
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { CallStatement } from "../calls/call-statement.ts";
import type { Feed, FeedKind } from "./feed-schema.ts";
import { callsOnRoute } from "./point-to-point.ts";
import {
  CALLS_MAX,
  createReadContext,
  objectsIn,
  STATEMENTS_OF_A_VOYAGE_MAX,
  type FeedProblem,
  type Part,
  type ReadContext,
} from "./read-context.ts";
import { read } from "./spelling.ts";
import { callsAtPort, callsOfService } from "./transport-calls.ts";

type AnswerFormat = {
  readonly what: string;
  /** A field of every entry; it marks a single entry without a list around it. */
  readonly mark: string;
  readonly calls: (part: Part, reading: ReadContext) => Iterable<CallStatement | null>;
};

const BY_SERVICE = { mark: "vesselSchedules", calls: callsOfService } as const;

const ANSWER_FORMATS: { readonly [kind in FeedKind]: AnswerFormat } = {
  "cs-vessel-schedules": { what: "vessel schedules", ...BY_SERVICE },
  "ovs-service-schedules": { what: "service schedules", ...BY_SERVICE },
  "cs-port-schedules": { what: "port schedules", mark: "location", calls: callsAtPort },
  "cs-point-to-point": { what: "point-to-point routes", mark: "legs", calls: callsOnRoute },
};

/** Some carriers put the standard's list into an object. */
const ENVELOPES = [
  "data",
  "items",
  "results",
  "schedules",
  "serviceSchedules",
  "vesselSchedules",
  "portSchedules",
  "pointToPointRoutes",
  "routes",
];

/** In the order of the answer; problems go to `reading`. A text: why the answer is not of this kind at all. */
export function* readAnswer(
  kind: FeedKind,
  value: unknown,
  reading: ReadContext,
): SlicedWork<readonly CallStatement[] | string> {
  const format = ANSWER_FORMATS[kind];
  const found = listIn(value, format);
  if (found === null) return `is no list of ${format.what}`;
  const calls: CallStatement[] = [];
  for (const part of objectsIn(found.list, found.path, reading)) {
    yield;
    if (part === null) continue;
    for (const call of format.calls(part, reading)) {
      yield;
      if (call === null) continue;
      if (!reading.hasCapacity()) {
        reading.skip(part.path, `is beyond ${CALLS_MAX} calls: ask for less, or send it in parts`);
        return calls;
      }
      const admitted = reading.admit(call);
      if (admitted !== null) calls.push(admitted);
      else reading.skip(part.path, `has more than ${STATEMENTS_OF_A_VOYAGE_MAX} calls of one voyage`);
    }
  }
  return calls;
}

function listIn(
  value: unknown,
  { mark }: AnswerFormat,
): { readonly list: readonly unknown[]; readonly path: string } | null {
  if (Array.isArray(value)) return { list: value, path: "$" };
  if (!isObject(value)) return null;
  const name = ENVELOPES.find((one) => Array.isArray(memberOf(value, one)));
  // `vesselSchedules` belong to the service around them; without one, they are the list.
  const isSingle =
    read(value, mark) !== undefined && (name !== mark || value["carrierServiceCode"] !== undefined);
  if (isSingle) return { list: [value], path: "$" };
  return name === undefined ? null : { list: memberOf(value, name) as readonly unknown[], path: `$.${name}` };
}

function memberOf(from: JsonObject, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

export type PushedCalls = {
  readonly calls: readonly CallStatement[];
  readonly ways: ReadContext["ways"];
  readonly problems: readonly FeedProblem[];
  /** No problem has lost a call. */
  readonly isComplete: boolean;
};

/** Reads a pushed body: what the feed's kind answers with. A text: why the body is not of the feed's kind at all. */
export function* readPushed(feed: Feed, body: unknown, nowMs: number): SlicedWork<PushedCalls | string> {
  const reading = createReadContext(feed, nowMs);
  const calls = yield* readAnswer(feed.kind, body, reading);
  if (typeof calls === "string") return `the body ${calls}, as ${feed.kind} answers with`;
  return { calls, ways: reading.ways, problems: reading.problems, isComplete: reading.isComplete() };
}
