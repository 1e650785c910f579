/**
 * A world of shipping lines, voyages and boxes, all of it from a seed, and what the lines' APIs answer at
 * any moment. Nothing is kept but for the box asked for last: a life is derived again from its index, so that a
 * world of two hundred thousand takes no more memory than one of ten.
 *
 *     index ─▶ consignment ─▶ journey (what happens) ─▶ facts (what is reported, and when) ─▶ answer at a moment
 */
import { issueToken, refusalOf } from "../world/access.ts";
import { answerInOutage, problem, type Answer, type RequestHeaders, type Outage } from "../world/answer.ts";
import { pageOf, unknownTo } from "./answers.ts";
import {
  findConsignment,
  BOXES_MAX,
  consignmentOf,
  containerNumber,
  type Consignment,
  type TrackingType,
} from "./consignment.ts";
import type { Fact } from "./fact.ts";
import { journeyOf } from "./journey.ts";
import { LINES, type Line } from "./lines.ts";
import { createOutageCalendar, OUTAGE_MS_MAX, type OutageCalendar } from "./outages.ts";
import { withNextCall } from "./next-call.ts";
import { prunedFacts } from "./pruning.ts";
import { factsOf } from "./reporting.ts";
import { createTimetable, type Timetable } from "./voyages.ts";
import { answeredAsOfMs, olderAnswersOf, type OlderAnswers } from "./two-caches.ts";
import { writeEventsAt } from "./dcsa-writer.ts";

export type HarbourOptions = {
  readonly seed: number;
  readonly boxes: number;
  /** Journeys begin from fifty days before to twenty days after it, milliseconds since the epoch. */
  readonly startMs: number;
};

/** A shipment that can be tracked: a box, or a bill of lading with all of its boxes. */
export type HarbourBox = {
  readonly index: number;
  readonly scac: string;
  readonly reference: string;
  readonly type: TrackingType;
  /** The indexes and the numbers of the boxes that the reference stands for. */
  readonly boxes: readonly { readonly index: number; readonly equipment: string }[];
  /** From when on the line knows the reference. */
  readonly knownMs: number;
};

/** What a line says of a reference over the whole of its life; the truth is derived from it (truth.ts). */
export type Life = {
  readonly line: Line;
  /** Tracked by the number of its box, which is known before the line names it. */
  readonly single: boolean;
  readonly boxes: HarbourBox["boxes"];
  readonly facts: readonly Fact[];
  /** When the line's API does not answer, from the beginning of the life to some hours after its end. */
  readonly outages: readonly Outage[];
  /** When its API answers as it did some hours before. */
  readonly older: readonly OlderAnswers[];
};

export type Harbour = {
  readonly lines: readonly Line[];
  readonly boxCount: number;
  /** What is tracked under an index, 0 up to `boxCount`. */
  boxAt(index: number): HarbourBox;
  lifeAt(index: number): Life;
  /** Of a `GET`; `url` may be a path. */
  answer(scac: string, url: URL | string, headers: RequestHeaders, atMs: number): Answer;
  /** Of a `POST` to the token endpoint, with its form. `speed`: milliseconds of the harbour for each of the client's. */
  token(scac: string, form: URLSearchParams, atMs: number, speed?: number): Answer;
};

/** The world, and the facts reported last: the pages of an answer follow each other, as do the answers of one life. */
type HarbourState = HarbourOptions & {
  readonly timetable: Timetable;
  readonly weather: OutageCalendar;
  last: (Said & { readonly indexes: string }) | null;
};

type Said = { readonly facts: readonly Fact[]; readonly older: readonly OlderAnswers[] };

type Tracked = {
  readonly consignment: Consignment;
  readonly type: TrackingType;
  /** Of the boxes that the reference stands for. */
  readonly indexes: readonly number[];
};

const LINE_OF = new Map(LINES.map((line) => [line.scac, line]));

export function createHarbour({ seed, boxes, startMs }: HarbourOptions): Harbour {
  if (!(boxes >= 1 && boxes <= BOXES_MAX)) throw new Error(`boxes must be from 1 to ${BOXES_MAX}`);
  const timetable = createTimetable(seed, startMs);
  const weather = createOutageCalendar(seed);
  const state: HarbourState = { seed, boxes, startMs, timetable, weather, last: null };
  return {
    lines: LINES,
    boxCount: boxes,
    boxAt: (index) => boxAt(state, index),
    lifeAt: (index) => lifeAt(state, index),
    answer: (scac, url, headers, atMs) => answerTo(state, scac, url, headers, atMs),
    token(scac, form, atMs, speed = 1) {
      const line = LINE_OF.get(scac);
      return line === undefined
        ? problem(404, "nothing here", atMs)
        : issueToken({ code: line.scac, access: line.access }, form, atMs, speed);
    },
  };
}

