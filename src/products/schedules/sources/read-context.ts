/** The state of reading one answer: its feed, its problems, and how many more calls it may have. */
import { type JsonObject, isObject } from "../../../model/json.ts";
import type { CallStatement } from "../calls/call-statement.ts";
import type { PublishedLeg, PublishedWay } from "../calls/published-way.ts";
import { voyageKeyOf } from "../calls/merge-statements.ts";
import type { Feed } from "./feed-schema.ts";
import { nameIn, read } from "./spelling.ts";

/** Calls read from one answer, all pages of it, or from one pushed body. */
export const CALLS_MAX = 20_000;

/** A voyage has some thirty calls, with a few different statements of each; all are compared with each other. */
export const STATEMENTS_OF_A_VOYAGE_MAX = 1_000;

/** Connections read from one answer, or from one pushed body. */
export const WAYS_MAX = 2_000;

/** An answer may have more problems than it names. */
const PROBLEMS_MAX = 100;

/** What could not be read of an answer or a pushed body, and where: `$[0].vesselSchedules[2].vessel`. */
export type FeedProblem = { readonly path: string; readonly message: string };

export type ReadContext = {
  readonly feed: Pick<Feed, "carrier" | "smdg">;
  readonly nowMs: number;
  /** Reports a problem that loses no call. */
  note(path: string, message: string): void;
  /** Reports a problem that may lose a call: the answer is no longer complete. */
  skip(path: string, message: string): void;
  hasCapacity(): boolean;
  /** Counts a call; a repeated one becomes the first. Null: its voyage has too many different statements. */
  admit(call: CallStatement): CallStatement | null;
  /** Takes a connection that the carrier publishes. */
  publish(path: string, legs: readonly PublishedLeg[]): void;
  readonly ways: readonly PublishedWay[];
  readonly problems: readonly FeedProblem[];
  isComplete(): boolean;
};

/** `where` precedes each path: the page and the request. */
export function createReadContext(
  feed: ReadContext["feed"],
  nowMs: number,
  where: () => string = () => "",
): ReadContext {
  const problems: FeedProblem[] = [];
  const ways: PublishedWay[] = [];
  let isComplete = true;
  let calls = 0;
  const voyages = new Map<string, Map<string, CallStatement>>();
  const note = (path: string, message: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push({ path: where() + path, message });
  };
  const skip = (path: string, message: string): void => {
    isComplete = false;
    note(path, message);
  };
  return {
    feed,
    nowMs,
    note,
    skip,
    hasCapacity: () => calls < CALLS_MAX,
    admit(call) {
      const voyage = voyageKeyOf(call);
      const statements = voyages.get(voyage) ?? new Map<string, CallStatement>();
      const text = JSON.stringify(call);
      const known = statements.get(text);
      if (known === undefined && statements.size >= STATEMENTS_OF_A_VOYAGE_MAX) return null;
      if (known === undefined) voyages.set(voyage, statements.set(text, call));
      calls += 1;
      return known ?? call;
    },
    publish(path, legs) {
      if (ways.length < WAYS_MAX) ways.push({ carrier: feed.carrier, legs });
      else note(path, `is beyond ${WAYS_MAX} connections: its calls are read, not the way`);
    },
    ways,
    problems,
    isComplete: () => isComplete,
  };
}

export type Part = { readonly raw: JsonObject; readonly path: string };

/** The objects of a list in `raw`, as {@link objectsIn}. Reports a list that is missing, too. */
export function* partsOf(
  { raw, path }: Part,
  standard: string,
  reading: ReadContext,
): Generator<Part | null> {
  const list = read(raw, standard);
  const place = `${path}.${nameIn(raw, standard)}`;
  if (list === undefined) return reading.skip(path, `lacks ${standard}`);
  if (!Array.isArray(list)) return reading.skip(place, "is no list");
  yield* objectsIn(list, place, reading);
}

/** The objects of a list; null for other entries, which it reports as problems: a moment to let others go on. */
export function* objectsIn(
  list: readonly unknown[],
  path: string,
  reading: ReadContext,
): Generator<Part | null> {
  for (const [index, raw] of list.entries()) {
    const place = `${path}[${index}]`;
    const isPart = isObject(raw);
    if (!isPart) reading.skip(place, "is no object");
    yield isPart ? { raw, path: place } : null;
  }
}

/** Text of an answer, as problems quote it. */
export function quoted(written: string): string {
  const shown = written.length > QUOTED_LENGTH_MAX ? `${written.slice(0, QUOTED_LENGTH_MAX)}…` : written;
  return JSON.stringify(shown);
}

const QUOTED_LENGTH_MAX = 40;
