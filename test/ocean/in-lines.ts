/**
 * Journeys as lines, for tables of many: what a carrier has said on a day, and what is made of it.
 *
 *     @28 GTIN CNTAO 1; LOAD CNTAO 2 HERON; DEPA? CNTAO/ANCH 3.6; CUS:HOLD 19
 *
 * After the day of the look come statements: code, place and day of March, with its hour after a point. `?` is
 * estimated and `~` planned; behind a slash is the type of facility, `-` is no place. What follows differs from a laden
 * move by its usual means: a vessel in capitals, a voyage behind `#`, `empty` or `unsaid`, a mode or `modeless`, what the
 * move is part of. `CUS:HOLD` is a paper. ` | ` is between two polls.
 */
import type { Classifier, Mode } from "../../src/freight/dcsa/spelling.ts";
import type { EventTime } from "../../src/freight/places/local-time.ts";
import type { CarrierEvent, Movement, Place } from "../../src/products/ocean/sources/carrier-event.ts";
import type { BoxRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent } from "./event.ts";
import { pollThrough, type Poll } from "./life.ts";

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

function eventIn(text: string): CarrierEvent {
  const [what = "", ...words] = text.split(" ");
  const classifier: Classifier = what.endsWith("?") ? "estimated" : what.endsWith("~") ? "planned" : "actual";
  const code = what.replace(/[?~]$/, "");
  const [documentType = "", state] = code.split(":");
  if (state !== undefined) return { ...documentEvent(documentType, state, dayIn(words[0]!)), classifier };
  const [where = "", day = "", ...more] = words;
  const [unlocode = "", facilityType = null] = where.split("/");
  const place: Place = { unlocode, name: null, facility: null, facilityType };
  const made = event(code, null, dayIn(day), { classifier, place: where === "-" ? null : place });
  return Object.assign({}, made, ...more.map(partIn)) as CarrierEvent;
}

function partIn(word: string): Partial<CarrierEvent> {
  if (word in MODES) return { mode: MODES[word]! };
  if (word in LADEN) return { laden: LADEN[word]! };
  if (MOVEMENTS.includes(word)) return { movement: word as Movement };
  return word.startsWith("#") ? { voyage: word.slice(1) } : { vessel: { name: word, imo: null } };
}

/** What each look of a line shows, as lines. */
export function shownBy(line: string): readonly string[] {
  const answers = line.split(" | ").map((poll) => {
    const [day = "", ...stated] = poll.split(/ |; /, 1).concat(poll.split("; "));
    const events = stated.map((text) => text.replace(/^@\S+ ?/, "")).filter((text) => text !== "");
    return [dayIn(day.slice(1)), events.map(eventIn)] as const;
  });
  return pollThrough(answers).map(shown);
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
