/** What goes along while one answer is read: whose it is, what was wrong in it, and how much more it may hold. */
import { type JsonObject, isObject } from "../../../model/json.ts";
import type { CallStatement } from "../calls/call-statement.ts";
import { voyageKeyOf } from "../calls/merge-statements.ts";
import type { FeedProblem } from "./feed-answer.ts";
import type { Feed } from "./feed-schema.ts";
import { nameIn, read } from "./spelling.ts";

/** Calls taken of one answer, all pages of it, or of one pushed body. */
export const CALLS_MAX = 20_000;

/**
 * Different statements of one voyage in one answer. A voyage has some thirty calls, each told of in a few ways; all
 * of them are compared with each other.
 */
export const STATEMENTS_OF_A_VOYAGE_MAX = 1_000;

/** Problems named of one answer; what more there is counts without being named. */
const PROBLEMS_MAX = 100;

export type ReadContext = {
  readonly feed: Pick<Feed, "carrier" | "smdg">;
  /** Something is left out that the answer lives without. */
  note(path: string, message: string): void;
  /** Something is left out that may have held a call: what was told is not all there is. */
  skip(path: string, message: string): void;
  /** Whether there is room for any more calls. */
  hasCapacity(): boolean;
  /** Counts a call; false: its voyage has no room for one more that is told otherwise. */
  admit(call: CallStatement): boolean;
  readonly problems: readonly FeedProblem[];
  isComplete(): boolean;
};

/** `where` is put before each path: which page of which question. */
export function createReadContext(feed: ReadContext["feed"], where: () => string = () => ""): ReadContext {
  const problems: FeedProblem[] = [];
  let isWhole = true;
  let calls = 0;
  const voyages = new Map<string, Set<string>>();
  const note = (path: string, message: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push({ path: where() + path, message });
  };
  const skip = (path: string, message: string): void => {
    isWhole = false;
    note(path, message);
  };
  return {
    feed,
    note,
    skip,
    hasCapacity: () => calls < CALLS_MAX,
    admit(call) {
      const voyage = voyageKeyOf(call);
      const told = voyages.get(voyage) ?? new Set();
      const text = JSON.stringify(call);
      if (told.size >= STATEMENTS_OF_A_VOYAGE_MAX && !told.has(text)) return false;
      voyages.set(voyage, told.add(text));
      calls += 1;
      return true;
    },
    problems,
    isComplete: () => isWhole,
  };
}

export type Part = { readonly raw: JsonObject; readonly path: string };

/** The objects of a list in `raw`; what is none, and a list that is not there, are skipped with a problem. */
export function* partsOf({ raw, path }: Part, standard: string, reading: ReadContext): Generator<Part> {
  const list = read(raw, standard);
  const place = `${path}.${nameIn(raw, standard)}`;
  if (list === undefined) return reading.skip(path, `lacks ${standard}`);
  if (!Array.isArray(list)) return reading.skip(place, "is no list");
  yield* objectsIn(list, place, reading);
}

/** The objects of a list; what is none is skipped with a problem. */
export function* objectsIn(list: readonly unknown[], path: string, reading: ReadContext): Generator<Part> {
  for (const [index, raw] of list.entries()) {
    const place = `${path}[${index}]`;
    if (isObject(raw)) yield { raw, path: place };
    else reading.skip(place, "is no object");
  }
}

/** Text of an answer as a problem repeats it. */
export function quoted(written: string): string {
  const shown = written.length > QUOTED_LENGTH_MAX ? `${written.slice(0, QUOTED_LENGTH_MAX)}…` : written;
  return JSON.stringify(shown);
}

const QUOTED_LENGTH_MAX = 40;
