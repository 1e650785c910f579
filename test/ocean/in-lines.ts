/**
 * Journeys as lines, for tables of many: what a carrier has said on a day, and what is made of it.
 *
 *     @28 GTIN CNTAO 1; LOAD CNTAO 2 HERON; DEPA? CNTAO/ANCH 3.6; CUS:HOLD 19
 *     @10 LOAD CNTAO 2 HERON | @15 + DEPA CNTAO 3 HERON; ARRI~ NLRTM 30 HERON (4)
 *
 * After the day of the poll come statements: code, place and day of March, with its hour after a point. `?` is
 * estimated and `~` planned; behind a slash is the type of facility, behind a colon the facility, `-` is no place. What
 * follows differs from a laden move by its usual means: a vessel in capitals, a voyage behind `#`, `empty` or `unsaid`, a
 * mode or `modeless`, what the move is part of, a document as `BKG=A1`, the box as `second`, and `(4)` for the day on
 * which it was written. `CUS:HOLD` is a paper. ` | ` is between two polls, and `+` adds to what the poll before has said.
 */
import assert from "node:assert/strict";

import type { Classifier, Mode } from "../../src/freight/dcsa/spelling.ts";
import type { EventTime } from "../../src/freight/places/local-time.ts";
import type { CarrierEvent, Movement, Place } from "../../src/products/ocean/sources/carrier-event.ts";
import type { BoxRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent } from "./event.ts";
import { pollThrough, raisedIn, type About, type Poll } from "./life.ts";

export const FIRST = "CSQU3054383";
export const SECOND = "HRNU4000017";

const MODES: Readonly<Record<string, Mode | null>> = {
  vessel: "vessel",
  rail: "rail",
  truck: "truck",
  barge: "barge",
  modeless: null,
};
const LADEN: Readonly<Record<string, boolean | null>> = { laden: true, empty: false, unsaid: null };
const MOVEMENTS: readonly string[] = ["import", "export", "transshipment"] satisfies Movement[];

function dayIn(text: string): number {
  const [day, hour = "12"] = text.split(".");
  return march(Number(day), Number(hour));
}

/** What a word of a line stands for, beside the words that all lines know. */
type Words = Readonly<Record<string, Partial<CarrierEvent>>>;

type Dialect = {
  readonly words?: Words;
  /** The day on which plans and estimates were written that do not say so; else the day that they foresee. */
  readonly madeOn?: number;
  /** The day of a poll that names none. */
  readonly today?: number;
  readonly about?: About;
};

/** Vessels with their numbers and voyages. */
export const FLEET: Words = {
  HERON: { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" },
  EGRET: { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" },
  TERN: { vessel: { name: "TERN SOLSTICE", imo: "9000003" }, voyage: "007W" },
};

type Row = readonly [journey: string, shows: string, why?: string];

/** Readers of lines for one file of tests. */
export function inLines({ words = {}, madeOn, today = 28, about }: Dialect = {}) {
  const said = (text: string): readonly CarrierEvent[] =>
    text
      .split(";")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map((one) => eventIn(one, words, madeOn));

  /** The answers of a line, each with its time. */
  function answers(line: string): readonly (readonly [atMs: number, stated: readonly CarrierEvent[]])[] {
    let known: readonly CarrierEvent[] = [];
    return line.split(" | ").map((poll) => {
      const [, day = String(today), adds = "", text = ""] = /^(?:@(\S+) ?)?(\+ ?)?(.*)$/s.exec(poll.trim())!;
      known = adds === "" ? said(text) : [...known, ...said(text)];
      return [dayIn(day), known] as const;
    });
  }

  const polled = (line: string): readonly Poll[] => pollThrough(answers(line), about);
  const last = (line: string): Poll => polled(line).at(-1)!;
  return {
    said,
    answers,
    polled,
    last,
    /** The last poll's box. */
    box: (line: string): BoxRecord => last(line).record.boxes[0]!,
    status: (line: string): string => last(line).record.status,
    looks: (line: string) => looksOf(polled(line)),
    /** Each row's last poll shows the status. */
    assertStatus(...rows: readonly Row[]): void {
      for (const [line, shows, why] of rows) assert.equal(last(line).record.status, shows, why ?? line);
    },
    /** Each poll shows its line. */
    assertLooks(line: string, ...shows: readonly string[]): void {
      assert.deepEqual(looksOf(polled(line)), shows, line);
    },
  };
}

/** The status and the events of each poll: `in_transit vessel_departed updated(vessel)`. */
export function looksOf(polls: readonly Poll[]): readonly string[] {
  return raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length));
}