function boxAt(state: HarbourState, index: number): HarbourBox {
  const { consignment, type, indexes } = trackedAt(state, index);
  return {
    index,
    scac: consignment.line.scac,
    reference: referenceOf(consignment, type, index),
    type,
    boxes: boxesOf(consignment, indexes),
    knownMs: journeyOf(state.seed, state.startMs, state.timetable, consignment).bookedMs,
  };
}

function lifeAt(state: HarbourState, index: number): Life {
  const { consignment, type, indexes } = trackedAt(state, index);
  const { line } = consignment;
  const { facts, older } = saidOf(state, consignment, indexes, type === "container_id");
  const moments = facts.flatMap(({ fromMs, untilMs }) =>
    untilMs === Infinity ? [fromMs] : [fromMs, untilMs],
  );
  const lastMs = Math.max(state.startMs, ...moments) + OUTAGE_MS_MAX;
  return {
    line,
    single: type === "container_id",
    boxes: boxesOf(consignment, indexes),
    facts,
    outages: state.weather.between(line, Math.min(...moments), lastMs),
    older,
  };
}

function answerTo(
  state: HarbourState,
  scac: string,
  url: URL | string,
  headers: RequestHeaders,
  atMs: number,
): Answer {
  const line = LINE_OF.get(scac);
  const asked = typeof url === "string" ? new URL(url, "http://harbour") : url;
  if (line === undefined || !asked.pathname.endsWith("/events")) return problem(404, "nothing here", atMs);
  const outage = state.weather.at(line, atMs);
  if (outage !== null) return answerInOutage(outage, atMs);
  const refused = refusalOf({ code: line.scac, access: line.access }, headers, atMs);
  if (refused !== null) return refused;
  const found = findConsignment(state.seed, state.boxes, asked.searchParams);
  if (found === null || found.consignment.line !== line) return unknownTo(line, atMs);
  const { consignment, box } = found;
  const indexes = box === null ? indexesOf(consignment) : [box];
  const { facts, older } = saidOf(state, consignment, indexes, box !== null);
  const events = writeEventsAt(consignment, facts, answeredAsOfMs(older, atMs));
  return events.length === 0 ? unknownTo(line, atMs) : pageOf(line, events, asked, atMs);
}

function trackedAt({ seed, boxes }: HarbourState, index: number): Tracked {
  const consignment = consignmentOf(seed, index, boxes);
  const { first, size } = consignment;
  if (size === 1) return { consignment, type: typeOfSingle(index), indexes: [index] };
  if (index !== first) return { consignment, type: "container_id", indexes: [index] };
  return { consignment, type: "bill_of_lading", indexes: indexesOf(consignment) };
}

function saidOf(
  state: HarbourState,
  consignment: Consignment,
  wanted: readonly number[],
  ofBox: boolean,
): Said {
  const indexes = `${wanted.join()} ${ofBox}`;
  if (state.last?.indexes !== indexes) {
    const journey = journeyOf(state.seed, state.startMs, state.timetable, consignment);
    const { first, line } = consignment;
    const own = factsOf(state.seed, consignment, journey, wanted, ofBox);
    const said = withNextCall(state.seed, first, line, journey, own, state.startMs);
    const [box, ...others] = wanted;
    const isOne = box !== undefined && others.length === 0;
    const facts = isOne ? prunedFacts(state.seed, box, line, said, state.startMs) : said;
    const older = olderAnswersOf(state.seed, first, line.reporting, journey, facts);
    state.last = { indexes, facts, older };
  }
  return state.last;
}

function boxesOf(consignment: Consignment, indexes: readonly number[]): HarbourBox["boxes"] {
  return indexes.map((index) => ({ index, equipment: containerNumber(consignment, index) }));
}

/** Most boxes are tracked by their number, some by their transport documents. */
function typeOfSingle(index: number): TrackingType {
  if (index % 16 === 3) return "bill_of_lading";
  return index % 16 === 11 ? "booking" : "container_id";
}

function referenceOf(consignment: Consignment, type: TrackingType, index: number): string {
  if (type === "container_id") return containerNumber(consignment, index);
  return type === "booking" ? consignment.booking : consignment.bill;
}

function indexesOf({ first, size }: Consignment): number[] {
  return Array.from({ length: size }, (_, place) => first + place);
}