function eventIn(text: string, known: Words, madeOn?: number): CarrierEvent {
  const [what = "", ...words] = text.split(/\s+/);
  const classifier: Classifier = what.endsWith("?") ? "estimated" : what.endsWith("~") ? "planned" : "actual";
  const code = what.replace(/[?~]$/, "");
  const [documentType = "", state] = code.split(":");
  if (state !== undefined) {
    const [day = "", ...more] = words;
    return Object.assign(
      {},
      documentEvent(documentType, state, dayIn(day)),
      { classifier },
      ...more.map(partIn),
    );
  }
  const [where = "", day = "", ...more] = words;
  const made = event(code, null, dayIn(day), { classifier, place: placeIn(where) });
  const written = madeOn === undefined || classifier === "actual" ? {} : { createdAtMs: march(madeOn) };
  return Object.assign({}, made, written, ...more.map((word) => known[word] ?? partIn(word))) as CarrierEvent;
}

function placeIn(where: string): Place | null {
  if (where === "-") return null;
  const [at = "", facilityType = null] = where.split("/");
  const [unlocode = "", facility = null] = at.split(":");
  return { unlocode: unlocode === "" ? null : unlocode, name: null, facility, facilityType };
}

function partIn(word: string): Partial<CarrierEvent> {
  if (word in MODES) return { mode: MODES[word]! };
  if (word in LADEN) return { laden: LADEN[word]! };
  if (MOVEMENTS.includes(word)) return { movement: word as Movement };
  if (word === "second") return { equipment: SECOND };
  if (word.startsWith("(")) return { createdAtMs: dayIn(word.slice(1, -1)) };
  if (word.startsWith("#")) return { voyage: word.slice(1) };
  const [type = "", value] = word.split("=");
  return value === undefined ? { vessel: { name: word, imo: null } } : { documents: [{ type, value }] };
}

const plain = inLines();

/** What each poll of a line shows, as lines. */
export function shownBy(line: string): readonly string[] {
  return plain.polled(line).map(shown);
}

function shown({ record, raised }: Poll): string {
  const box = record.boxes[0]!;
  const parts = [
    box.status,
    placesOf(box),
    box.vessel === null ? "" : `by ${box.vessel.name ?? ""}${box.voyage === null ? "" : `#${box.voyage}`}`,
    box.eta === null
      ? ""
      : `${box.eta.actual ? "arrived" : "eta"} ${dayOf(box.eta.at)} ${nameOf(box.eta.place ?? null)}`,
    box.arrivingFromMs === null ? "" : `arriving ${dayText(box.arrivingFromMs)}`,
    box.misrouting === null
      ? ""
      : `misrouted ${nameOf(box.misrouting.discharge)} for ${nameOf(box.misrouting.expected)}`,
    ...box.milestones.map(
      (one) => `${one.type} ${dayOf(one.at)} ${one.from}>${one.to}${one.implied === true ? " implied" : ""}`,
    ),
    ...box.sailings.map(
      (one) => `sails ${one.from} ${dayText(one.expectedMs)}${one.departedMs === null ? "?" : ""}`,
    ),
    ...raised.map(({ type }) => `+${type}`),
    box.anchorMs === null ? "" : `since ${dayText(box.anchorMs)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function placesOf({ origin, transshipments, discharge, destination }: BoxRecord): string {
  return [origin, ...transshipments, discharge, destination].map(nameOf).join(">");
}

const nameOf = (place: Place | null): string => place?.unlocode ?? "-";
const dayOf = ({ ms }: EventTime): string => dayText(ms);

function dayText(ms: number): string {
  const days = (ms - march(1)) / 86_400_000 + 1;
  return String(Math.round(days * 100) / 100);
}
